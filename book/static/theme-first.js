// Before anything is drawn: the theme that the reader chose, so that nothing flashes.

{
  const root = document.documentElement;
  for (const name of ["mode", "theme"]) {
    try {
      root.dataset[name] = localStorage.getItem(name) ?? "auto";
    } catch {
      root.dataset[name] = "auto";
    }
  }
}
