// The field of the pages of symptoms: a whole traceback makes too long an address, and its end says most.
const MOST_LETTERS = 3000;

for (const form of document.querySelectorAll("form.paste-field")) {
  const field = form.querySelector("textarea");
  form.addEventListener("submit", () => { field.value = field.value.trim().slice(-MOST_LETTERS); });
}
