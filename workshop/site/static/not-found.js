// Whoever got lost below /en/ reads English first.
if (location.pathname.split("/").includes("en")) {
  document.documentElement.lang = "en";
  document.querySelector("section:not([lang])").lang = "ko";
  document.querySelector("main").prepend(document.querySelector("[lang=en]:not(html)"));
}
