// Plays the recorded figures: a real run, step by step, leaf by leaf or over a training.
//
// <recorded-figure> holds the plain form of the figure, which stays for print and where this script
// does not run, and as JSON { record, steps, say }: what happened, what is said about it, and the
// words of the interface, all in the language of the page. Nothing is computed here that the record
// does not say: whether a prediction is right is read off the recorded step.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, listeners (onclick: f) and children. */
function make(tag, attributes = {}, ...children) {
  const [name, space] = tag.startsWith("svg:") ? [tag.slice(4), SVG] : [tag, null];
  const element = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

/** Text in which `code` stands between backticks. */
const rich = (text) =>
  text.split("`").map((part, place) => (place % 2 ? make("code", {}, part) : part));

const number = (value) => String(value).replace("-", "\u2212");

/** A figure with a place to be at: buttons and arrow keys go on and back. */
class Player {
  constructor(figure, { record, steps, say }) {
    Object.assign(this, { figure, record, steps, say, at: 0 });
    this.back = this.button("\u25c2 " + say.back, () => this.go(this.at - 1));
    this.next = this.button(say.next + " \u25b8", () => this.go(this.at + 1));
    this.again = this.button(say.again, () => this.go(0));
    this.next.classList.add("next");
    this.where = make("span", { class: "where" });
    this.status = make("div", { class: "spoken", role: "status", "aria-live": "polite" });
    this.bar = make("div", { class: "bar" }, this.back, this.next, this.again, this.where);
  }

  start() {
    const name = this.figure.querySelector(".plain p").textContent;
    const element = make("div", { class: "player", role: "group", "aria-label": name });
    element.append(this.bar, this.build(), this.status);
    element.addEventListener("keydown", (event) => this.key(event));
    const source = this.figure.querySelector(".plain > p:last-of-type").cloneNode(true);
    source.className = "source";
    this.figure.append(element, source);
    this.figure.classList.add("plays");
    this.show(true);
  }

  button(text, onclick) {
    return make("button", { type: "button", onclick }, text);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.type === "range") return;
    const moves = { ArrowRight: this.at + 1, ArrowLeft: this.at - 1, Home: 0, End: this.count - 1 };
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.go(moves[event.key]);
  }

  go(place) {
    if (place < 0 || place >= this.count) return;
    this.at = place;
    this.show(false);
  }

  show(first) {
    this.where.textContent = this.place();
    this.back.setAttribute("aria-disabled", this.at === 0);
    this.next.setAttribute("aria-disabled", this.at === this.count - 1);
    const spoken = this.draw();
    if (!first) this.status.textContent = `${this.place()}. ${spoken}`;
  }
}

/** Goes through a program line by line. */
class Stepper extends Player {
  get count() {
    return this.record.steps.length;
  }

  place() {
    return `${this.say.step} ${this.at + 1} ${this.say.of} ${this.count}`;
  }

  build() {
    this.answered = new Map();
    this.labels = Object.fromEntries(this.record.steps.map((step) => [step.label, step]));
    const shown = this.figure.querySelector(".plain .highlight pre").innerHTML.split("\n");
    this.lines = this.record.code.split("\n").map((_, place) => {
      const line = make("span", { class: "line" });
      line.innerHTML = shown[place].replace(/^<span><\/span>/, "") || " ";
      line.append(make("span", { class: "passed" }));
      return line;
    });
    this.code = make("pre", { tabindex: 0, "aria-label": this.say.code }, this.lines);
    this.panes = make("div", { class: "panes" });
    this.hint = make("p", { class: "hint" });
    this.note = make("p", { class: "note" });
    this.question = make("div", { class: "question", hidden: true });
    return make(
      "div",
      { class: "stepper" },
      make("section", { class: "code highlight" }, this.code),  // no div: it gets no copy button
      make("div", { class: "seen" }, this.hint, this.note, this.question, this.panes),
    );
  }

  /** What is asked before a step, null where nothing is. */
  ask(place) {
    return this.steps[this.record.steps[place]?.label]?.ask ?? null;
  }

  go(place) {
    for (let step = this.at + 1; step <= place && step < this.count; step += 1) {
      if (this.ask(step) && !this.answered.has(step)) {
        super.go(step - 1);
        this.pose(step);
        return;
      }
    }
    if (this.question.contains(document.activeElement)) this.next.focus({ preventScroll: true });
    this.question.hidden = true;
    super.go(place);
  }

  truth(about) {
    const [label, field, ...rest] = about.split(".");
    const value = this.labels[label][field];
    return String(rest.length ? value[rest.join(".")] : value);
  }

  pose(step) {
    const { question, about, choices } = this.ask(step);
    const why = make("p", { class: "why", role: "status", "aria-live": "polite" });
    const truth = this.truth(about);
    const buttons = choices.map((choice) => {
      const button = this.button("", () => {
        const right = choice.is === truth;
        this.answered.set(step, choice.is);
        button.className = right ? "right" : "wrong";
        button.setAttribute("aria-pressed", true);
        why.replaceChildren(
          make("strong", {}, `${right ? this.say.right : this.say.wrong}. `),
          ...rich(choice.why),
        );
        this.next.removeAttribute("aria-disabled");
      });
      button.append(...rich(choice.text ?? `\`${choice.is}\``));
      return button;
    });
    const title = make("p", { tabindex: -1 });
    title.append(make("strong", {}, `${this.say.predict}. `), ...rich(question));
    this.question.replaceChildren(title, make("div", { class: "choices" }, buttons), why);
    this.question.hidden = false;
    this.next.setAttribute("aria-disabled", true);
    title.focus({ preventScroll: true });
    this.question.scrollIntoView({ block: "nearest" });
  }

  draw() {
    const { say, at } = this;
    const step = this.record.steps[at];
    const before = this.record.steps[at - 1];
    this.mark(step);
    const said = this.steps[step.label];
    const truth = said?.ask && this.truth(said.ask.about);
    const note = said?.note ?? said?.ask?.choices.find((choice) => choice.is === truth).why ?? "";
    this.note.replaceChildren(...rich(note));

    const changed = [];
    const row = (name, value, old) => {
      const isNew = value !== old;
      if (isNew) changed.push(`${name}: ${value}`);
      const mark = isNew && old !== undefined ? make("small", {}, ` (${say.was} ${old})`) : null;
      const shown = make(isNew ? "strong" : "span", {}, value);
      return make("div", { class: isNew ? "changed" : "" }, make("dt", {}, ...rich(name)),
        make("dd", {}, shown, mark));
    };
    const values = [];
    for (const part of ["state", "local"]) {
      for (const [name, value] of Object.entries(step[part] ?? {})) {
        values.push(row(`\`${name}\``, value, before?.[part]?.[name]));
      }
    }
    if (this.record.enter) values.push(row(say.runs, String(step.runs), String(before?.runs ?? 0)));
    for (const part of ["returned", "error"]) {
      if (step[part] !== undefined) values.push(row(say[part], step[part]));
    }
    const printed = this.record.steps.slice(0, at + 1).map((each, place) =>
      each.output && make(place === at ? "strong" : "span", {}, each.output));
    if (step.output) changed.push(`${say.output}: ${step.output}`);
    const hint = step.called ? say.inside : step.film === undefined || step.made ? "" : say.replaying;
    this.hint.textContent = hint;
    this.panes.replaceChildren(
      make("dl", {}, values),
      ...(printed.some(Boolean)
        ? [make("p", { class: "label" }, say.output),
          make("pre", { class: "printed", tabindex: 0, "aria-label": say.output }, printed.filter(Boolean))]
        : []),
      this.films(step),
    );
    return [hint, ...changed, note].join(". ").replaceAll("`", "");
  }

  mark(step) {
    const passed = this.record.steps.slice(0, this.at + 1);
    this.lines.forEach((line, place) => {
      const here = place + 1 === step.line;
      line.classList.toggle("here", here);
      line.classList.toggle("called", place + 1 === step.called);
      line.toggleAttribute("aria-current", here);
      const times = passed.filter((each) => each.called && each.line === place + 1).length;
      line.lastChild.textContent = times ? ` \u00d7${times}` : "";
    });
    const line = this.lines[step.line - 1];
    const { code } = this;
    const top = line.offsetTop - code.offsetTop;
    if (top < code.scrollTop || top > code.scrollTop + code.clientHeight - 2 * line.offsetHeight) {
      code.scrollTop = top - code.clientHeight / 2;
    }
  }

  /** The films made so far, the one of this step marked. */
  films(step) {
    const made = this.record.steps.slice(0, this.at + 1).filter((each) => each.made);
    if (!made.length) return "";
    const items = made.map(({ film }) => {
      const { for: types, jaxpr } = this.record.films[film];
      const now = step.film === film ? this.say[step.made ? "made" : "played"] : "";
      return make(
        "li",
        { class: now ? "now" : "" },
        types.length ? make("code", {}, types.join(", ")) : null,
        now ? make("strong", {}, ` \u25cf ${now}`) : null,
        make("pre", { tabindex: 0, "aria-label": `jaxpr ${film + 1}` }, jaxpr),
      );
    });
    return make("div", {}, make("p", { class: "label" }, this.say.films), make("ol", {}, items));
  }
}

const PLAYERS = { steps: Stepper };

customElements.define("recorded-figure", class extends HTMLElement {
  connectedCallback() {
    if (this.classList.contains("plays")) return;
    const data = JSON.parse(this.querySelector("script").textContent);
    new PLAYERS[data.record.kind](this, data).start();
  }
});
