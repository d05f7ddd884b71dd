// Runs one program of a reader in MicroPython, on the model of JAX. Whoever started this worker
// ends it when its time is over: a program that never ends cannot be stopped from inside.

import { loadMicroPython } from "./micropython.mjs";

const MODULES = ["tiny_jax.py", "small_python.py"];
const FLUSH = 500; // characters of a line that are sent together
const LIMIT = 20_000; // characters of output

const beside = (name) => new URL(name, import.meta.url).href;

onmessage = async ({ data: program }) => {
  const decoder = new TextDecoder();
  let waiting = "";
  let sent = 0;
  const flush = () => {
    if (waiting) postMessage({ output: waiting });
    sent += waiting.length;
    waiting = "";
    if (sent > LIMIT) postMessage({ flooded: true });
  };
  const stdout = (bytes) => {
    if (sent > LIMIT) return;
    waiting += decoder.decode(bytes, { stream: true });
    if (waiting.endsWith("\n") || waiting.length > FLUSH) flush();
  };
  const [python, ...sources] = await Promise.all([
    loadMicroPython({ url: beside("micropython.wasm"), linebuffer: false, stdout }),
    ...MODULES.map(async (name) => (await fetch(beside(name))).text()),
  ]);
  MODULES.forEach((name, place) => python.FS.writeFile(`/${name}`, sources[place]));
  python.runPython("import small_python");
  python.globals.set("program", program);
  postMessage({ started: true });
  python.runPython("ended = small_python.run(program)");
  flush();
  postMessage({ ended: JSON.parse(python.globals.get("ended")) });
};
