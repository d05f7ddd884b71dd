// On the first page alone, before anything is drawn: send the reader to the language chosen
// before, else to the first of the browser's languages that the book has. `index.html?choose`
// and browsers without scripts show the two doors. theme-first.js, before this, sees to it that there is
// a storage.

{
  const starts = document.currentScript.dataset;
  const chosen = localStorage.getItem("language");
  const wanted = [chosen, ...navigator.languages].map((tag) => tag?.split("-")[0]);
  const language = wanted.find((tag) => tag in starts);
  if (language && !new URLSearchParams(location.search).has("choose")) {
    document.documentElement.hidden = true;
    location.replace(starts[language]);
  }
}
