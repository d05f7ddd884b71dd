// The search page: a question, a few words or a pasted message leads to the sections that answer.
// `bookIndex` comes from search-index-ko.js or search-index-en.js, `Stemmer` from Sphinx,
// `MiniSearch`, which ranks, from npm.
//
// A section is found by its text and by the questions that readers ask of it, of which the best
// one counts; it need not hold all words of the query. What a word is:
// - English words are compared by their stems, names of code (opt_state, jax.jit) as a whole and by
//   their parts: BatchNorm is found by batch norm.
// - Korean words are compared without particles and endings, and 손실함수 as 손실 and 함수, since
//   both are words of the book. A word that looks like none is found by how it begins.
// - A term of the glossary is found by its other names (재컴파일), and the chapter that explains it
//   comes first, its meaning beside it. What readers say in many ways (똑같아요, 같은 값이 나와요) is one word: synonyms.yml.
// A pasted error message is compared with what the cells of the book put out, three words at a time:
// what differs between readers (shapes, addresses, names, what is cut off) spoils few of them.

const MOST_WORDS = 40;
const MOST_PLACES = 200;
const SHOWN = 10;
const WORD = /[가-힣]+|(?:(?![가-힣])[\p{L}\p{N}_])+(?:\.(?:(?![가-힣])[\p{L}\p{N}_])+)*/gu;
const PART_OF_NAME = /[A-Z]{2,}s(?![a-z])|[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d{3,}/g;
const NAME_OF_ERROR = /\w*(?:Error|Exception|Warning|NotFound)(?![A-Za-z])/g;
const CODE_OF_ERROR = /(?<!\w)[A-Z]+_[A-Z_]+(?=:)/g;  // of XLA, where the class says little: RESOURCE_EXHAUSTED
// What Python itself says tells little of what went wrong; the names in it do: no attribute 'mu'.
const CLASS_OF_PYTHON = /^(?:(?:Attribute|Import|Index|Key|ModuleNotFound|Name|NotImplemented|Runtime|Type|Value)Error|(?:User|Runtime|Future|Deprecation)?Warning|Exception)$/;
const PHRASE_OF_PYTHON = /\bobject has no attribute\b/g;
const NAME_OF_ATTRIBUTE = /(?<=\bhas no attribute )['"]\w+/;
const TRIPLE_OF_PYTHON = /^attributeerror \S+ object$|\bobject has\b|\bhas no attribute\b/;
const STOP_WORDS = new Set((
  "a an and any are as at be because been but by can could did do does doing don for from get gets got had has have " +
  "having how i if in inside into is it its just like ll m me my of on or our out re s should so some " +
  "still t than that the their them then there these they this those to too under ve very want wants was way we were " +
  "what when where which while who whose why will with within work works would you your need trying try " +
  "및 그리고 그런데 어떻게 왜 무엇 무슨 뭐 뭔가 어떤 어디 언제 누가 제 저 내 나 이 그 저는 제가 것 거 걸 게 때 수 하는 하기 하려면 하면 하나 있 없 " +
  "이에요 예요 법 방법 안 속 좀 더 해 하 되 돼 됩 되나 됐 돼요 해요 같 그냥 그럼 근데 경우 대해 위해 통해 이유 까닭 싶 알 보 계속 자꾸"
).split(" "));

// ----- words

const stemmer = new Stemmer();
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);
const normal = (text) => text.normalize("NFC");

const ENDING = new RegExp("(?:" + (
  // particles
  "에서는|에서도|에서의|에게서|으로는|으로도|으로써|로는|로도|에서|에게|한테|까지|부터|마다|처럼|보다|이라는|라는|이란|이라|이랑|랑|이나|조차|밖에|" +
  "이면|이며|이고|이니|이라도|에는|에도|과의|와의|들은|들을|들이|들의|들|은|는|이|가|을|를|의|에|로|와|과|도|만|란|요|" +
  // endings of verbs and adjectives
  "습니다|습니까|입니다|입니까|합니다|니다|니까|는데요|은데요|ㄴ데요|는데|은데|인데|던데|데요|나요|까요|을까|을까요|지요|죠|네요|군요|거든요|더라고요|더라|더니|" +
  "었더니|았더니|으려면|려면|으려고|려고|려는|으면서|면서|으면|면|도록|다가|다는|자마자|자|고|며|기|게|지|는지|은지|을지|던|을|음|다|인지|인가|인|이다|이에요|예요|이야|야|" +
  "어서|아서|여서|어도|아도|여도|어요|아요|여요|어야|아야|어지|아지|었|았|였|겠|서|어|아"
).split("|").sort((a, b) => b.length - a.length).join("|") + ")$");
const OPENED = { ㅕ: "ㅣ", ㅘ: "ㅗ", ㅝ: "ㅜ", ㅙ: "ㅚ" };  // 느려 is 느리, 나와 is 나오
const VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ";
const CLOSING = new Set([4, 8, 16, 17, 20]);  // ㄴ ㄹ ㅁ ㅂ ㅆ: 바뀐, 바뀔, 바뀜, 바뀝, 바꿨

/** A syllable as it stands before an ending that begins with a consonant: 뀐 is 뀌, 져 is 지. */
function opened(syllable) {
  const code = syllable.charCodeAt(0) - 0xac00;
  const end = CLOSING.has(code % 28) ? 0 : code % 28;
  let vowel = Math.floor(code / 28) % 21;
  if (!end) vowel = VOWELS.indexOf(OPENED[VOWELS[vowel]] ?? VOWELS[vowel]);
  return String.fromCharCode(0xac00 + (Math.floor(code / 588) * 21 + vowel) * 28 + end);
}

const AFTER_CONSONANT = "은을이과";
const AFTER_VOWEL = "는를가와";
const isClosed = (syllable) => (syllable.charCodeAt(0) - 0xac00) % 28 > 0;

/** Whether what stands before an ending may take it: 값이, but not 차이; 키를, but not 바를. */
function takes(stem, ending, isFirst) {
  if (AFTER_CONSONANT.includes(ending)) return isFirst && isClosed(stem.at(-1));
  if (AFTER_VOWEL.includes(ending)) return isFirst && !isClosed(stem.at(-1));
  return stem.length > 1 || ending.length > 1 || "의에로도만".includes(ending);
}

/** A Korean word without particles and endings: 상태를 is 상태, 바뀝니다 and 바뀌어요 are 바뀌. */
function stemOfKorean(word) {
  let stem = word;
  for (let ending; (ending = stem.match(ENDING)?.[0]);) {
    const before = stem.slice(0, -ending.length);
    if (!before || !takes(before, ending, stem === word || ending.length > 1)) break;
    stem = before;
  }
  if (stem.length < 2) return stem;
  stem = stem.slice(0, -1) + opened(stem.at(-1));  // 바뀝 is 바뀌
  const noun = stem.replace(/(?<=..)(?:하|해|되|시키)$/, "");
  return noun.slice(0, -1) + opened(noun.at(-1));
}

const frequent = new Map();  // stems of Korean words of the book, and how often they stand there

const isOfBook = (stem) => (frequent.get(stem) ?? 0) > 2;

/** The words of the book that a compound consists of: 손실함수 is 손실 and 함수. */
function partsOfKorean(stem) {
  for (let at = stem.length - 1; at >= 2; at -= 1) {
    const first = stem.slice(0, at - 1) + opened(stem[at - 1]);
    const rest = stem.slice(at);
    if (!isOfBook(first)) continue;
    if (rest.length > 1 ? isOfBook(rest) : /(?<!가리)[키값]$/.test(stem)) return [first, rest];
    const others = rest.length > 3 ? partsOfKorean(rest) : [];
    if (others.length) return [first, ...others];
  }
  return [];
}

/** What a word is compared by, each with its place in it; a name has several. */
function tokensOf(word) {
  const found = [];
  const add = (token, start, end) => found.push({ token, start, end });
  if (/[가-힣]/.test(word)) {
    const stem = stemOfKorean(word);
    add(stem, 0, Math.min(stem.length, word.length));
    for (const part of stem.length > 2 ? partsOfKorean(stem) : []) {
      const at = Math.max(0, word.indexOf(part));
      add(part, at, at + part.length);
    }
  } else {
    if (word.includes(".")) add(word.toLowerCase(), 0, word.length);
    for (const { 0: piece, index } of word.matchAll(/[^.]+/g)) {
      const parts = [...piece.matchAll(PART_OF_NAME)];
      const whole = piece.toLowerCase();
      if (parts[0]?.[0] !== piece) {
        add(/^[a-z]+$/.test(whole) ? stemmer.stemWord(whole) : whole, index, index + piece.length);
      }
      for (const { 0: part, index: at } of parts) {
        if (piece !== word && STOP_WORDS.has(part)) continue;
        add(stemmer.stemWord(part.toLowerCase()), index + at, index + at + part.length);
      }
    }
  }
  return found.filter(({ token }) => !STOP_WORDS.has(token) && !/^\d{1,2}$/.test(token));
}

const tokensOfWord = new Map();  // to look at each word of the book once

/** The words of a text, each with its place: `{ token, start, end }`. */
function wordsOf(text) {
  const found = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!tokensOfWord.has(word)) tokensOfWord.set(word, tokensOf(word));
    for (const { token, start, end } of tokensOfWord.get(word)) {
      found.push({ token, start: index + start, end: index + end });
    }
  }
  return found;
}

const synonyms = Object.entries(bookIndex.synonyms)
  .map(([name, said]) => [`#${name}`, new RegExp(said.map((one) => /[가-힣]/.test(one) ? `(?<![가-힣])(?:${one})` : one).join("|"), "gi")]);

const terms = new Map();  // a name of a term, without spaces, in lower case -> { token, chapters }
for (const [name, term, chapter] of bookIndex.names) {
  const key = name.replace(/[\s-]/g, "");
  if (!terms.has(key)) terms.set(key, []);
  terms.get(key).push({ token: `##${term}`, chapter });
}
const NAMED = new RegExp([...new Set(bookIndex.names.map(([name]) => name))]
  .filter((name) => /[가-힣]|../.test(name) && !STOP_WORDS.has(name))
  .sort((a, b) => b.length - a.length)
  .map((name) => {
    const spaced = name.split(/[\s-]+/).map((part) => /[가-힣]/.test(part) ? part : escaped(part)).join("[\\s-]?");
    const alone = name.length === 1 ? "(?=[을를이가은는의에와과도]?(?![가-힣]))" : "";
    return /[가-힣]/.test(name[0]) ? `(?<![가-힣])${spaced}${alone}` : `(?<![A-Za-z_.])${spaced}(?:e?s)?(?![A-Za-z_])`;
  }).join("|"), "gi");

/** The names of terms in a text. */
function termsIn(text) {
  const found = [];
  for (const { 0: name, index } of text.matchAll(NAMED)) {
    const key = name.toLowerCase().replace(/[\s-]/g, "");
    for (const { token, chapter } of terms.get(key) ?? terms.get(key.replace(/e?s$/, "")) ?? []) {
      found.push({ token, chapter, start: index, end: index + name.length });
    }
  }
  return found;
}

/** What a text says that others say in other words. */
function synonymsIn(text) {
  const found = [];
  for (const [token, pattern] of synonyms) {
    for (const { 0: said, index } of text.matchAll(pattern)) {
      found.push({ token, start: index, end: index + said.length });
    }
  }
  return found;
}

const everyWordOf = (text) => [...wordsOf(text), ...termsIn(text), ...synonymsIn(text)];

// ----- what is searched

const sections = bookIndex.pages.flatMap(([address, kind, parts]) =>
  parts.map(([anchor, heading, prose, code, outputs, questions], number) => ({
    address: number ? `${address}#${anchor}` : address,
    page: { address, kind, title: parts[0][1] },
    isIntroduction: number === 0,
    anchor, heading, prose, code: `${code}\n${outputs}`, outputs, questions,
    defines: number && address.endsWith("/glossary.html") ? termsIn(heading)[0]?.token : "",
    rows: anchor === "symptom-cause-fix"
      ? prose.split("\n").map((line) => line.split(" · ")).filter((row) => row.length > 2).slice(1) : [],
  })));
const isOfSymptoms = ({ page }) => page.kind === "symptoms";
const isLastResort = ({ page, anchor }) => page.kind === "list" || anchor === "sources";
const isAside = ({ anchor }) => /^(exercise|summary)/.test(anchor);

let texts;
let questions;
const known = new Set();
const wordsOfQuestion = new Map();  // a question -> what each of its words may be taken for

/** Index the sections: their texts, and one by one the questions that lead to them. */
function indexSections() {
  frequent.clear();
  tokensOfWord.clear();
  wordsOfQuestion.clear();
  for (const { heading, prose, questions: asked } of sections) {
    for (const [word] of [heading, prose, ...asked].join("\n").matchAll(/[가-힣]+/g)) {
      const stem = stemOfKorean(word);
      frequent.set(stem, (frequent.get(stem) ?? 0) + 1);
    }
  }
  const tokenize = (text, field) => {
    const found = field === "code" ? wordsOf(text) : field === "prose" ? [...wordsOf(text), ...termsIn(text)] : everyWordOf(text);
    const tokens = found.map(({ token }) => token);
    tokens.forEach((token) => known.add(token));
    return field === "code" ? [...new Set(tokens)] : tokens;
  };
  const options = { tokenize, processTerm: (term) => term };
  texts = new MiniSearch({
    ...options,
    fields: ["title", "heading", "prose", "code"],
    extractField: (section, field) => field === "id" ? section.id
      : field === "title" ? (section.isIntroduction ? "" : section.page.title) : section[field],
  });
  texts.addAll(sections.map((section, id) => Object.assign(section, { id })));
  questions = new MiniSearch({ ...options, fields: ["text"], storeFields: ["section", "text", "row"] });
  const asked = sections.flatMap((section, number) => [
    ...(isAside(section) || isLastResort(section) ? [] : [section.heading, ...section.questions])
      .map((text) => ({ text, section: number })),
    ...section.rows.map((row) => ({ text: row[0], section: number, row })),
  ]);
  questions.addAll(asked.map((question, id) => ({ id, ...question })));
}
indexSections();

// ----- a query

/** What each word of a text may be taken for. */
function byWord(words, found) {
  const places = new Set(words.map(({ start }) => start));
  return [...places].map((at) =>
    found.filter(({ start, end }) => start <= at && at < end).map(({ token }) => token));
}

/** What share of words are among some tokens. */
const shareOf = (ofWord, tokens) => ofWord.length === 0 ? 1
  : ofWord.filter((some) => some.some((token) => tokens.has(token))).length / ofWord.length;

/** What share of a question a query asks, too: one that speaks of vmap besides is another question. */
function shareAsked(question, asked) {
  if (!wordsOfQuestion.has(question)) wordsOfQuestion.set(question, byWord(wordsOf(question), everyWordOf(question)));
  return shareOf(wordsOfQuestion.get(question), asked);
}

/** Whether two words differ in one letter of Hangul: 체크포인드 and 체크포인트. */
function isSlip(one, other) {
  const [a, b] = [one, other].map((word) => word.normalize("NFD"));
  const at = [...a].findIndex((letter, i) => letter !== b[i]);
  return [[1, 1], [1, 0], [0, 1]].some(([skipA, skipB]) => a.slice(at + skipA) === b.slice(at + skipB));
}

/** A query with slips of one letter mended, in Korean words of three syllables that the book doesn't hold. */
function mended(query) {
  return query.replace(/[가-힣]{3,}/g, (word) => {
    const [{ token } = {}, ...parts] = tokensOf(word);
    if (!token || token.length < 3 || parts.length || [...known].some((one) => one.startsWith(token))) return word;
    const meant = [...frequent.keys()].filter((stem) => isOfBook(stem) && isSlip(token, stem))
      .sort((a, b) => frequent.get(b) - frequent.get(a))[0];
    if (!meant) return word;
    const slip = [...token].findIndex((syllable, i) => syllable !== meant[i]);
    return word.slice(0, slip) + meant[slip] + word.slice(slip + 1);
  });
}

/** What a query asks for: its words, and the chapters that explain the terms among them. */
function wordsAsked(query) {
  const named = termsIn(query);
  const words = wordsOf(query);
  const said = synonymsIn(query);
  const found = [...words, ...named, ...said];
  const asking = said.filter(({ token }) => token === "#whatis");
  const isIn = (spans) => ({ start, end }) => spans.some((span) => span.start <= start && end <= span.end);
  const subject = words.filter((word) => !isIn(asking)(word));
  const isTerm = subject.length > 0 && subject.every(isIn(named));
  const own = [...new Set(found.map(({ token }) => token))].slice(-MOST_WORDS);
  const others = named.flatMap(({ token }) => wordsOf(token.slice(2))).map(({ token }) => token);
  const ofWord = byWord(words, found);
  const denials = said.filter(({ token, start, end }) => token === "#unchanged" && NEGATION.test(query.slice(start, end)));
  return {
    ofWord, tokens: own, others: others.filter((token) => !own.includes(token)), isTerm,
    subject: byWord(subject, found), asksMeaning: asking.length > 0 && subject.length > 0,
    terms: new Set(named.map(({ token }) => token)), denied: new Set(words.filter(isIn(denials)).map(({ token }) => token)),
    // A word or two that name a thing ask for what teaches it, unless something is amiss with it; 저장하려면
    // names none.
    isTopic: ofWord.length < 3 && !/(?:려면|나요|까요)[?\s]*$/.test(query) && !own.some((token) => AMISS.has(token)),
    chapters: new Set(named.map(({ chapter }) => chapter).filter(Boolean)),
  };
}

// 안 바뀌어요 says the opposite of 바뀌어요: #unchanged counts, the word itself little.
const NEGATION = /[안않못]|\b(?:not|never|no longer)\b|n['’]?t\b/i;
const AMISS = new Set([
  "unchanged", "same", "different", "wrong", "worse", "grows", "slow", "lost", "error", "nan", "whatis", "outofmemory",
].map((name) => `#${name}`));
const WEIGHTS = { prose: 1, heading: 2.5, title: 1.5, code: 0.4 };
const OF_QUESTIONS = { topic: 1.6, question: 4 };  // the weight of the best question beside the text

/** Whether an entry of the pages of symptoms shows an error asked for, or has the query as its heading. */
function asksForEntry({ heading, outputs }, errors, ofWord) {
  if (errors.some((name) => heading.includes(name) || outputs.includes(`${name}: `))) return true;
  const here = new Set(wordsOf(heading).map(({ token }) => token));
  return ofWord.length > 2 && ofWord.every((some) => some.some((token) => here.has(token)));
}

const tokensOfTitle = new Map();

/** What share of the words of a query a title holds: all of counter, that of the chapter on a counter. */
function shareInTitle(title, ofWord) {
  if (!tokensOfTitle.has(title)) tokensOfTitle.set(title, new Set(everyWordOf(title).map(({ token }) => token)));
  return shareOf(ofWord, tokensOfTitle.get(title));
}

/** The sections that answer a query, best first, whole where the best one holds most words of it. */
function search(query) {
  const asked = normal(query).replace(/\bwhat do(?:es)? (.+) mean\b/i, "what is $1");
  const asMessage = searchMessage(asked);
  if (asMessage) return asMessage;
  const text = mended(asked);
  const named = text.match(CODE_OF_ERROR) ?? text.match(NAME_OF_ERROR) ?? [];
  // A message of Python that stands in no output: its class and its phrase would lead astray.
  const isUnknown = named.some((name) => CLASS_OF_PYTHON.test(name) && text.includes(`${name}: `));
  const errors = isUnknown ? [] : named;
  const { tokens, others, ofWord, isTerm, isTopic, chapters, subject, asksMeaning, terms, denied } =
    wordsAsked(isUnknown ? text.replace(NAME_OF_ERROR, "").replace(PHRASE_OF_PYTHON, "") : text);
  if (!tokens.length) return { hits: [], tokens: new Set(), isWhole: false };
  const last = tokens.filter((token) => !token.startsWith("#")).at(-1);
  const unknown = (token) => !known.has(token) && !token.startsWith("#");
  const options = {
    tokenize: () => [...tokens, ...others],
    processTerm: (term) => term,
    boostTerm: (term) => others.includes(term) ? 0.5 : denied.has(term) ? 0.3 : term.startsWith("#") ? 0.9 : 1,
    prefix: (term) => unknown(term) && (term === last || /[가-힣]{2}/.test(term)),
    fuzzy: (term) => unknown(term) && /^[a-z]{5,}$/.test(term) ? 0.2 : false,
  };
  const hits = new Map();
  const hitOf = (number) => {
    if (!hits.has(number)) hits.set(number, { section: sections[number], score: 0, matched: new Set() });
    return hits.get(number);
  };
  const match = (hit, terms) => terms.forEach((term) => tokens.includes(term) && hit.matched.add(term));
  for (const { id, score, queryTerms } of texts.search(text, { ...options, boost: WEIGHTS })) {
    const hit = hitOf(id);
    hit.score += score;
    match(hit, queryTerms);
  }
  const askedFor = new Set([...tokens, ...others]);
  const weighed = questions.search(text, options)
    .map((one) => ({ ...one, score: one.score * (1 + shareAsked(one.text, askedFor)) / 2 }))
    .sort((a, b) => b.score - a.score);
  for (const { section, score, text: question, row, queryTerms } of weighed) {
    const hit = hitOf(section);
    if (hit.question) continue;  // a better one came before
    Object.assign(hit, { question, row, score: hit.score + OF_QUESTIONS[isTopic ? "topic" : "question"] * score });
    match(hit, queryTerms);
  }
  const literal = ofWord.map((some) => some.filter((token) => !/^#[^#]/.test(token)));
  const begins = (heading) => heading.toLowerCase().startsWith(text.trim().toLowerCase());
  const found = [...hits.values()];
  const pages = new Map();
  for (const { section: { page } } of found) pages.set(page, (pages.get(page) ?? 0) + 1);
  for (const hit of found) {
    const { section, matched } = hit;
    hit.score *= 0.4 + 0.6 * matched.size / tokens.length;
    hit.isTaught = false;
    hit.isEntry = isOfSymptoms(section) && asksForEntry(section, errors, ofWord);
    if (isAside(section)) hit.score *= 0.5;
    if (isLastResort(section)) hit.score *= 0.05;
    const explains = [...chapters].some((chapter) => section.page.address.endsWith(`/${chapter}.html`));
    if (explains) hit.score *= isTerm ? 5 : 1.1;
    const isLesson = section.page.kind === "lesson";
    if (!isTopic) continue;
    hit.score *= 1 + 0.1 * Math.log2(pages.get(section.page));
    if (isLesson || begins(section.heading)) hit.score *= 2.4;  // torch.compile: jax.jit
    hit.score *= shareOf(ofWord, matched) ** 2;
    if (!isLesson) continue;
    const { title } = section.page;
    const share = shareInTitle(title, literal);
    hit.score *= 1 + 0.6 * share;
    if (!section.isIntroduction) continue;
    // The page that a title promises comes before parts of others: vmap, 체크포인트 저장.
    hit.isTaught = !/\d/.test(text) &&  // who names a number asks for more than a topic
      (share === 1 || (share > 0 && !isTerm && shareInTitle(title, ofWord) === 1));
    if (shareInTitle(title.split(":")[0], literal) === 1) hit.score *= 1.5;  // its subject, not its question
  }
  found.sort((a, b) => b.isEntry - a.isEntry || b.isTaught - a.isTaught || b.score - a.score);
  const entries = found.filter(({ section }) => section.defines && shareInTitle(section.heading, subject) === 1);
  const entry = (isTerm && entries.find(({ section }) => terms.has(section.defines))) || (asksMeaning && entries[0]);
  if (entry) {  // first for who asks what a term means, else beside the chapter
    found.splice(found.indexOf(entry), 1);
    found.splice(asksMeaning ? 0 : 1, 0, entry);
  }
  const [best] = found;
  const sure = ofWord.filter((some) => some.some((token) => known.has(token) && best?.matched.has(token)));
  const isNamed = best?.isEntry && errors.some((name) => !CLASS_OF_PYTHON.test(name));
  const isWhole = Boolean(entry) || Boolean(best) && !isLastResort(best.section) && !isUnknown &&
    (isNamed || (ofWord.length < 3 ? sure.length === ofWord.length : 2 * sure.length > ofWord.length));
  return { hits: found, tokens: askedFor, isWhole };
}

// ----- a pasted message

/** Each three neighbouring words of a text, those with digits left out, and their place; argument is arguments. */
function triplesOf(text) {
  const words = [...text.matchAll(WORD)].filter(([word]) => !/\d/.test(word));
  const names = words.map(([word]) => word.split(".").at(-1).toLowerCase());
  return words.slice(2).map(({ 0: last, index }, i) => ({
    triple: names.slice(i, i + 3).map((name) => name.replace(/(?<=[a-z]{3})s$/, "")).join(" "),
    start: words[i].index, end: index + last.length,
  }));
}

/** Whether any text may have three words: while trying to. */
const saysNothing = (triple) => triple.split(" ").every((name) => STOP_WORDS.has(name) || STOP_WORDS.has(`${name}s`));

/** Whether a triple has one word of its own: depends on the. */
const isPhrase = (triple) => triple.split(" ").filter((name) => !STOP_WORDS.has(name)).length < 2;

const setOfTriples = (text) => new Set(triplesOf(text).map(({ triple }) => triple));

/** What older versions raised: it stands in no output of today. */
const olderMessages = ({ prose }) => prose.split("\n").map((line) => line.split(" · ")[0]).join("\n");

let tripled;  // for each section: the triples of its outputs and of all its texts

/**
 * The sections that show an error message, or a part of it, those with most of it first, rare triples
 * count more; what is as common as tracebacks says nothing. The pages of symptoms come before all.
 * Nothing, where the best answer to a query does not stand in outputs: then it is no message.
 */
function searchMessage(query) {
  const triples = [...setOfTriples(query)];
  if (!triples.length) return null;
  const asked = NAME_OF_ATTRIBUTE.test(query) ? triples.filter((triple) => !TRIPLE_OF_PYTHON.test(triple)) : triples;
  tripled ??= sections.map((section) => ({
    section,
    shown: setOfTriples(section.anchor === "older-messages" ? olderMessages(section) : section.outputs),
    written: setOfTriples([section.heading, section.prose, section.code].join("\n")),
  }));
  const tracebacks = tripled.filter(({ shown }) => shown.has("most recent call")).length;
  const rarities = new Map();
  for (const triple of asked) {
    const number = tripled.filter(({ written }) => written.has(triple)).length;
    if (number && number < tracebacks) rarities.set(triple, Math.log2(tracebacks / number));
  }
  if ([...rarities.keys()].some((triple) => !saysNothing(triple))) {
    for (const triple of rarities.keys()) if (saysNothing(triple)) rarities.delete(triple);
  }
  // A few words that happen to stand in an output make no message of a question: to donate the.
  const named = query.match(NAME_OF_ERROR) ?? query.match(/most recent call last/);
  const ofMessages = asked.filter((triple) => !/[가-힣]/.test(triple)).length;
  if (!named && rarities.size < 4 && 3 * rarities.size < ofMessages) return null;
  const share = (triples) =>
    sum([...rarities].map(([triple, rarity]) => triples.has(triple) * rarity));
  const hits = tripled.map(({ section, shown, written }) =>
    ({ section, shown: share(shown), score: share(shown) + share(written) }));
  const best = hits.reduce((one, other) => (other.score > one.score ? other : one));
  // An entry quotes variants of its message in heading and prose.
  const isQuoted = named && isOfSymptoms(best.section) && best.score > 0 && 2 * rarities.size >= ofMessages;
  if (!best.shown && !isQuoted) return null;
  const found = hits.filter(({ score }) => score >= best.score / 2)
    .sort((a, b) => isOfSymptoms(b.section) - isOfSymptoms(a.section) || b.score - a.score);
  const places = (text) => {
    const marks = [];
    const isMarked = ({ triple, start, end }) =>  // line by line: the message apart from the frames
      rarities.has(triple) && !text.slice(start, end).includes("\n");
    for (const { start, end } of triplesOf(text).filter(isMarked)) {
      if (marks.length && start <= marks.at(-1)[1]) marks.at(-1)[1] = end;
      else marks.push([start, end]);
    }
    return marks;
  };
  found.splice(1, 0, ...rowsOn(query, rarities));
  return { hits: found, places, isWhole: true };
}

/**
 * The rows of symptom, cause and fix that share words with a message or name its error, unless it is
 * one of Python; those of the chapter one comes from first.
 */
function rowsOn(query, rarities) {
  const from = /[^/]+\.html/.exec(document.referrer.split("/").at(-1))?.[0] ?? "/";
  const names = new Set(query.match(NAME_OF_ERROR)?.filter((name) => !CLASS_OF_PYTHON.test(name)));
  const isOn = ([symptom]) => [...symptom.matchAll(NAME_OF_ERROR)].some(([name]) => names.has(name)) ||
    triplesOf(symptom).some(({ triple }) => rarities.has(triple) && !isPhrase(triple));
  return sections.flatMap((section) => section.rows.filter(isOn).map((row) => ({ section, row, score: 0 })))
    .sort((a, b) => b.section.page.address.endsWith(from) - a.section.page.address.endsWith(from))
    .slice(0, 2);
}

// ----- what is shown

/** The places of a text where words of the query stand, as [start, end], none inside another. */
function placesIn(text, { tokens, places }) {
  if (places) return places(text);
  const found = everyWordOf(text).filter(({ token }) => tokens.has(token))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let done = 0;
  return found.filter(({ start, end }) => start >= done && (done = end)).map(({ start, end }) => [start, end]);
}

/** A text with the places of the query marked. */
function marked(text, asked) {
  const nodes = [];
  let done = 0;
  for (const [start, end] of placesIn(text, asked)) {
    const mark = document.createElement("mark");
    mark.textContent = text.slice(start, end);
    nodes.push(text.slice(done, start), mark);
    done = end;
  }
  return [...nodes, text.slice(done)];
}

/** The passage around the places that hold most of a query, from the start of its line or a word. */
function passage(text, places, asked, length) {
  const marksFrom = (from) => {
    const here = places.filter(([start]) => start >= from && start < from + length - 60);
    return asked.places ? sum(here.map(([start, end]) => end - start))
      : new Set(here.map(([start, end]) => text.slice(start, end).toLowerCase())).size;
  };
  let [first, most] = [0, marksFrom(0)];
  for (const [at] of places.slice(0, MOST_PLACES)) {
    const marks = marksFrom(at);
    if (marks > most) [first, most] = [at, marks];
  }
  const line = text.lastIndexOf("\n", first) + 1;
  const start = first - line <= 50 ? line : text.lastIndexOf(" ", first - 40) + 1;
  let end = text.indexOf(" ", start + length);
  if (end < 0 || end > start + length + 30) end = start + length;
  return (start ? "… " : "") + text.slice(start, end) + (end < text.length ? " …" : "");
}

function element(name, className, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  if (className) made.className = className;
  return made;
}

/** What shows why a section was found: a row, a message from code, else prose or the question. */
function reasonOf({ section, row, question }, asked) {
  if (row) {
    const cells = row.flatMap((cell, i) => [i ? " → " : "", ...marked(cell, asked)]);
    return element("p", "cells", ...cells);
  }
  const [inProse, inCode] = [section.prose, section.code].map((text) => placesIn(text, asked));
  if (inCode.length && (asked.places || !(inProse.length || question))) {
    return element("p", "code", ...marked(passage(section.code, inCode, asked, 100), asked));
  }
  if (question && !inProse.length) return element("p", "", ...marked(question, asked));
  return element("p", "", ...marked(passage(section.prose, inProse, asked, 140), asked));
}

function resultOf(hit, asked) {
  const { address, page, heading, isIntroduction } = hit.section;
  const link = element("a", "", ...marked(heading || page.title, asked));
  link.href = address;
  const result = element("li", "", element("h2", "", link));
  if (!isIntroduction) result.append(element("p", "page", ...marked(page.title, asked)));
  result.append(reasonOf(hit, asked));
  return result;
}

const statusLine = document.querySelector("#search-status");
const list = document.querySelector("#found-sections");
const more = document.querySelector("#more-sections");
const missing = document.querySelector("#missing-error");
const input = document.querySelector(".bd-search-container input");

/** Answer a query on the page. */
function show(query) {
  const asked = search(query);
  const { hits, isWhole } = asked;
  list.replaceChildren(...hits.slice(0, SHOWN).map((hit) => resultOf(hit, asked)));
  more.hidden = hits.length <= SHOWN;
  more.onclick = () => {
    more.hidden = true;
    list.append(...hits.slice(SHOWN).map((hit) => resultOf(hit, asked)));
    list.children[SHOWN].querySelector("a").focus();
  };
  const { found, partly, none } = statusLine.dataset;
  const said = hits.length ? (isWhole ? found : partly) : none;
  statusLine.textContent =
    query.trim() && said.replace("{count}", hits.length).replace("{query}", () => query.trim());
  if (missing) {
    missing.hidden = !query.trim() || isWhole;
    const form = new URL(missing.querySelector("a").href);
    form.searchParams.set("message", query.trim().slice(-2000));
    missing.querySelector("a").href = form;
  }
  const address = new URL(location);
  address.search = query && new URLSearchParams({ q: query });
  history.replaceState(null, "", address);
  for (const other of document.querySelectorAll("a.language-switch")) {
    other.search = address.search;
  }
}

const query = new URLSearchParams(location.search).get("q") ?? "";
input.value = query.replace(/\s+/g, " ");
if (query) show(query);
input.focus();
// Ctrl+K, which elsewhere opens a field, means this one; the theme would take the focus away.
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "k") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  input.focus();
  input.select();
}, { capture: true });

let waiting;
input.addEventListener("input", () => {
  clearTimeout(waiting);
  // The last syllable of Hangul may still be half typed: ㅅ, 사, 상.
  waiting = setTimeout(() => show(input.value.replace(/[ㄱ-ㅣ]+$/, "")), 200);
});
