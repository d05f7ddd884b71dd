// Remembers in this browser, for both languages at once, where the reader left off, what was read,
// which choices of cards stand open and what was answered in figures. Nothing leaves the browser.
// Without storage, and without this script, there is nothing to remember. Kept as JSON:
//
// { v: 1,
//   left: { chapter, section, language, title, at },  at what place, as placeRead says it
//   seen: { chapter: [section] },           what was on the screen, of chapters not yet read
//   read: [chapter],                        all their sections were on the screen
//   open: { chapter: {
//     card: [place],                        which choices stand open; the last place is the answer
//     figure: [label] } } }                 the steps whose question was answered

(() => {
const KEY = "state-in-jax";
const ALL_KEYS = [KEY, "language", "lines", "mode", "programs", "theme"];  // with those of buttons, boxes and the theme
if (!(localStorage instanceof Storage)) return;  // theme-first.js put something else there

const { lang } = document.documentElement;
const nameIn = (path) => path.split("/").pop().replace(/\.html$/, "");
const here = nameIn(location.pathname);
const isChapter = (name) => /^(?!00)\d\d-[\w-]+$/.test(name);

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

const isObject = (value) => value?.constructor === Object;
const areLists = (values) => Object.values(values).every(Array.isArray);

/** What was kept, unless something else stands in its place. */
function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    const { v, left, seen, read, open } = kept;
    if (v === 1 && (left === null || isChapter(left.chapter)) && Array.isArray(read) &&
      isObject(seen) && areLists(seen) && isObject(open) &&
      Object.values(open).every((cards) => isObject(cards) && areLists(cards))) return kept;
  } catch {
    // No JSON, or not this one.
  }
  return { v: 1, left: null, seen: {}, read: [], open: {} };
}

/** Change what is kept now: another tab may have added to it. */
function remember(change) {
  const all = remembered();
  change(all);
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // It is full.
  }
}

/** Note where the reader is and which sections have been on the screen. */
function follow() {
  const sections = [...document.querySelectorAll("article section section[id]")];
  const titleOf = (section) => {
    const title = section.querySelector("h1, h2, h3").cloneNode(true);
    title.querySelector(".headerlink")?.remove();
    return title.textContent;
  };
  const note = (entries) => remember((all) => {
    const section = sectionBeingRead();  // of language-switch.js
    const titles = [document.querySelector("article > section"), section].filter(Boolean).map(titleOf);
    const title = titles.join(" \u00b7 ");
    all.left = { chapter: here, section: section?.id ?? "", language: lang, title, at: placeRead() };
    if (all.read.includes(here)) return;
    const seen = new Set(all.seen[here]);
    for (const { target, isIntersecting } of entries) if (isIntersecting) seen.add(target.id);
    all.seen[here] = [...seen];
    if (sections.every(({ id }) => seen.has(id))) {
      delete all.seen[here];
      all.read.push(here);
      mark(all.read);
    }
  });
  const watch = new IntersectionObserver(note);
  for (const section of sections) watch.observe(section);
  document.addEventListener("visibilitychange", () => document.hidden && note([]));
}

/** Open the choices that stood open, and note which do. Cards are known by what can be chosen. */
function keepAnswers() {
  for (const card of document.querySelectorAll(".predict:not(.question)")) {
    const folds = [...card.querySelectorAll("details"), card.nextElementSibling.nextElementSibling];
    const values = [...card.querySelectorAll("summary")].map((each) => each.querySelector("code").textContent);
    const name = values.join(" | ");
    for (const place of remembered().open[here]?.[name] ?? []) if (folds[place]) folds[place].open = true;
    const note = () => remember(({ open }) => {
      open[here] ??= {};
      open[here][name] = [...folds.keys()].filter((place) => folds[place].open);
    });
    for (const fold of folds) fold.addEventListener("toggle", note);
  }
}

/** Ask in figures what was not answered yet, and note what is; the figure may be built before or after. */
function keepAnswersOfFigures() {
  for (const figure of document.querySelectorAll("recorded-figure")) {
    const name = figure.classList[0];
    figure.answered ??= new Set();
    for (const label of remembered().open[here]?.[name] ?? []) figure.answered.add(label);
    figure.addEventListener("answered", () => remember(({ open }) => {
      open[here] ??= {};
      open[here][name] = [...figure.answered];
    }));
  }
}

const links = [...document.querySelectorAll(".bd-docs-nav a")];

/** Mark the chapters that were read in the list of chapters. */
function mark(read) {
  for (const link of links) {
    if (!read.includes(nameIn(link.pathname)) || link.querySelector(".read")) continue;
    link.append(make("span", { className: "read" }, make("span", { ariaHidden: "true" }, " \u2713"),
      make("span", { className: "visually-hidden" }, ` ${WORDS[lang].reading_progress.read}`)));
  }
}

/** A way on to the paragraph where the reader left off; its section is named where it was read in
 *  this language. */
function wayOn(left, language, address) {
  const say = WORDS[language].reading_progress;
  const title = left.language === language ? left.title : say.chapter.replace("{n}", parseInt(left.chapter));
  const link = make("a", { href: `${address}#${left.section}` }, title);
  link.onclick = link.onauxclick = () => leadTo(left.at, link);  // of language-switch.js
  return make("p", { className: "way-on" }, `${say.continue} `, link);
}

/** Say what is remembered, with a button that forgets it once the reader has confirmed. */
function offerToForget() {
  const say = WORDS[lang].reading_progress;
  const place = make("p", { className: "forget", ariaLive: "polite" });
  const button = (text, onclick) => make("button", { type: "button", onclick }, text);
  const forget = button(say.forget, () => {
    place.replaceChildren(`${say.really} `, sure, " ", keep);
    keep.focus();
  });
  const sure = button(say.sure, () => {
    for (const key of ALL_KEYS) localStorage.removeItem(key);
    for (const trace of document.querySelectorAll(".way-on, .read")) trace.remove();
    place.textContent = say.forgotten;
    place.tabIndex = -1;
    place.focus();
  });
  const start = () => place.replaceChildren(`${say.remembers} `, forget);
  const keep = button(say.keep, () => {
    start();
    forget.focus();
  });
  start();
  document.querySelector("article").append(place);
}

const { left, read } = remembered();
mark(read);
keepAnswers();
keepAnswersOfFigures();
if (isChapter(here)) {
  follow();
} else if (here === "cover") {
  const there = links.find((link) => left && nameIn(link.pathname) === left.chapter);
  // Above the first section: higher up, all of the page would jump as it loads.
  if (there) document.querySelector("article section section").before(wayOn(left, lang, there.href));
  offerToForget();
}
for (const door of left ? document.querySelectorAll(".door") : []) {
  const start = door.querySelector("a");
  start.parentElement.after(wayOn(left, door.lang, start.href.replace("cover", left.chapter)));
}
})();
