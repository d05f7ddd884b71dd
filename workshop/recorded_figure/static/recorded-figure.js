// Plays the recorded figures: a real run, step by step, leaf by leaf or over a training.
//
// <recorded-figure> holds the plain form of the figure, which stays for print and where this script
// does not run, and as JSON { record, steps }: what happened, and what is said about it in the
// language of the page. Nothing is computed here that the record does not say: whether a prediction is
// right is read off the recorded step.

// All names stay inside this function: other scripts of the page have names of their own.
(() => {
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

const number = (value) => String(value).replaceAll("-", "\u2212");

/** A figure with a place to be at: buttons and arrow keys go on and back. */
class Player {
  constructor(figure, { record, steps }) {
    const { predict_card: question, recorded_figure: player } = WORDS[document.documentElement.lang];
    const say = { ...question, ...player };
    Object.assign(this, { figure, record, steps, say, at: 0 });
    this.back = this.button("\u25c2 " + say.back, () => this.go(this.at - 1));
    this.next = this.button(say.next + " \u25b8", () => this.go(this.at + 1));
    this.again = this.button(say.again, () => this.go(0));
    this.next.classList.add("next");
    this.where = make("span", { class: "where" });
    this.why = make("p", { class: "why", id: `${figure.className}-why` });
    this.next.setAttribute("aria-describedby", this.why.id);
    this.status = make("div", { class: "spoken", role: "status", "aria-live": "polite" });
    this.bar = make("div", { class: "bar" }, this.back, this.next, this.again, this.where, this.why);
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
    new ResizeObserver(() => this.keepHeight(element)).observe(element);
  }

  /** As tall as its tallest step, lest the text below moves; taller once an answer is unfolded. */
  keepHeight(element) {
    if (this.narrow?.matches) {  // a tree, whose branches open one at a time
      this.width = element.style.minHeight = "";
      return;
    }
    const heights = [];
    if (element.offsetWidth !== this.width) {  // also where a cover opens or a phone is turned
      this.width = element.offsetWidth;
      element.style.minHeight = "";
      const { at } = this, why = this.why.textContent, isPosed = this.question?.hidden === false;
      for (this.at = 0; this.at < this.count; this.at += 1) {
        this.show(true);
        this.pose?.(this.at + 1);
        heights.push(element.getBoundingClientRect().height);
      }
      this.at = at;
      this.show(true);
      this.pose?.(isPosed ? at + 1 : -1);
      this.hold(why);
    }
    element.style.minHeight = `${Math.max(...heights, element.getBoundingClientRect().height)}px`;
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

  /** Let *Next* lead on, or grey it and say why it doesn't. */
  hold(why) {
    this.next.setAttribute("aria-disabled", why !== "");
    this.why.textContent = why;
  }

  show(first) {
    this.where.textContent = this.place();
    this.back.setAttribute("aria-disabled", this.at === 0);
    this.hold(this.at === this.count - 1 ? this.say.end : "");
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
    // The labels of steps whose question was answered, or given up; who remembers may fill it too.
    this.answered = this.figure.answered ??= new Set();
    this.labels = Object.fromEntries(this.record.steps.map((step) => [step.label, step]));
    this.lines = [...this.figure.querySelector(".plain .highlight pre").cloneNode(true).children].slice(1);
    for (const line of this.lines) {
      line.lastChild.data = line.lastChild.data.replace("\n", "");
      line.append(make("span", { class: "passed" }));
    }
    // No div: it gets no copy button. What scrolls is around the code, where the keyboard reaches it.
    this.code = make("section", { class: "code highlight", tabindex: 0, "aria-label": this.say.code },
      make("pre", {}, this.lines));
    // On a phone the code has the room that what is shown below leaves.
    new ResizeObserver(() => this.reveal()).observe(this.code);
    this.panes = make("div", { class: "panes" });
    this.hint = make("p", { class: "hint" });
    this.note = make("p", { class: "note" });
    this.question = make("div", { class: "predict question", hidden: true })  // as cards look;
    return make(
      "div",
      { class: "stepper" },
      this.code,
      make("div", { class: "seen" }, this.question, this.hint, this.note, this.panes),
    );
  }

  /** What is asked before a step, null where nothing is. */
  ask(place) {
    return this.steps[this.record.steps[place]?.label]?.ask ?? null;
  }

  go(place) {
    for (let step = this.at + 1; step <= place && step < this.count; step += 1) {
      if (this.ask(step) && !this.answered.has(this.record.steps[step].label)) {
        if (this.at !== step - 1 || this.question.hidden) {
          super.go(step - 1);
          this.pose(step);
        }
        this.question.firstChild.focus({ preventScroll: true });
        this.question.scrollIntoView({ block: "nearest" });
        return;
      }
    }
    if (this.question.contains(document.activeElement)) this.next.focus({ preventScroll: true });
    this.question.hidden = true;
    super.go(place);
  }

  /** Ask this no more. */
  settle(step) {
    this.answered.add(this.record.steps[step].label);
    this.figure.dispatchEvent(new Event("answered"));
  }

  truth(about) {
    const [label, field, ...rest] = about.split(".");
    const value = this.labels[label][field];
    return String(rest.length ? value[rest.join(".")] : value);
  }

  /** Ask what is asked before a step, or nothing. */
  pose(step) {
    this.question.hidden = !this.ask(step);
    if (this.question.hidden) return;
    const { question, about, choices } = this.ask(step);
    const truth = this.truth(about);
    const folds = choices.map((choice) => {
      const kind = choice.is === truth ? "right" : "wrong";
      const answer = () => {
        if (kind !== "right") return;
        this.settle(step);
        this.hold("");
      };
      return make("details", { class: kind, ontoggle: answer },
        make("summary", {}, ...rich(choice.text ?? `\`${choice.is}\``)),
        make("p", {}, make("strong", {}, this.say[kind]), " ", ...rich(choice.why)));
    });
    const title = make("p", { tabindex: -1 }, make("strong", {}, this.say.lead), " ", ...rich(question));
    const giveUp = this.button(this.say.show, () => {
      this.settle(step);
      this.go(step);
    });
    this.question.replaceChildren(title, ...folds, giveUp);
    this.hold(this.say.asked);
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
        const inside = part === "local" ? `${this.record.enter}: ` : "";
        values.push(row(`\`${inside}${name}\``, value, before?.[part]?.[name]));
      }
    }
    if (this.record.enter) values.push(row(say.runs, String(step.runs), String(before?.runs ?? 0)));
    if (step.returned !== undefined) values.push(row(say.returned, step.returned));
    const printed = this.record.steps.slice(0, at + 1).map((each, place) =>
      each.output && make(place === at ? "strong" : "span", {}, each.output));
    if (step.output) changed.push(`${say.output}: ${step.output}`);
    const hint = step.called ? say.inside : step.trace === undefined || step.made ? "" : say.compiled;
    this.hint.textContent = hint;
    this.panes.replaceChildren(
      make("dl", {}, values),
      ...(printed.some(Boolean)
        ? [make("p", { class: "label" }, say.output),
          make("pre", { class: "printed", tabindex: 0, "aria-label": say.output }, printed.filter(Boolean))]
        : []),
      this.traces(step),
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
    this.reveal();
  }

  /** Scroll to the line of this step. */
  reveal() {
    const line = this.lines[this.record.steps[this.at].line - 1];
    const { code } = this;
    const top = line.offsetTop;  // in the code, which is positioned
    if (top < code.scrollTop || top > code.scrollTop + code.clientHeight - 2 * line.offsetHeight) {
      code.scrollTop = top - code.clientHeight / 2;
    }
  }

  /** The traces made so far, the one of this step marked. */
  traces(step) {
    const made = this.record.steps.slice(0, this.at + 1).filter((each) => each.made);
    if (!made.length) return "";
    const items = made.map(({ trace }) => {
      const { for: about, jaxpr } = this.record.traces[trace];
      const now = step.trace === trace ? this.say[step.made ? "made" : "hit"] : "";
      return make(
        "li",
        { class: now ? "now" : "" },
        about.length ? make("code", {}, about.join(", ")) : null,
        now ? make("strong", {}, ` \u25cf ${now}`) : null,
        make("pre", { tabindex: 0, "aria-label": `jaxpr ${trace + 1}` }, jaxpr),
      );
    });
    return make("div", {}, make("p", { class: "label" }, this.say.traces), make("ol", {}, items));
  }
}

/** Goes through a pytree leaf by leaf. */
class Tree extends Player {
  get leaves() {
    return this.record.nodes.filter((node) => "leaf" in node);
  }

  get count() {
    return this.leaves.length;
  }

  place() {
    return `${this.say.leaf} ${this.at + 1} ${this.say.of} ${this.count}`;
  }

  build() {
    this.items = [];
    this.branches = [];  // below the root
    this.narrow = matchMedia("(max-width: 720px)");
    this.narrow.addEventListener("change", () => this.unfold());
    const below = [];  // the open list at each depth
    const top = make("ul");
    this.record.nodes.forEach((node) => {
      const list = node.depth ? below[node.depth - 1] : top;
      const [item, inner] = this.item(node);
      list.append(item);
      below[node.depth] = inner;
    });
    this.chips = this.leaves.map((leaf) => this.leafButton(leaf, String(leaf.leaf + 1)));
    const parts = this.record.treedef.split("*");
    this.stars = parts.slice(1).map(() => make("b", {}, "*"));
    const structure = parts.flatMap((part, place) => (place ? [this.stars[place - 1], part] : [part]));
    this.chosen = make("dl");
    this.structure = make(
      "div",
      { class: "treedef", tabindex: 0, role: "region", "aria-label": this.say.structure },
      make("pre", {}, structure),
    );
    return make(
      "div",
      { class: "stepper" },
      make("div", { class: "tree" }, make("p", { class: "label" }, this.say.tree), top),
      make(
        "div",
        { class: "seen" },
        this.chosen,
        make("p", { class: "label" }, this.say.leaves),
        make("div", { class: "chips" }, this.chips),
        make("p", { class: "label" }, this.say.structure),
        this.structure,
      ),
    );
  }

  /** The list item of a node, and the list for what is below it. */
  item(node) {
    const static_ = Object.entries(node.static ?? {}).map(([name, value]) =>
      make("li", { class: "static" }, make("code", {}, name), ` ${this.say.static}: ${value}`));
    if ("leaf" in node) {
      const button = this.leafButton(node, `${node.name} ${type(node)}`);
      this.items.push(button);
      return [make("li", {}, button), null];
    }
    const kind = node.type + (node.named ? " (NamedTuple)" : "");
    if (node.empty) {
      return [make("li", { class: "empty" }, make("code", {}, node.name), ` ${kind}: ${this.say.empty}`), null];
    }
    const inner = make("ul", {}, static_);
    const after = this.record.nodes.slice(this.record.nodes.indexOf(node) + 1);
    const end = after.findIndex((other) => other.depth <= node.depth);
    const count = after.slice(0, end < 0 ? undefined : end).filter((other) => "leaf" in other).length;
    const summary = make("summary", {}, make("code", {}, node.name), ` ${kind}`,
      make("span", { class: "count" }, `, ${this.say.count.replace("{count}", count)}`));
    const branch = make("details", { open: true }, summary, inner);
    if (node.depth === 1) this.branches.push(branch);
    return [make("li", {}, branch), inner];
  }

  /** Where there is room the tree is open; on a phone the branch of the chosen leaf alone. */
  unfold() {
    const item = this.items[this.at];
    for (const branch of this.branches) branch.open = !this.narrow.matches || branch.contains(item);
  }

  leafButton(node, text) {
    const button = this.button(text, () => this.go(node.leaf));
    if (text.length < 4) button.setAttribute("aria-label", `${this.say.leaf} ${text}: ${node.path}`);
    return button;
  }

  draw() {
    const leaf = this.leaves[this.at];
    [this.items, this.chips, this.stars].forEach((all) => all.forEach((each, place) => {
      each.classList.toggle("here", place === this.at);
      if (each.type) each.setAttribute("aria-pressed", place === this.at);
    }));
    const { activeElement } = document;
    if (this.narrow.matches) this.unfold();
    for (let up = this.items[this.at].parentElement; up !== this.figure; up = up.parentElement) {
      if (up.tagName === "DETAILS") up.open = true;
    }
    if (this.items.includes(activeElement)) this.items[this.at].focus({ preventScroll: true });
    this.structure.scrollTop = this.stars[this.at].offsetTop - this.structure.clientHeight / 2;
    const rows = [[this.say.path, leaf.path], [this.say.dtype, type(leaf)]];
    if (leaf.value !== undefined) rows.push([this.say.value, leaf.value]);
    this.chosen.replaceChildren(...rows.map(([name, value]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, value))));
    return rows.map((row) => row.join(": ")).join(". ");
  }
}

const type = (leaf) => `${leaf.dtype}[${leaf.shape.join(",")}]`;

const STROKES = ["\u2500\u2500", "\u2504\u2504"];

/** Goes through a training: the loss, and every leaf at a step. */
class Training extends Player {
  get count() {
    return this.record.at.length;
  }

  place() {
    const { at } = this.record;
    return `${this.say.step} ${at[this.at]} ${this.say.of} ${at[at.length - 1]}`;
  }

  build() {
    this.slider = make("input", {
      type: "range", min: 0, max: this.count - 1, value: 0, "aria-label": this.say.step,
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.bar.append(this.slider);
    this.loss = make("p", { class: "loss" });
    const curves = Object.values(this.record.losses);
    this.curve = new Curve(curves, 600, 120);
    const ends = [Math.max(...curves.flat()), Math.min(...curves.flat())];
    this.rows = this.record.leaves.map((leaf) => {
      const value = make("td", { class: "number" });
      const many = leaf.steps[0].length;
      const big = leaf.shape.reduce((size, side) => size * side, 1) > many;
      const lines = [...Array(big ? 1 : many).keys()].map((each) => leaf.steps.map((step) => step[each]));
      const curve = new Curve(lines, 120, 28);
      const row = make("tr", {}, make("th", { scope: "row" }, make("code", {}, leaf.path),
        make("small", {}, ` ${type(leaf)}`)), value, make("td", {}, curve.svg));
      return { leaf, big, value, curve, row };
    });
    const head = [this.say.leaf, this.say.value, this.say.course].map((text) =>
      make("th", { scope: "col" }, text));
    return make(
      "div",
      {},
      this.loss,
      make("div", { class: "chart" },
        make("div", { class: "ends", "aria-hidden": true }, ends.map((loss) => make("span", {}, number(loss)))),
        this.curve.svg),
      make("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": this.say.leaves },
        make("table", {}, make("thead", {}, make("tr", {}, head)),
          make("tbody", {}, this.rows.map(({ row }) => row)))),
      this.rows.some(({ big }) => big) ? make("p", { class: "label" }, this.say.statistics) : null,
    );
  }

  draw() {
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", this.place());
    // The lines of several losses differ by their strokes, which stand before the names.
    const losses = Object.entries(this.record.losses).map(([name, curve]) =>
      [`${this.say.loss} ${name}`.trim(), number(curve[this.at])]);
    this.loss.replaceChildren(...losses.flatMap(([name, loss], place) => [
      make("span", {}, losses.length > 1 ? `${STROKES[place]} ` : "", `${name}: `),
      make("strong", {}, loss),
    ]));
    this.curve.mark(this.at);
    for (const { leaf, big, value, curve, row } of this.rows) {
      const now = leaf.steps[this.at];
      const still = String(now) === String(leaf.steps[0]);
      const [mean, deviation, least, largest] = now.map(number);
      value.replaceChildren(
        big ? `${mean} \u00b1 ${deviation} (${least},\u00a0${largest})` : now.map(number).join("  "),
        still && this.at ? make("small", {}, ` ${this.say.unmoved}`) : "",
      );
      row.classList.toggle("still", still && this.at > 0);
      curve.mark(this.at);
    }
    return losses.map((loss) => loss.join(": ")).join(", ");
  }
}

/** Lines over the noted steps, with a mark at one of them. */
class Curve {
  constructor(lines, width, height) {
    const all = lines.flat();
    const [low, high] = [Math.min(...all), Math.max(...all)];
    this.x = (place) => 4 + ((width - 8) * place) / Math.max(1, lines[0].length - 1);
    const y = (value) => height - 4 - ((height - 8) * (value - low)) / (high - low || 1);
    this.lines = lines.map((line) => line.map((value, place) => [this.x(place), y(value)]));
    this.ruler = make("svg:line", { y1: 0, y2: height, class: "ruler" });
    this.dots = lines.map(() => make("svg:circle", { r: 3 }));
    this.svg = make(
      "svg:svg",
      { viewBox: `0 0 ${width} ${height}`, "aria-hidden": true, class: "curve" },
      this.ruler,
      this.lines.map((line) => make("svg:polyline", { points: line.join(" ") })),
      this.dots,
    );
  }

  mark(place) {
    this.ruler.setAttribute("x1", this.x(place));
    this.ruler.setAttribute("x2", this.x(place));
    this.dots.forEach((dot, line) => {
      const [x, y] = this.lines[line][place];
      dot.setAttribute("cx", x);
      dot.setAttribute("cy", y);
    });
  }
}

const PLAYERS = { steps: Stepper, tree: Tree, training: Training };

customElements.define("recorded-figure", class extends HTMLElement {
  connectedCallback() {
    if (this.classList.contains("plays")) return;
    const data = JSON.parse(this.querySelector("script").textContent);
    new PLAYERS[data.record.kind](this, data).start();
  }
});
})();
