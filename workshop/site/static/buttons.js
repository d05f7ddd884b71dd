// The buttons of a page that the theme would write with inline scripts; pictures that scroll on a
// narrow screen can be reached by keyboard.

{
  const actions = { print: () => print(), fullscreen: () => toggleFullScreen() };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-press]");
    if (button) actions[button.dataset.press]();
  });

  const reach = () => {
    for (const picture of document.querySelectorAll("svg.picture")) {
      const frame = picture.parentElement;
      if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0;
      else frame.removeAttribute("tabindex");
    }
  };
  addEventListener("load", reach);
  addEventListener("resize", reach);
}
