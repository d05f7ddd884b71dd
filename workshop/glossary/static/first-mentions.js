// Show what a term means on hover, focus and tap, in a popover, which the browser closes on a press
// elsewhere. It stays while the pointer or the focus is on it. Without this script the terms are links
// to the glossary.

const { entry } = WORDS[document.documentElement.lang].glossary;  // what the link to it says
const PAUSE = 250;  // ms before the pointer opens or closes it
const MARGIN = 8;  // px to the edges of the window
const meaning = document.createElement("div");
meaning.className = "term-meaning";
meaning.popover = "auto";
const said = Object.assign(document.createElement("p"), { id: "term-meaning" });
const more = Object.assign(document.createElement("a"), { textContent: entry });
meaning.append(said, more);
let asked = null;  // the link whose meaning is shown, or was last
let timer;

const isShown = (link) => link === asked && meaning.matches(":popover-open");

function show(link) {
  clearTimeout(timer);
  if (isShown(link)) return;
  const template = link.nextElementSibling;
  said.replaceChildren(template.content.cloneNode(true));
  more.href = link.href;
  template.after(meaning);  // the next press of Tab leads into it
  asked?.removeAttribute("aria-describedby");
  link.setAttribute("aria-describedby", "term-meaning");
  asked = link;
  meaning.showPopover();
  const word = [...link.getClientRects()].at(-1);
  const { width, height } = meaning.getBoundingClientRect();
  const left = Math.max(MARGIN, Math.min(word.left, document.body.clientWidth - width - MARGIN));
  const isAbove = word.bottom + height > innerHeight && word.top > height;
  meaning.style.left = `${left + scrollX}px`;
  meaning.style.top = `${(isAbove ? word.top - height : word.bottom) + scrollY}px`;
}

function soon(change) {
  clearTimeout(timer);
  timer = setTimeout(change, PAUSE);
}

function leave({ pointerType }) {
  if (pointerType !== "mouse") return;  // a finger leaves wherever it is lifted
  soon(() => {
    if (![asked, meaning].some((each) => each?.matches(":focus-within"))) meaning.hidePopover();
  });
}

function hideAfterFocus({ relatedTarget }) {
  const stays = relatedTarget === asked || meaning.contains(relatedTarget) || meaning.matches(":hover");
  if (!stays) meaning.hidePopover();
}

for (const link of document.querySelectorAll("a.term")) {
  let isTap, wasShown;
  link.addEventListener("pointerenter", (event) => {
    if (event.pointerType === "mouse") soon(() => show(link));
  });
  link.addEventListener("pointerleave", leave);
  link.addEventListener("focus", ({ relatedTarget }) => {
    const comesBack = link === asked && meaning.contains(relatedTarget);
    if (link.matches(":focus-visible") && !comesBack) show(link);
  });
  link.addEventListener("blur", hideAfterFocus);
  link.addEventListener("pointerdown", (event) => {
    isTap = event.pointerType !== "mouse";
    wasShown = isShown(link);  // a press beside a popover closes it before the click arrives
  });
  link.addEventListener("click", (event) => {
    if (!isTap) return;
    isTap = false;
    if (wasShown) meaning.hidePopover();
    else show(link);
    event.preventDefault();
  });
}
meaning.addEventListener("pointerenter", () => clearTimeout(timer));
meaning.addEventListener("pointerleave", leave);
meaning.addEventListener("focusout", hideAfterFocus);
document.addEventListener("keydown", ({ key }) => {  // the theme keeps Escape from the browser
  if (key === "Escape") meaning.hidePopover();
});
