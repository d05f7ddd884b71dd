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
  const { dataset } = document.documentElement;
  dataset.mode = localStorage.getItem("mode") ?? "auto";
  const device = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  dataset.theme = ["light", "dark"].includes(dataset.mode) ? dataset.mode : device;

  let seen;  // paper is light
  addEventListener("beforeprint", () => {
    seen = dataset.theme;
    dataset.theme = "light";
  });
  addEventListener("afterprint", () => (dataset.theme = seen));
}
