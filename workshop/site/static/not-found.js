// Whoever got lost below /en/ or /ko/ reads that language first, others the first of their browser's
// that the book has.
{
  const asked = [...location.pathname.split("/"), ...languagesWanted];  // of choose-language.js
  const sections = [...document.querySelectorAll("main > section")];
  const first = asked.map((tag) => sections.find(({ lang }) => lang === tag)).find(Boolean) ?? sections[0];
  document.documentElement.lang = first.lang;
  document.querySelector("main").prepend(first);
}
