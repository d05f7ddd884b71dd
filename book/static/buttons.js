// The buttons of a page that the theme would write with inline scripts.

{
  const actions = { print: () => print(), fullscreen: () => toggleFullScreen() };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-press]");
    if (button) actions[button.dataset.press]();
  });
}
