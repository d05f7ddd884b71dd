// The language switch keeps the reader's place: it leads to the section that is being read, and in it
// to the same place between two cells, cards or pictures, of which both languages have the same ones; in
// the glossary, whose order differs, to the same term.
// Without this script the switch leads to the top of the same page. Whoever goes through the switch or a door has chosen a language, and
// choose-language.js will send them there.

function sectionBeingRead() {
  const sections = [...document.querySelectorAll("article section section[id]")];
  const top = (section) => section.getBoundingClientRect().top;
  const asked = sections.find((section) => "#" + section.id === location.hash);
  if (asked && top(asked) >= 0 && top(asked) < innerHeight) return asked;
  return sections.findLast((section) => top(section) < innerHeight / 3);
}

const LINE = 100;  // below the window's edge: there the reader reads, as far as a page can know
const HEADER = 50;  // so much of the window lies behind the page's header

/** The first term that begins in the top third, else the last one before, of a list that each language has
 *  in its own order. */
function termBeingRead() {
  const terms = [...document.querySelectorAll("article dt[id]")];
  const top = (term) => term.getBoundingClientRect().top;
  return terms.find((term) => top(term) >= HEADER && top(term) < innerHeight / 3) ??
    terms.findLast((term) => top(term) < HEADER);
}

/** What both languages have, as far as it is seen: its place among all, and where it stands. */
function landmarks() {
  const all = [...document.querySelectorAll(
    "article :is(h1, h2, h3, h4, .cell, .predict, figure.picture, recorded-figure, .state-map-cell)")];
  return all.map((each, place) => ({ place, of: all.length, box: each.getBoundingClientRect() }))
    .filter(({ box }) => box.height);
}

/** Where the reader is: behind which landmark, and how far on the way to the next one. */
function placeRead() {
  const seen = landmarks();
  const last = seen.findLastIndex(({ box }) => box.top <= LINE);
  if (last < 0) return null;
  const [{ place, of, box }, next] = [seen[last], seen[last + 1] ?? seen[last]];
  return { place, of, share: (LINE - box.top) / (next.box.top - box.top || 1) };
}

/** Bring the reader there, and again while the browser, fonts or figures move the page, unless the
 *  reader moves it. */
function bringTo(place) {
  goTo(place);
  const watch = new ResizeObserver(() => goTo(place));
  watch.observe(document.querySelector("article"));
  const stop = () => watch.disconnect();
  setTimeout(stop, 2000);
  for (const moved of ["wheel", "touchstart", "keydown", "mousedown"])
    addEventListener(moved, stop, { once: true, passive: true });
}

function goTo({ place, of, share }) {
  const seen = landmarks(), at = seen.findIndex((each) => each.place === place && each.of === of);
  if (at < 0) return;
  const { top } = seen[at].box, next = seen[at + 1]?.box.top ?? top;
  scrollBy({ top: top + share * (next - top) - LINE, behavior: "instant" });
}

const PLACE = "place";
/** Let a link that is pressed lead to a place of its page, not to the top of a section. */
function leadTo(place, link) {
  if (place) localStorage.setItem(PLACE, JSON.stringify({ page: link.pathname, ...place }));
}
addEventListener("load", () => {
  const place = JSON.parse(localStorage.getItem(PLACE));
  localStorage.removeItem(PLACE);
  if (place?.page === location.pathname) bringTo(place);
});

for (const press of ["click", "auxclick"]) {
  document.addEventListener(press, (event) => {
    const link = event.target.closest("a.language-switch, .door a");
    if (!link) return;
    if (link.matches(".language-switch")) {
      const term = scrollY && termBeingRead();
      link.hash = (term || sectionBeingRead())?.id ?? "";
      leadTo(scrollY && !term && placeRead(), link);
    }
    localStorage.setItem("language", link.closest("[lang]").lang);
  }, { capture: true });
}
