// Which kind of numeral system is best where: move over precision and the price of a word.

import { get } from "./api.js";
import { CellCard, share } from "./bands.js";
import { number } from "./controls.js";
import { announce, h, heading, notice, replace } from "./dom.js";
import { Phases, rounded } from "./phases.js";
import { link, rewrite } from "./route.js";

export const title = "Kinds";
const TEXT =
  "Some languages have a few number words for “about so many”, some count exactly and stop early, some can name any " +
  "number. One law asks for all of them: a word costs something, a symbol costs something, and so does every error. The plane " +
  "shows which kind of system costs least at each price; hatched cells hold the best that was found, without a proof.";
const FIRST = { precision: 10, word: 0.03 };
const SETTLED = 250;

let asked = null;

// The diagram is asked for once; where that failed, again.
function diagram() {
  asked ??= get("api/kinds").catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}

export function show(main, { fields }) {
  const box = h("div", {}, notice("The diagram is being read; the first time that takes some seconds."));
  main.append(heading(title, TEXT), box);
  let view = null,
    closed = false;
  diagram()
    .then((answer) => {
      if (closed) return;
      view = new Kinds(box, answer, fields);
    })
    .catch((error) => {
      if (!closed) replace(box, notice(error.message, "error"));
    });
  return () => {
    closed = true;
    view?.close();
  };
}

class Kinds {
  region;
  diagram;

  constructor(box, diagram, fields) {
    Object.assign(this, { diagram, timer: 0, region: h("p", { class: "note", "data-region": "" }) });
    const chosen = fields.get("language") ?? "";
    this.language = diagram.languages.some((each) => each.names.includes(chosen)) ? chosen : "";
    this.within = Math.min(Math.max(Number(fields.get("within") || 100 * diagram.near), 0), 1000);
    this.phases = new Phases(diagram, (place) => this.moved(place));
    this.card = new CellCard(diagram, (name) => this.choose(name));
    this.select = languageChoice(diagram.languages, this.language, (name) => this.choose(name));
    const percent = number("counts as near up to, %", "within", this.within, 0, 1000);
    percent.addEventListener("input", (event) => this.widen(event.target));
    replace(
      box,
      h(
        "div",
        { class: "controls" },
        h("label", { class: "field" }, h("span", {}, "Where is a human language near the best?"), this.select),
        percent,
      ),
      h(
        "div",
        { class: "bench" },
        h(
          "section",
          { class: "card", "aria-label": "The plane" },
          this.phases.legend,
          this.phases.element,
          this.phases.saving,
          this.region,
          h(
            "p",
            { class: "note" },
            "Move over the plane, or use the arrow keys (with Shift five cells at a time). A click keeps a cell, another lets it go.",
          ),
        ),
        h("section", { class: "card", "aria-label": "The best system there" }, this.card.element),
      ),
    );
    this.drawRegion();
    this.phases.go(
      this.phases.nearest(Number(fields.get("precision")) || FIRST.precision, Number(fields.get("word")) || FIRST.word),
    );
  }

  moved(place) {
    this.place = place;
    announce(this.card.draw(place));
    this.rewrite();
  }

  choose(name) {
    this.language = this.select.value = name;
    this.drawRegion();
    this.rewrite();
  }

  widen(field) {
    if (!field.checkValidity()) return;
    this.within = Number(field.value);
    this.drawRegion();
    this.rewrite();
  }

  // Browsers refuse an address that changes at every move.
  rewrite() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { precision, word } = this.phases.prices(this.place);
      const region = this.language ? { language: this.language, within: this.within } : {};
      rewrite(link({ view: "kinds", precision: rounded(precision), word: rounded(word), ...region }));
    }, SETTLED);
  }

  drawRegion() {
    const speakers = this.diagram.languages.find((each) => each.names.includes(this.language));
    if (!speakers) {
      this.phases.mark([]);
      replace(this.region);
      return;
    }
    const inside = [...speakers.excess.keys()].filter((place) => speakers.excess[place] <= this.within / 100);
    this.phases.mark(inside);
    const nearest = speakers.excess.indexOf(Math.min(...speakers.excess));
    const { precision, word } = this.phases.prices(nearest);
    replace(
      this.region,
      h("b", {}, this.language),
      ` (${speakers.kind}, `,
      h("code", {}, speakers.system),
      ") is ",
      inside.length
        ? `within ${this.within} % of the best in the framed ${share(inside.length / this.diagram.cells.length)} of the plane`
        : `nowhere within ${this.within} % of the best`,
      `; nearest, with ${share(speakers.excess[nearest])} more, at `,
      h(
        "button",
        { type: "button", class: "link", onclick: () => this.phases.go(nearest) },
        `precision ${rounded(precision)}, word ${rounded(word)}`,
      ),
      ". That is what its speakers would have to care about.",
    );
    announce(this.region.textContent);
  }

  close() {
    clearTimeout(this.timer);
  }
}

function languageChoice(languages, chosen, onChange) {
  const groups = new Map();
  for (const each of languages) groups.set(each.kind, [...(groups.get(each.kind) ?? []), ...each.names]);
  return h(
    "select",
    { name: "language", onchange: (event) => onChange(event.target.value) },
    h("option", { value: "" }, "choose a language"),
    [...groups].map(([kind, names]) =>
      h(
        "optgroup",
        { label: kind },
        names
          .sort((one, other) => one.localeCompare(other))
          .map((name) => h("option", { value: name, selected: name === chosen }, name)),
      ),
    ),
  );
}
