// The buttons of a page that the theme would write with inline scripts, and the one that lets long
// lines of code wrap or scroll, as the reader last chose; the contents mark the section that is read,
// which the theme leaves out on the way up and at a jump.

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
    lines: () => {
      const scroll = lines.ariaPressed === "true", place = placeRead();  // of language-switch.js
      letLinesScroll(scroll);
      if (place) bringTo(place);
      localStorage.setItem("lines", scroll ? "scroll" : "wrap");
    },
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-press]");
    if (button) actions[button.dataset.press]();
  });

  // A menu follows its button. One is open at a time, but for the one that another stands in.
  const openers = [...document.querySelectorAll("[data-bs-toggle=dropdown]")];
  const openMenu = (wanted) => {
    for (const opener of openers) {
      const menu = opener.nextElementSibling;
      const open = menu.contains(wanted) || (opener === wanted && opener.ariaExpanded !== "true");
      opener.ariaExpanded = open;
      menu.classList.toggle("show", open);
    }
  };
  document.addEventListener("click", ({ target }) => openMenu(target.closest("[data-bs-toggle=dropdown], .tools")));
  document.addEventListener("keydown", ({ key }) => {
    const open = key === "Escape" && openers.findLast(({ ariaExpanded }) => ariaExpanded === "true");
    if (!open) return;
    openMenu();
    open.focus();
  });

  // A fold that the address names is open, after Back too; an open one is what the address names.
  const foldAround = (hash) => document.getElementById(decodeURIComponent(hash.slice(1)))?.closest("details");
  const named = foldAround(location.hash);
  if (named) named.open = true;
  for (const fold of document.querySelectorAll("details:has(> summary + p > a[id]:first-child)")) {
    fold.addEventListener("toggle", () =>
      fold.open && history.replaceState(history.state, "", `#${fold.querySelector("a[id]").id}`));
  }

  // What a link leads to may lie in a fold above it: it opens before the place is left, which Back finds again.
  document.addEventListener("click", ({ target }) => {
    const link = target.closest(".bd-article a[href^='#']");
    const fold = link && foldAround(link.hash);
    if (!fold || fold.open) return;
    const { top } = link.getBoundingClientRect();
    fold.open = true;
    scrollBy({ top: link.getBoundingClientRect().top - top, behavior: "instant" });
  });

  // Whoever chose an entry of the contents on a phone wants to see it.
  document.addEventListener("click", ({ target }) => target.closest("dialog[open] a[href^='#']") &&
    target.closest("dialog").close());

  // The list of chapters opens at the one that is read.
  document.querySelector(".primary-toggle")?.addEventListener("click", () => requestAnimationFrame(() =>
    document.querySelector("dialog[open] a.current")?.scrollIntoView({ block: "center" })));

  const contents = [...document.querySelectorAll("#pst-page-toc-nav a")];
  const keepInView = (link) => {
    const list = link.closest(".bd-sidebar-secondary");
    const { top, bottom } = link.getBoundingClientRect();
    if (top < 50 || bottom > innerHeight - 50) list.scrollTop += top - innerHeight / 3;
  };
  const markSection = () => {
    const id = sectionBeingRead()?.id;  // of language-switch.js
    for (const link of contents) {
      const isHere = link.hash === `#${id}`;
      link.classList.toggle("active", isHere);
      link.ariaCurrent = isHere ? "true" : null;
      if (isHere) keepInView(link);
    }
  };
  let pause;
  addEventListener("scroll", () => {
    clearTimeout(pause);
    pause = setTimeout(markSection, 100);  // after the theme
  });
}
