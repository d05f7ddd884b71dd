// The search page: reads every section of the book at each query and shows the pages that answer
// it, the best first, with the passage where the words stand. `bookIndex` comes from
// search-index-ko.js or search-index-en.js, `Stemmer` from Sphinx.
//
// What makes Korean findable:
// - 상태 also stands in 상태를 and 상태는 (particles follow) and in 무상태 (a prefix goes before),
//   but 인자 does not stand in 확인자: a word begins where Hangul begins, after a prefix, or after
//   another word of two syllables or more.
// - Compounds may be written with spaces or without: 손실 함수, 손실함수.
// English words are compared by their stems, names of code (opt_state, jax.jit) as they are.
// Neighbours in the query that stand together in any chapter are looked for together, other
// words one by one. A term of the glossary is found by its other names too (재컴파일), and the
// chapter that explains it comes first. Lessons come before pages to consult, but for a page that
// explains a term asked for or has a section that begins with it.
// A pasted error message is compared with what the cells of the book put out, three words at a time:
// what differs between readers (shapes, addresses, names, what is cut off) spoils few of them.

const PREFIXES = "무비재미불초새첫총각매역순준최다전후주부";
const PARTICLE = "은|는|이|가|을|를|의|에|에서|에게|로|으로|와|과|도|만|까지|부터|마다|보다|처럼|들|" +
  "나|이나|라는|이라는|인|입니다|이며|이고|이면|이다";
const ONLY_PARTICLES = new RegExp(`^(?:${PARTICLE})*$`);
const NO_VERB = /^(?!는|고|며|지|도록|기|다|나)/;  // 가리키는 is not 키 with a particle
const ENDING = new RegExp(
  "(?:하는|하기|하다|하고|하면|하며|하여|한다|합니다|되는|되기|되다|되고|되면|된다|됩니다|된|기|다|" +
  "에서|에게|으로|까지|부터|마다|처럼|이?란|[은는이가을를의에로와과도만])$");
const MOST_WORDS = 20;
const WORD_OF_QUERY = /[가-힣]+|(?:(?![가-힣])[\p{L}\p{N}_])+(?:\.(?:(?![가-힣])[\p{L}\p{N}_])+)*/gu;
const NAME_OF_ERROR = /(?:Error|Exception|Warning|NotFound)(?![A-Za-z])/;
const STOP_WORDS = new Set((
  "a an and are as at be by can do does for from how i in inside into is it my of on or so that " +
  "the their then there these they this to was what when where which who why will with within you " +
  "및 그리고 어떻게 왜 무엇 무슨 하는 법 방법 안에서 속에서 때"
).split(" "));

const sections = bookIndex.pages.flatMap(([address, isLesson, parts]) =>
  parts.map(([anchor, heading, prose, code, outputs], number) => ({
    address: number ? `${address}#${anchor}` : address,
    page: { address, isLesson, isOfSymptoms: /\/symptoms(-libraries|-silent)?\.html$/.test(address), title: parts[0][1] },
    isIntroduction: number === 0,
    isAside: /^(exercise|sources)/.test(anchor),
    heading, prose, code: `${code}\n${outputs}`, outputs,
  })));
const textOf = (some) => some.flatMap((s) => [s.heading, s.prose, s.code]).join("\n");
const wholeBook = textOf(sections);
const chapters = textOf(sections.filter((section) => section.page.isLesson));

const stemmer = new Stemmer();
const stemOf = (word) => stemmer.stemWord(word.toLowerCase());
const formsOfStem = new Map();  // "trace" -> {"traces", "Traced", "tracing"}
for (const [word] of wholeBook.matchAll(/[A-Za-z]+/g)) {
  // BatchNorm is found as a whole and by its parts.
  for (const form of [word, ...word.match(/[A-Z]{2,}s(?![a-z])|[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)]) {
    const stem = stemOf(form);
    if (!formsOfStem.has(stem)) formsOfStem.set(stem, new Set());
    formsOfStem.get(stem).add(form);
  }
}

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Whether a match of Hangul is a word of its own or a part of a compound. */
function isKoreanWord(text, start, end) {
  const [before] = text.slice(Math.max(0, start - 9), start).match(/[가-힣]*$/);
  const [after] = text.slice(end, end + 9).match(/^[가-힣]*/);
  const lastWord = text.slice(start, end).split(" ").at(-1);
  if (before.length === 1 && (end - start === 1 || !PREFIXES.includes(before))) return false;
  if (lastWord.length > 1) return true;
  return ONLY_PARTICLES.test(after) && (!before || NO_VERB.test(after));
}

const isWritten = (pattern) => new RegExp(pattern).test(wholeBook);

/** Take the particle or verb ending off a word of the query: 상태를 -> 상태, 나누기 -> 나누. */
function stemOfKorean(word) {
  const ending = word.match(ENDING)?.[0];
  const stem = word.slice(0, -ending?.length || undefined);
  if (!ending || stem.length < 2) return { stem: word };
  if (/[기는다]$/.test(ending) && isWritten(`${stem}(?:고|지(?!만))`)) return { stem, isVerb: true };
  // 정확도 and 기울기 only look as if they had an ending: they take particles themselves.
  return { stem: isWritten(`${word}(?:을|를|이|가|의)(?![가-힣])`) ? word : stem };
}

/** A term that finds neighbouring Korean words, written together or apart. */
function koreanTerm(words, isExact) {
  const stems = words.map((word) => (isExact ? { stem: word } : stemOfKorean(word)));
  const { stem: last, isVerb } = stems.at(-1);
  const others = stems.slice(0, -1).map(({ stem }) => stem);
  const syllables = [...others.join(""), ...last].map(escaped);
  const size = syllables.length;
  if (isVerb && (last.charCodeAt(last.length - 1) - 0xac00) % 28 === 0) {  // 나누: 나눈, 나눕니다
    const open = syllables[size - 1];
    syllables[size - 1] = `[${open}-${String.fromCharCode(open.charCodeAt(0) + 27)}]`;
  }
  const pattern = syllables.map((syllable, i) => {
    if (i === 0 || (size === 2 && words.length === 1)) return syllable;
    return (i > 1 ? `(?:(?:${PARTICLE})? )?` : " ?") + syllable;
  });
  return { pattern: new RegExp(pattern.join(""), "g"), accept: isKoreanWord };
}

/** A term that finds a name of code as it stands. */
function nameTerm(name) {
  const pattern = new RegExp(`(?<![A-Za-z0-9])${escaped(name)}(?![A-Za-z0-9])`, "gi");
  const [, shorter] = name.match(/^[^.]+\.(.+)/) ?? [];  // jax.numpy.where: jnp.where
  return shorter && wholeBook.search(pattern) < 0 ? nameTerm(shorter) : { pattern };
}

/** A term that finds neighbouring English words in all their forms: batch norm, BatchNorm. */
function englishTerm(words) {
  const forms = words.map((word) => [...formsOfStem.get(stemOf(word)) ?? []]);
  if (words.length === 1 && !forms[0].length) {  // the beginning of a word, as it is typed
    const all = [...formsOfStem.values()].flatMap((some) => [...some]);
    forms[0] = all.filter((form) => form.toLowerCase().startsWith(words[0]));
  }
  if (forms.some((some) => !some.length)) return { pattern: /(?!)/g };
  const between = "(?:(?:['’]s)?[ ,()]{1,2}|[_-]|(?=[A-Z]))";
  const phrase = forms.map((some) => `(?:${some.join("|")})`).join(between);
  const start = "(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))";
  return { pattern: new RegExp(`${start}${phrase}(?![a-z])`, "g") };
}

const termOfKind = { korean: koreanTerm, english: englishTerm, name: ([name]) => nameTerm(name) };

function kindOf(word) {
  if (/[가-힣]/.test(word)) return "korean";
  return /^[a-z]+$/.test(word) ? "english" : "name";
}

const isOfMessage = ([way]) => Boolean(way.places);

/** The places of a term in a text, as [start, end]. */
function placesOf(term, text) {
  return term.flatMap(({ pattern, accept, places }) => places ? places(text) :
    [...text.matchAll(pattern)]
      .map((match) => [match.index, match.index + match[0].length])
      .filter(([start, end]) => !accept || accept(text, start, end)));
}

/** Words as names of terms are compared: without spaces and endings. */
function keyOf(words) {
  const kind = kindOf(words[0]);
  if (kind === "english") return words.map(stemOf).join("");
  if (kind !== "korean") return words.join(" ");
  return words.slice(0, -1).join("") + stemOfKorean(words.at(-1)).stem;
}

const wordsOf = (text) => [...text.matchAll(WORD_OF_QUERY)].map(([word]) => word);

const namedTerms = new Map();  // a name of terms in the glossary -> [{ way, chapter }]
for (const [name, term, chapter] of bookIndex.names) {
  const key = keyOf(wordsOf(name));
  if (!namedTerms.has(key)) namedTerms.set(key, []);
  namedTerms.get(key).push({ way: wordsOf(term), chapter });
}
const termsNamed = (words) => namedTerms.get(keyOf(words)) ?? [];

/**
 * A term: the words themselves and what the book says for them (인수 for 인자), each a way, with the
 * chapters that explain it. What the book says has no ending to be taken off: 비동기 디스패치.
 */
function termOf(words) {
  const named = termsNamed(words);
  const isTerm = named.some(({ way }) => way.join(" ") === words.join(" "));
  const ways = named.map(({ way }) => termOfKind[kindOf(way[0])](way, true));
  if (!isTerm) ways.unshift(termOfKind[kindOf(words[0])](words));
  const different = new Map(ways.map((way) => [way.pattern.source, way]));
  return Object.assign([...different.values()], { chapters: named.map(({ chapter }) => chapter) });
}

/** Whether a chapter writes words as neighbours; count_traces is a name and no neighbourhood. */
function standTogether(words) {
  return placesOf(termOf(words), chapters).some(([start, end]) =>
    kindOf(words[0]) === "korean" || /[ -]/.test(chapters.slice(start, end)));
}

/** Divide a query into terms that a section must hold. The end of a long text says most. */
function termsOf(query) {
  const words = [...query.normalize("NFC").toLowerCase().matchAll(WORD_OF_QUERY)]
    .filter(({ 0: word, index, input: asked }) =>  // jit을: a particle after a name is no word
      !(ONLY_PARTICLES.test(word) && /[\p{L}\p{N}_]$/u.test(asked.slice(0, index))))
    .map(([word]) => word).slice(-MOST_WORDS);
  const onlyStops = words.every((word) => STOP_WORDS.has(word));
  const tells = (word) => onlyStops || !STOP_WORDS.has(word);
  const terms = [];
  while (words.length) {
    const kind = kindOf(words[0]);
    const others = words.findIndex((word, i) => i && (kind === "name" || kindOf(word) !== kind));
    let size = others < 0 ? words.length : others;
    const isPhrase = (some) => tells(some[0]) && tells(some.at(-1)) &&
      (termsNamed(some).length || standTogether(some));
    while (size > 1 && !isPhrase(words.slice(0, size))) size -= 1;
    const term = words.splice(0, size);
    if (term.some(tells)) terms.push(termOf(term));
  }
  return terms;
}

/** What a term weighs in a section: in the title of its page, and in its heading, prose and code. */
function weightsOf(term, { page, heading, prose, code }) {
  const [inTitle, inHeading, inProse, inCode] =
    [page.title, heading, prose, code].map((text) => placesOf(term, text).length);
  const own = 6 * Math.min(inHeading, 1) + 2 * Math.log2(1 + inProse) + 0.5 * Math.log2(1 + inCode);
  return { title: 12 * Math.min(inTitle, 1), own };
}

/** How well each section answers: how many terms it holds, and a score in which rare ones lead. */
function judge(terms) {
  const weights = terms.map((term) => sections.map((section) => weightsOf(term, section)));
  const isHeld = ({ title, own }) => title + own > 0;
  const shares = weights.map((each) => 1 / Math.log2(2 + each.filter(isHeld).length));
  const rarities = shares.map((share) => share / Math.max(...shares));
  return sections.map((section, i) => {
    const here = weights.map((each) => each[i]);
    const isAnswer = section.isIntroduction || here.some(({ own }) => own);
    const score = here.reduce((sum, { title, own }, t) => sum + rarities[t] * (title + own), 0);
    return {
      section,
      held: isAnswer ? here.filter(isHeld).length : 0,
      score: section.isAside ? score / 2 : score,
    };
  });
}

/** Hits by page, those of a page best first. */
function byPage(hits) {
  const pages = new Map();
  for (const hit of [...hits].sort((a, b) => b.score - a.score)) {
    const { page } = hit.section;
    if (!pages.has(page.address)) pages.set(page.address, { ...page, score: hit.score, hits: [] });
    pages.get(page.address).hits.push(hit);
  }
  return [...pages.values()];
}

/** Each three neighbouring words of a text, those with digits left out, and their place. */
function triplesOf(text) {
  const words = [...text.matchAll(WORD_OF_QUERY)].filter(([word]) => !/\d/.test(word));
  const names = words.map(([word]) => word.split(".").at(-1).toLowerCase());
  return words.slice(2).map(({ 0: last, index }, i) =>
    ({ triple: names.slice(i, i + 3).join(" "), start: words[i].index, end: index + last.length }));
}

const setOfTriples = (text) => new Set(triplesOf(text).map(({ triple }) => triple));

let tripled;  // for each section: the triples of its outputs and of all its texts

/**
 * The pages that show an error message, or a part of it, those with most of it first, rare triples
 * count more; what is as common as tracebacks says nothing. The pages of symptoms come before all.
 * Nothing, where the best answer to a query does not stand in outputs: then it is no message.
 */
function searchMessage(query) {
  const asked = setOfTriples(query.normalize("NFC"));
  if (!asked.size) return null;
  tripled ??= sections.map((section) =>
    ({ section, shown: setOfTriples(section.outputs), written: setOfTriples(textOf([section])) }));
  const tracebacks = tripled.filter(({ shown }) => shown.has("most recent call")).length;
  const rarities = new Map();
  for (const triple of asked) {
    const number = tripled.filter(({ written }) => written.has(triple)).length;
    if (number && number < tracebacks) rarities.set(triple, Math.log2(tracebacks / number));
  }
  const share = (triples) =>
    sum([...rarities].map(([triple, rarity]) => triples.has(triple) * rarity));
  const hits = tripled.map(({ section, shown, written }) =>
    ({ section, shown: share(shown), score: share(shown) + share(written) }));
  const best = hits.reduce((one, other) => (other.score > one.score ? other : one));
  if (!best.shown) return null;
  const pages = byPage(hits.filter(({ score }) => score >= best.score / 2))
    .sort((a, b) => b.isOfSymptoms - a.isOfSymptoms || b.score - a.score);
  const places = (text) => {
    const found = [];
    const isMarked = ({ triple, start, end }) =>  // line by line: the message apart from the frames
      rarities.has(triple) && !text.slice(start, end).includes("\n");
    for (const { start, end } of triplesOf(text).filter(isMarked)) {
      if (found.length && start <= found.at(-1)[1]) found.at(-1)[1] = end;
      else found.push([start, end]);
    }
    return found;
  };
  return { terms: [[{ places }]], pages, isWhole: true };
}

/**
 * The pages that answer a query, best first, each with its sections, best first. Where no section
 * holds all terms, those that hold most of them are an answer in part.
 */
function search(query) {
  const asMessage = searchMessage(query);
  if (asMessage) return asMessage;
  const terms = termsOf(query);
  const judged = judge(terms);
  const most = Math.max(...judged.map(({ held }) => held));
  const isAnswer = ({ held }) => most && held === most && 2 * most >= terms.length;
  const pages = byPage(judged.filter(isAnswer));
  for (const page of pages) {
    const explained = terms.filter(({ chapters }) =>
      chapters.some((chapter) => page.address.endsWith(`/${chapter}.html`)));
    page.explains = explained.length > 0;
    page.score += 2 * Math.log2(page.hits.length) + 12 * explained.length;
  }
  const words = wordsOf(query.normalize("NFC").toLowerCase());
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  const isHeading = ({ section: { heading } }) => words.length > 2 && telling.length > 1 &&
    telling.every((word) => placesOf(termOf([word]), heading).length);
  const asksForSymptom = ({ isOfSymptoms, hits }) =>
    isOfSymptoms && (NAME_OF_ERROR.test(query) || hits.some(isHeading));
  const isBegun = ({ section: { heading } }) =>  // torch.compile: jax.jit
    terms.some((term) => placesOf(term, heading).some(([start]) => start === 0));
  const answersAsLesson = ({ isLesson, explains, hits }) =>
    isLesson || explains || hits.some(isBegun);
  const rank = (page) => (asksForSymptom(page) ? 2 : Number(answersAsLesson(page)));
  pages.sort((a, b) => rank(b) - rank(a) || b.score - a.score);
  return { terms, pages, isWhole: most === terms.length };
}

/** A text with the places of the terms marked. */
function marked(text, terms) {
  const places = terms.flatMap((term) => placesOf(term, text)).sort((a, b) => a[0] - b[0]);
  const nodes = [];
  let done = 0;
  for (const [start, end] of places) {
    if (start < done) continue;
    const mark = document.createElement("mark");
    mark.textContent = text.slice(start, end);
    nodes.push(text.slice(done, start), mark);
    done = end;
  }
  return [...nodes, text.slice(done)];
}

/** The passage that holds most terms, or most of a message, from the start of its line or a word. */
function passage(text, terms, length) {
  const places = terms.map((term) => placesOf(term, text));
  const isMessage = terms.some(isOfMessage);
  const marksFrom = (start) => {
    const here = places.map((each) =>
      each.filter(([at]) => at >= start && at < start + length - 60));
    return isMessage ? sum(here.flat().map(([at, end]) => end - at))
      : here.filter((each) => each.length).length;
  };
  let first = 0;
  for (const [at] of places.flat().sort((a, b) => a[0] - b[0])) {
    if (!marksFrom(first) || marksFrom(at) > marksFrom(first)) first = at;
  }
  const line = text.lastIndexOf("\n", first) + 1;
  const start = first - line <= 50 ? line : text.lastIndexOf(" ", first - 40) + 1;
  let end = text.indexOf(" ", start + length);
  if (end < 0 || end > start + length + 30) end = start + length;
  return (start ? "… " : "") + text.slice(start, end) + (end < text.length ? " …" : "");
}

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

function link(address, ...children) {
  const made = element("a", ...children);
  made.href = address;
  return made;
}

/** The passage that shows why a section was found: a message from its code, else from its prose. */
function passageOf(section, terms) {
  const isIn = (text) => terms.some((term) => placesOf(term, text).length);
  const inCode = isIn(section.code) && (terms.some(isOfMessage) || !isIn(section.prose));
  const text = inCode ? section.code : section.prose;
  const shown = element("p", ...marked(passage(text, terms, inCode ? 100 : 140), terms));
  if (inCode) shown.className = "code";
  return shown;
}

function resultOf({ address, title, hits }, terms) {
  const list = document.createElement("ul");
  const result = element("li", element("h2", link(address, ...marked(title, terms))));
  for (const { section } of hits.slice(0, 3)) {
    const text = passageOf(section, terms);
    if (section.isIntroduction) list.prepend(element("li", text));  // below the title of the page
    else list.append(element("li", link(section.address, ...marked(section.heading, terms)), text));
  }
  result.append(list);
  return result;
}

const statusLine = document.querySelector("#search-status");
const input = document.querySelector(".bd-search-container input");

/** Answer a query on the page. */
function show(query) {
  const { terms, pages, isWhole } = search(query);
  document.querySelector("#found-pages").replaceChildren(
    ...pages.map((page) => resultOf(page, terms)));
  const { found, partly, none } = statusLine.dataset;
  const said = pages.length ? (isWhole ? found : partly) : none;
  statusLine.textContent =
    query.trim() && said.replace("{count}", pages.length).replace("{query}", () => query.trim());
  const address = new URL(location);
  address.search = query && new URLSearchParams({ q: query });
  history.replaceState(null, "", address);
  for (const other of document.querySelectorAll("a.language-switch")) {
    other.search = address.search;
  }
}

input.value = new URLSearchParams(location.search).get("q") ?? "";
if (input.value) show(input.value);
input.focus();

let waiting;
input.addEventListener("input", () => {
  clearTimeout(waiting);
  // The last syllable of Hangul may still be half typed: ㅅ, 사, 상.
  waiting = setTimeout(() => show(input.value.replace(/[ㄱ-ㅣ]+$/, "")), 200);
});
