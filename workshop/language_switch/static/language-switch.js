// The language switch keeps the reader's place: it leads to the section that is being read.
// Sections have the same identifiers in both languages. Without this script the switch leads to
// the top of the same page. Whoever goes through the switch or a door has chosen a language, and
// choose-language.js will send them there.

function sectionBeingRead() {
  const sections = [...document.querySelectorAll("article section section[id]")];
  const top = (section) => section.getBoundingClientRect().top;
  const asked = sections.find((section) => "#" + section.id === location.hash);
  if (asked && top(asked) >= 0 && top(asked) < innerHeight) return asked;
  return sections.findLast((section) => top(section) < innerHeight / 3);
}

for (const press of ["click", "auxclick"]) {
  document.addEventListener(press, (event) => {
    const link = event.target.closest("a.language-switch, .door a");
    if (!link) return;
    if (link.matches(".language-switch")) link.hash = sectionBeingRead()?.id ?? "";
    localStorage.setItem("language", link.closest("[lang]").lang);
  }, { capture: true });
}
