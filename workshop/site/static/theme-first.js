// Before anything is drawn: the theme that the reader chose, else that of the device, so that
// nothing flashes.

{
  const { dataset } = document.documentElement;
  try {
    dataset.mode = localStorage.getItem("mode") ?? "auto";
  } catch {
    dataset.mode = "auto";
  }
  const device = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  dataset.theme = ["light", "dark"].includes(dataset.mode) ? dataset.mode : device;
}
