// Shows two idioms of one program side by side, and which of their lines correspond.
//
// <side-by-side> holds an element with data-idiom for each idiom:
// its prose and cells, with class `compared` the cell to compare. Lines of that cell that end with
// one of the comments # make, # read, # write, # keep correspond (a line may have two: # write, keep).
// This script runs before those that add buttons to code. Without it, and in print, everything
// stands in its order.

(() => {
const ROLES = ["make", "read", "write", "keep"];
const ROLE = new RegExp(`# ((?:(?:${ROLES.join("|")})(?:, )?)+)\\s*$`);
const rolesOf = (line) => line?.dataset.role.split(", ") ?? [];
const roleOf = (element) => rolesOf(element.closest("[data-role]"))[0];

/** An element with properties and children. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

class SideBySide {
  constructor(view) {
    const inside = [...view.children];
    const outside = [...document.querySelectorAll("[data-idiom]")].filter((each) => !view.contains(each));
    this.view = view;
    this.say = WORDS[document.documentElement.lang].side_by_side;
    this.idioms = [...outside.map((idiom) => this.copy(idiom)), ...inside];
    this.idioms.forEach((idiom) => this.mark(idiom));
    this.shown = this.idioms.slice(0, 2);
    this.choices = ["idiom", "other"].map((key, place) => this.choice(place));
    this.buttons = ROLES.map((role) => make("button", { type: "button", onclick: () => this.press(role) },
      make("code", {}, `# ${role}`), ` ${this.say[role]}`));
    this.status = make("p", { role: "status" });
    const roles = make("div", { className: "roles", role: "group", ariaLabel: this.say.roles },
      ...this.buttons, this.status);
    const labels = this.choices.map((choice, place) =>
      make("label", {}, `${this.say[place ? "other" : "idiom"]} `, choice));
    this.byLine = make("dl", { className: "by-line simple" });  // on a phone: line above line
    view.prepend(make("div", { className: "bar" }, ...labels, roles), this.byLine);
    view.classList.add("plays");
    // The theme folds the contents beside what is so wide, and fails where they aren't beside it.
    view.classList.toggle("full-width", matchMedia("(min-width: 1200px)").matches);
    view.addEventListener("click", ({ target }) => roleOf(target) && this.press(roleOf(target)));
    view.addEventListener("mouseover", ({ target }) => this.light(roleOf(target) ?? this.pressed));
    view.addEventListener("mouseleave", () => this.light(this.pressed));
    new ResizeObserver(() => this.align()).observe(view);
    addEventListener("beforeprint", () => view.append(...inside));
    this.show();
    this.press();
  }

  /** An idiom of another section, with the way there and the cell above it, which defines its model. */
  copy(idiom) {
    const copy = idiom.cloneNode(true), section = idiom.closest("section");
    const title = section.querySelector("h1, h2, h3").firstChild.textContent;
    const model = [...section.querySelectorAll(":scope > .cell")].findLast((cell) =>
      cell.compareDocumentPosition(idiom) & Node.DOCUMENT_POSITION_FOLLOWING);
    copy.classList.add("copy");
    copy.prepend(make("p", {}, make("a", { href: `#${section.id}` }, `↑ ${title}`)), model.cloneNode(true));
    return copy;
  }

  /** Note what its lines do. */
  mark(idiom) {
    for (const line of idiom.querySelectorAll(".cell_input .line")) {
      const [, role] = ROLE.exec(line.textContent) ?? [];
      if (role) line.dataset.role = role;
    }
  }

  choice(place) {
    const onchange = ({ target }) => {
      if (this.idioms[target.selectedIndex] === this.shown[1 - place]) this.shown.reverse();
      this.shown[place] = this.idioms[target.selectedIndex];
      this.show();
    };
    return make("select", { onchange }, ...this.idioms.map((idiom) => make("option", {}, idiom.dataset.idiom)));
  }

  show() {
    this.idioms.forEach((idiom) => idiom.classList.remove("left", "right"));
    this.shown.forEach((idiom, place) => idiom.classList.add(place ? "right" : "left"));
    this.choices.forEach((choice, place) => { choice.selectedIndex = this.idioms.indexOf(this.shown[place]); });
    this.byLine.after(...this.shown); // what the keyboard reaches, in the order seen
    this.light(this.pressed);
    this.align();
    this.byLine.replaceChildren(...ROLES.flatMap((role) => this.linesOf(role)));
  }

  /** What plays a role, first in one idiom, then in the other. */
  linesOf(role) {
    const lines = this.shown.map((idiom) => [...idiom.querySelectorAll(".cell_input .line[data-role]")]
      .filter((line) => rolesOf(line).includes(role)));
    return [make("dt", {}, make("code", {}, `# ${role}`), ` ${this.say[role]}`),
      ...lines.map((found, place) => make("dd", {}, make("small", {}, this.shown[place].dataset.idiom),
        make("pre", {}, ...this.breakable(found.map((line) => this.statement(line)).join("\n") || "\u2013"))))];
  }

  /** A line and those after it as far as its brackets reach, without its mark. */
  statement(line) {
    const indent = line.textContent.search(/\S/);
    let text = "";
    do {
      text += `${line.textContent.slice(indent).replace(ROLE, "").trimEnd()}\n`;
      line = line.nextElementSibling;
    } while (line && text.split(/[([{]/).length > text.split(/[)\]}]/).length);
    return text.trimEnd();
  }

  /** Code that breaks after what joins its words, never in a word. */
  breakable(text) {
    return text.split(/(?<=[.(,=])/).flatMap((part) => [part, make("wbr")]);
  }

  /** Let lines that play the same role stand at one height. */
  align() {
    const [left, right] = this.shown.map((idiom) => [...idiom.querySelectorAll(".cell_input .line[data-role]")]);
    for (const line of this.view.querySelectorAll("[data-role]")) line.style.marginTop = "";
    if (!matchMedia("(min-width: 768px)").matches) return;
    for (const line of left) {
      const found = right.findIndex((other) => rolesOf(other)[0] === rolesOf(line)[0]);
      if (found < 0) continue;
      const [other] = right.splice(0, found + 1).slice(-1);
      const gap = line.getBoundingClientRect().top - other.getBoundingClientRect().top;
      (gap < 0 ? line : other).style.marginTop = `${Math.abs(gap)}px`;
    }
  }

  press(role) {
    this.pressed = role === this.pressed ? undefined : role;
    this.buttons.forEach((button, place) => button.setAttribute("aria-pressed", ROLES[place] === this.pressed));
    this.light(this.pressed);
  }

  /** Light the lines that play a role, and say how many there are. */
  light(role) {
    for (const line of this.view.querySelectorAll("[data-role]"))
      line.classList.toggle("lit", rolesOf(line).includes(role));
    const said = this.shown.map((idiom) => {
      const { length } = idiom.querySelectorAll(".lit");
      const words = this.say[["none", "one"][length] ?? "many"].replace("{n}", length);
      return make("span", { className: idiom.className.split(" ").at(-1) }, `${idiom.dataset.idiom}: ${words}`);
    });
    this.status.replaceChildren(...(role ? said : []));
  }
}

document.querySelectorAll("side-by-side").forEach((view) => new SideBySide(view));
})();
