// Before anything is drawn: the theme that the reader chose, else that of the device, so that
// nothing flashes. Where the browser keeps nothing, the scripts of the theme and of Sphinx would
// stop; they get something that keeps for as long as the page is open.

{
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      window[name].setItem("probe", "");
      window[name].removeItem("probe");
    } catch {
      const kept = new Map();
      const value = {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, text) => kept.set(key, text),
        removeItem: (key) => kept.delete(key),
      };
      Object.defineProperty(window, name, { value });
    }
  }
  sessionStorage.removeItem("sidebar-scroll-top");  // the theme then shows the chapter that is read
  const { dataset } = document.documentElement;
  dataset.mode = localStorage.getItem("mode") ?? "auto";
  const device = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  dataset.theme = ["light", "dark"].includes(dataset.mode) ? dataset.mode : device;

  // The Hangul font. On the first page of a visit a slow phone shows the text almost a second sooner
  // if the font comes after it; on later ones the browser has the font, and should not wait for the
  // styles to ask for it. From a folder without a server asking early is refused.
  if (document.documentElement.lang == "ko" && location.protocol != "file:") {
    if (sessionStorage.getItem("hangul")) {
      const { href } = new URL("hangul-core.woff2", document.currentScript.src);
      const early = { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href };
      document.head.append(Object.assign(document.createElement("link"), early));
    } else {
      dataset.hangul = "later";
      new PerformanceObserver(() => {
        delete dataset.hangul;
        sessionStorage.setItem("hangul", "asked for");
      }).observe({ type: "paint", buffered: true });
    }
  }

  let seen;  // paper is light
  addEventListener("beforeprint", () => {
    seen = dataset.theme;
    dataset.theme = "light";
  });
  addEventListener("afterprint", () => (dataset.theme = seen));
}
