// The best system of one cell: what it says for each number, what that costs, what is proved, and who speaks alike.

import { snapshot } from "./api.js";
import { first, label } from "./choices.js";
import { decimals } from "./controls.js";
import { counted, h, replace } from "./dom.js";
import { rounded } from "./phases.js";
import { systemLink } from "./route.js";
import { parseSet, spaced } from "./sets.js";

const NEAREST = 5,
  HUNDRED = 100,
  LONGEST = 7;

export class CellCard {
  diagram;
  element;
  onLanguage;

  constructor(diagram, onLanguage) {
    Object.assign(this, { diagram, onLanguage, element: h("div", { class: "cellcard" }) });
  }

  // Draws a cell, and returns it in a sentence.
  draw(place) {
    const cell = this.diagram.cells[place],
      bands = this.diagram.sayings[cell.saying];
    const rows = this.diagram.words.length;
    const precision = this.diagram.precisions[Math.floor(place / rows)],
      word = this.diagram.words[place % rows];
    replace(
      this.element,
      h("p", { class: "note" }, `Precision ${rounded(precision)}, a word costs ${rounded(word)}`),
      h(
        "h2",
        {},
        h("i", { class: `swatch kind-${this.diagram.kinds.indexOf(cell.kind)}` }),
        h("span", {}, kindWords(cell, this.diagram.range)),
      ),
      lexicon(cell),
      h("p", { class: "proof" }, proofWords(cell)),
      costs(cell, precision, word, this.diagram.effort),
      h("h3", {}, "What is said for which number"),
      line(bands, this.diagram.range),
      list(bands),
      h("h3", {}, "Human languages nearest to the best here"),
      this.nearest(place),
      h(
        "p",
        { class: "note" },
        `By how much they cost more, above the one symbol that every system pays. Error: ${this.diagram.error}; numbers ` +
          `1 to ${this.diagram.range}, needed ${label("needs", this.diagram.need)}.`,
      ),
    );
    this.element.dataset.place = String(place);
    return (
      `Precision ${rounded(precision)}, word ${rounded(word)}: ${kindWords(cell, this.diagram.range)}, ${counted(cell.size, "word")}, ` +
      `cost ${decimals(cell.cost, 3)}, ${cell.proved ? "proved" : "not proved"}.`
    );
  }

  nearest(place) {
    const near = [...this.diagram.languages]
      .sort((one, other) => one.excess[place] - other.excess[place])
      .slice(0, NEAREST);
    return h(
      "ol",
      { class: "nearest" },
      near.map((each) =>
        h(
          "li",
          {},
          h(
            "span",
            {},
            h(
              "button",
              { type: "button", class: "link", onclick: () => this.onLanguage(each.names[0]) },
              each.names[0],
            ),
            each.names.length > 1
              ? h("span", { class: "note", title: each.names.join(", ") }, ` and ${each.names.length - 1} more`)
              : null,
          ),
          h("span", { class: "number" }, `+ ${share(each.excess[place])}`),
        ),
      ),
    );
  }
}

export function share(value) {
  const percent = HUNDRED * Math.max(0, value);
  return `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)} %`;
}

function kindWords(cell, range) {
  return cell.exact_upto === range
    ? `${cell.kind}: every number exactly`
    : `${cell.kind}, exact up to ${cell.exact_upto}`;
}

function lexicon(cell) {
  const digits = parseSet(cell.digits, Infinity),
    multipliers = parseSet(cell.multipliers, Infinity);
  return h(
    "p",
    { class: "lexicon" },
    h(
      "span",
      {},
      "Words ",
      h("b", { class: "digit" }, spaced(digits)),
      multipliers.length ? [", counting in ", h("b", { class: "multiplier" }, spaced(multipliers))] : null,
      multipliers.length && !snapshot
        ? [" · ", h("a", { href: systemLink(digits, multipliers, first("grammars")) }, "in the builder")]
        : null,
    ),
  );
}

function proofWords(cell) {
  if (cell.proved) return "Proved: no system costs less.";
  return (
    `Not proved: the best that was found. No system costs less than ${decimals(cell.lower, 3)}, which is ` +
    `${share(1 - cell.lower / cell.cost)} below.`
  );
}

function costs(cell, precision, word, effort) {
  const one = (name, value, text) =>
    h(
      "div",
      {},
      h("dt", {}, name),
      h("dd", { "data-cost": name }, decimals(value, 3)),
      h("dd", { class: "note" }, text),
    );
  return h(
    "dl",
    { class: "figures four" },
    one("words", cell.words_cost, `${cell.size} × ${rounded(word)}`),
    one("effort", cell.effort_cost, `${decimals(effort ? cell.effort_cost / effort : 0, 2)} symbols on average`),
    one("error", cell.error_cost, `${rounded(cell.error_cost / precision)} × ${rounded(precision)}`),
    one("together", cell.cost, "what the law counts"),
  );
}

// The number line: one box a number, the same tone for what is said with as many symbols, faint where another is said.
function line(bands, range) {
  const boxes = Array(range);
  bands.forEach((band, i) => {
    const numbers = parseSet(band.numbers, range);
    for (const n of numbers) {
      const exact = n === band.said;
      boxes[n - 1] = h("span", {
        class: `${exact ? "exact" : "about"}${numbers.includes(n - 1) ? "" : " begins"}`,
        "data-symbols": String(tone(band)),
        "data-band": String(i),
        title: exact ? `${n} is ${pretty(band)}` : `${n} is said as ${pretty(band)}`,
      });
    }
  });
  const marks = [1, 10, 20, 30, 40, 50]
    .filter((n) => n <= range)
    .map((n) => {
      const mark = h("span", {}, String(n));
      mark.style.left = `${(HUNDRED * (n - 0.5)) / range}%`;
      return mark;
    });
  const strip = h(
    "div",
    { class: "strip", role: "img", "aria-label": `The numbers 1 to ${range}; the list below says the same` },
    boxes,
  );
  strip.style.gridTemplateColumns = `repeat(${range}, minmax(0, 1fr))`;
  return h("div", { class: "bandline" }, strip, h("div", { class: "ticks", "aria-hidden": "true" }, marks), key(bands));
}

function key(bands) {
  const counts = [...new Set(bands.map(tone))].sort((one, other) => one - other);
  const words = (count) =>
    count === 1 ? "a word" : count === LONGEST ? `${count} symbols or more` : `${count} symbols`;
  const about = bands.some((band) => band.numbers !== String(band.said));
  return h(
    "p",
    { class: "legend" },
    counts.map((count) => h("span", {}, h("i", { class: "swatch", "data-symbols": String(count) }), words(count))),
    about
      ? h("span", {}, h("i", { class: "swatch about", "data-symbols": "1" }), "faint: said as a number near it")
      : null,
  );
}

// Words that name themselves alone are told together.
function list(bands) {
  const alone = bands.filter((band) => symbols(band) === 1 && band.numbers === String(band.said));
  const others = bands.filter((band) => !alone.includes(band));
  const items = others.map((band) =>
    h(
      "li",
      {},
      h("span", {}, band.numbers.replaceAll("-", "–").replaceAll(",", ", ")),
      " → ",
      h("b", {}, pretty(band)),
    ),
  );
  if (alone.length)
    items.unshift(
      h(
        "li",
        {},
        spaced(alone.map((band) => band.said)),
        " → ",
        h("b", {}, alone.length > 1 ? "each its word" : "its word"),
      ),
    );
  return h("ul", { class: "sayings", tabIndex: 0, "aria-label": "What is said" }, items);
}

function symbols(band) {
  return band.expression.split(" ").length;
}

// Beyond seven all are one.
function tone(band) {
  return Math.min(symbols(band), LONGEST);
}

function pretty(band) {
  return band.expression.replaceAll("*", "·").replaceAll("-", "−");
}
