// The buttons of a page that the theme would write with inline scripts, and the one that lets long
// lines of code wrap or scroll, as the reader last chose; pictures that scroll on a narrow screen can
// be reached by keyboard; the contents mark the section that is read, which the theme leaves out on
// the way up and at a jump.

{
  const lines = document.querySelector("[data-press=lines]");
  const letLinesScroll = (scroll) => {
    document.documentElement.toggleAttribute("data-long-lines", scroll);
    lines.ariaPressed = !scroll;
    dispatchEvent(new Event("resize"));  // the theme looks for what scrolls
  };
  if (lines) letLinesScroll(localStorage.getItem("lines") === "scroll");
  const actions = {
    print: () => print(),
    fullscreen: () => toggleFullScreen(),
    lines: () => {
      const scroll = lines.ariaPressed === "true";
      letLinesScroll(scroll);
      localStorage.setItem("lines", scroll ? "scroll" : "wrap");
    },
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-press]");
    if (button) actions[button.dataset.press]();
  });

  const contents = [...document.querySelectorAll("#pst-page-toc-nav a")];
  const markSection = () => {
    const id = sectionBeingRead()?.id;  // of language-switch.js
    for (const link of contents) {
      const isHere = link.hash === `#${id}`;
      link.classList.toggle("active", isHere);
      link.ariaCurrent = isHere ? "true" : null;
    }
  };
  let pause;
  addEventListener("scroll", () => {
    clearTimeout(pause);
    pause = setTimeout(markSection, 100);  // after the theme
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
