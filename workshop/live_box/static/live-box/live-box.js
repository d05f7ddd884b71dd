// Lets a reader edit and run a cell in the page, on a model of JAX.
//
// <live-box> stands below a cell and holds as JSON the whole program of that cell and the check that
// runs after it in an exercise. A click loads
// MicroPython and the model from this folder; nothing is loaded before. Each run gets a worker of its
// own, so that no run depends on another and a run without end can be stopped. Without this script
// the cell stands as it is.

// All names stay inside this function: other scripts of the page have names of their own.
(() => {
const SECONDS = 5; // for a program to run
const INDENT = "    ";
const FOLDER = document.currentScript.src;
// The colours of code, by the classes that the page's own code has; strings reach over several lines.
const TEXT = [
  "(?<c1>#.*)",
  String.raw`(?<s2>[bfr]*(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))`,
];
const PYTHON = new RegExp([
  ...TEXT,
  String.raw`(?<nd>@[\w.]+)|(?<=\bdef )(?<nf>\w+)|(?<=\bclass )(?<nc>\w+)`,
  String.raw`\b(?:(?<kc>False|None|True)|(?<kn>from|import)|(?<ow>and|in|is|not|or)|(?<k>as|assert|break|class|continue|def|del|elif|else|except|finally|for|global|if|lambda|nonlocal|pass|raise|return|try|while|with|yield))\b`,
  String.raw`(?<![.\w])(?<nb>abs|bool|dict|enumerate|float|int|isinstance|len|list|map|max|min|print|range|set|sorted|str|sum|super|tuple|type|zip)\b`,
  String.raw`\b(?<mi>\d[\w.]*)`,
].join("|"), "g");
// Texts and comments, and what stands between the quotes that the keyboard of a phone writes.
const CURLED = new RegExp([...TEXT, String.raw`[“”][^“”"\n]*[“”]`, String.raw`[‘’][^‘’"\n]*[‘’]`].join("|"), "g");
// In this browser, by box: the program that was offered, what was written instead, whether it was solved.
const KEPT = "programs";
let loaded = false; // the small Python, by any box

/** The program with plain quotes around its texts. */
function plain(program) {
  return program.replace(CURLED, (text) => (/^[“”‘’]/.test(text) ? `"${text.slice(1, -1)}"` : text));
}

function kept() {
  try {
    return { ...JSON.parse(localStorage.getItem(KEPT)) };
  } catch {
    return {};
  }
}

/** An element with properties and children. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

class LiveBox {
  constructor(place) {
    const { program, check, notebook, download } = JSON.parse(place.querySelector("script").textContent);
    const say = WORDS[document.documentElement.lang].live_box;
    Object.assign(this, { program, check, notebook, download, say });
    this.number = [...document.querySelectorAll("live-box")].indexOf(place) + 1;
    this.opener = make("button", { type: "button", className: "live-open", onclick: () => this.open() });
    this.opener.textContent = say[check ? "Answer here" : "Edit and run here"];
    place.append(this.opener);
    this.place = place;
    const [of, , solved] = kept()[this.name()] ?? [];
    this.solve(of === program && solved);
  }

  /** Show at the closed box, too, whether its exercise is solved. */
  solve(solved = true) {
    this.solved = Boolean(solved);
    this.opener.classList.toggle("live-solved", this.solved);
  }

  /** Build the editor at the first click, show it at each. */
  open() {
    if (!this.panel) this.build();
    this.opener.hidden = true;
    this.panel.hidden = false;
    this.editor.focus();
  }

  close() {
    this.stop();
    this.panel.hidden = true;
    this.opener.hidden = false;
    this.opener.focus();
  }

  build() {
    const { say } = this;
    const id = `live-${this.number}`;
    const button = (word, onclick) => make("button", { type: "button", textContent: say[word], onclick });
    this.editor = make("textarea", {
      id,
      spellcheck: false,
      autocapitalize: "off",
      autocomplete: "off",
      wrap: "off",
      onkeydown: (event) => this.key(event),
      onblur: () => (this.leaving = false),
      oninput: () => this.written(),
      onscroll: () => this.follow(),
    });
    this.numbers = make("div", { className: "live-numbers", ariaHidden: "true" });
    this.colours = make("div", { className: "live-colours highlight", ariaHidden: "true" });
    this.editor.setAttribute("aria-describedby", `${id}-keys`);
    this.run = button(this.check ? "Check" : "Run", () => this.start());
    this.run.classList.add("live-run");
    this.status = make("p", { className: "live-status" });
    this.status.setAttribute("role", "status");
    this.output = make("pre", { tabIndex: 0 });
    this.output.setAttribute("role", "log");
    this.output.setAttribute("aria-label", say["Output"]);
    this.panel = make(
      "section",
      { className: "live-panel" },
      make("label", { htmlFor: id, textContent: say["Program"] }),
      make("div", { className: "live-editor" }, this.numbers, this.colours, this.editor),
      make("p", { id: `${id}-keys`, className: "live-keys", textContent: say["keys"] }),
      make(
        "div",
        { className: "live-buttons" },
        this.run,
        button("Reset", (event) => this.reset(event.target)),
        button("Close", () => this.close()),
      ),
      this.status,
      this.output,
      make("details", { className: "live-about" },
        make("summary", { className: "live-label", textContent: say["A model of JAX, not JAX itself"] }),
        make("p", {}, `${say["about"]} `, this.wayOut())),
    );
    this.panel.setAttribute("aria-label", say["A model of JAX, not JAX itself"]);
    this.reset();
    const [of, text] = kept()[this.name()] ?? [];
    if (of === this.program) this.write(text);
    this.place.append(this.panel);
  }

  /** The way to JAX itself, at this cell. */
  wayOut() {
    const { say, notebook: href, download } = this;
    return Object.assign(make("a", { href, textContent: say[download ? "download" : "colab"] }),
      download && { download: "" });
  }

  /** What the text is kept under, in both languages. */
  name() {
    return `${location.pathname.split("/").pop()}#${this.number}`;
  }

  /** Number the lines, and colour behind the editor what stands in it. */
  paint() {
    const { value } = this.editor, parts = [];
    let end = 0;
    for (const { index, 0: text, groups } of value.matchAll(PYTHON)) {
      parts.push(value.slice(end, index), make("span", { className: Object.keys(groups).find((kind) => groups[kind]), textContent: text }));
      end = index + text.length;
    }
    this.colours.replaceChildren(...parts, `${value.slice(end)}\n`);
    const lines = value.split("\n");
    this.numbers.textContent = lines.map((_, line) => line + 1).join("\n");
    this.editor.rows = Math.min(lines.length + 1, 26);
    this.follow();
  }

  follow() {
    const { scrollLeft, scrollTop } = this.editor;
    this.colours.scrollTo(scrollLeft, scrollTop);
    this.numbers.scrollTop = scrollTop;
  }

  /** After each change: colour it and keep what was written. */
  written() {
    const { value } = this.editor, all = kept();
    this.paint();
    delete all[this.name()];
    this.solve(this.solved && value !== this.program);
    if (value !== this.program) all[this.name()] = [this.program, value, this.solved];
    try {
      localStorage.setItem(KEPT, JSON.stringify(all));
    } catch {
      // It is full.
    }
  }

  write(text) {
    this.editor.value = text;
    this.written();
  }

  /** Offer the program of the cell anew. Undo in the editor brings back what the reader wrote. */
  reset(button) {
    this.stop();
    if (button && this.editor.value !== this.program) {
      this.editor.focus({ preventScroll: true });
      this.editor.select();
      this.insert(this.program);
      button.focus({ preventScroll: true });
    } else {
      this.editor.value = this.program;
    }
    this.editor.setSelectionRange(0, 0);
    this.editor.scrollTo(0, 0);
    this.paint();
    this.clear("");
  }

  clear(status) {
    this.output.textContent = "";
    this.output.hidden = true;
    this.tell(status);
  }

  /** Say how it stands, with the line of the program that is meant. */
  tell(status, kind = "", line = "") {
    this.status.textContent = status;
    if (line.trim()) this.status.append(make("code", { textContent: line.trim() }));
    this.status.dataset.kind = kind;
    this.panel?.setAttribute("aria-busy", kind === "busy");
  }

  /** Tab indents, Escape and then Tab leaves, Ctrl+Enter runs, Enter keeps the indentation. */
  key(event) {
    const { key, ctrlKey, metaKey, shiftKey, altKey, isComposing } = event;
    if (isComposing) return;
    if (key === "Escape") {
      this.leaving = true;
    } else if (key === "Tab" && !shiftKey && !this.leaving) {
      event.preventDefault();
      this.insert(INDENT);
    } else if (key === "Enter" && (ctrlKey || metaKey)) {
      event.preventDefault();
      this.start();
    } else if (key === "Enter" && !shiftKey && !altKey) {
      event.preventDefault();
      const { value, selectionStart } = this.editor;
      const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
      const deeper = line.trimEnd().endsWith(":") ? INDENT : "";
      this.insert("\n" + line.match(/^ */)[0] + deeper);
      this.editor.scrollLeft = 0;
    }
    if (!["Escape", "Tab", "Shift"].includes(key)) this.leaving = false;
  }

  insert(text) {
    // The only way to insert that a browser's undo takes back.
    document.execCommand("insertText", false, text);
  }

  stop() {
    clearTimeout(this.limit);
    this.worker?.terminate();
    this.worker = null;
  }

  start() {
    const { say } = this;
    this.stop();
    this.clear("");
    this.tell(say[loaded ? "Running" : "Loading"], "busy");
    this.show(this.status);
    const worker = new Worker(new URL("worker.mjs", FOLDER), { type: "module" });
    this.worker = worker;
    const end = (...said) => {
      this.stop();
      this.tell(...said);
      this.show(this.output);
      this.show(this.status);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end(say["broken"], "error");
    };
    worker.onmessage = ({ data }) => {
      if (worker !== this.worker) return;
      if (data.started) {
        loaded = true;
        this.tell(say["Running"], "busy");
        this.limit = setTimeout(() => end(say["time"].replace("{seconds}", SECONDS), "error"), SECONDS * 1000);
      } else if (data.output) {
        this.output.hidden = false;
        this.output.append(data.output);
      } else if (data.flooded) {
        end(say["flood"], "error");
      } else if ("ended" in data) {
        end(...this.ending(data.ended));
      }
    };
    this.ran = this.editor.value;
    worker.postMessage(`${plain(this.ran)}\n\n${this.check}`);
  }

  /** Bring into view what lies below the window: a program may fill it. */
  show(part) {
    part.scrollIntoView({ block: "nearest" });
  }

  /** Whether the check printed this verdict, which is told above and needn't stand below again. */
  judged(word) {
    const lines = this.output.textContent.split("\n");
    const others = lines.filter((line) => !line.endsWith(this.say[word]));
    this.output.textContent = others.join("\n");
    this.output.hidden = !this.output.textContent;
    return others.length < lines.length;
  }

  /** What to say about how the program ended. */
  ending(ended) {
    const { say } = this;
    if (!ended && this.check) {
      if (this.judged("empty")) return [say["No answer"], "done"];
      if (!this.judged("solved")) return [say["Wrong"], "wrong"];
      this.solve();
      this.written();
      return [say["Right"], "right"];
    }
    if (!ended) return [say["Done"], "done"];
    const { kind, type, message, line, near } = ended;
    const lines = this.ran.split("\n");
    const at = line && Math.min(line, lines.length); // what breaks in the check began in the answer
    const words = [say[kind].replace("{line}", at ?? "?").replace("{what}", () => message)];
    if (near) words.unshift(say["near"].replace("{near}", () => near));
    if (kind !== "reach") {
      const error = message ? `${type}: ${message}` : type;
      this.output.hidden = false;
      this.output.append(make("span", { className: "live-error", textContent: error }));
    }
    return [words.join(" "), kind === "reach" ? "reach" : "error", lines[at - 1]];
  }
}

// From a file there are no workers and no WebAssembly; a cell is then what it is without script.
if (location.protocol.startsWith("http")) {
  for (const place of document.querySelectorAll("live-box")) {
    new LiveBox(place);
    place.hidden = false;
  }
}
})();
