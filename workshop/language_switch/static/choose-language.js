// On the first page, before anything is drawn: send the reader to the language chosen before, else to
// that of the chapter read last, else to the first of the browser's languages that the book has.
// `index.html?choose` and browsers without scripts show the two doors. On the page for lost readers it
// leads nowhere: not-found.js asks what is wanted. theme-first.js, before this, sees to it that there is
// a storage.

// reading-progress.js keeps `left`, which names one language; whatever else stands there names none.
const [, languageRead] = localStorage.getItem("state-in-jax")?.match(/"language":"(\w+)"/) ?? [];
const languagesWanted = [localStorage.getItem("language"), languageRead, ...navigator.languages]
  .map((tag) => tag?.split("-")[0]);
{
  const starts = document.currentScript.dataset;
  const language = languagesWanted.find((tag) => tag in starts);
  if (language && !new URLSearchParams(location.search).has("choose")) {
    document.documentElement.hidden = true;
    location.replace(starts[language]);
  }
}
