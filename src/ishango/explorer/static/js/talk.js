// Talk to the agents of a run: what the speaker says for a number, and what the listener makes of it.

import { get, snapshot } from "./api.js";
import { Chart } from "./chart.js";
import { announce, h, heading, notice, replace } from "./dom.js";
import { listen } from "./live.js";
import { link, rewrite } from "./route.js";
import { spaced } from "./sets.js";

export const title = "Talk";
const TEXT = "Two small neural networks made up a language of their own. The speaker reads how a number is expressed and says one "
  + "symbol for each word of it; the listener hears only the symbols and guesses the number. Pick a number and listen.";

export function show(main, { fields }) {
  main.append(heading(title, TEXT));
  if (snapshot) {
    main.append(notice("A snapshot does not hold the agents; run ishango explore to talk to them."));
    return null;
  }
  const name = fields.get("talk");
  const select = h("select", { onchange: () => { if (select.value) location.hash = link({ talk: select.value }); } });
  const box = h("div", {});
  main.append(h("div", { class: "controls" }, h("label", { class: "field wide" }, h("span", {}, "Agents of the run"), select)), box);
  const stop = listen(({ runs }) => fill(select, runs.filter((run) => run.can_talk), name, box));
  const talk = name ? new Talk(box, name, Number(fields.get("n")) || 7) : null;
  return () => { stop(); talk?.close(); };
}

function fill(select, runs, name, box) {
  const names = runs.map((run) => run.name);
  replace(select, h("option", { value: "" }, names.length ? "choose a run" : "no run has agents yet"),
    names.map((each) => h("option", { value: each, selected: each === name }, each)));
  if (!name && !names.length) {
    replace(box, notice("There are no agents to talk to yet: start a run from the builder, or with ishango evolve."));
  } else if (!name) location.replace(link({ talk: names[0] }));
}

class Talk {
  constructor(box, name, number) {
    Object.assign(this, { box, name, number, closed: false, entries: [] });
    this.about = h("p", { class: "note" });
    this.numbers = h("div", { class: "tiles numbers", role: "group", "aria-label": "Numbers", onkeydown: (event) => this.key(event) });
    this.said = h("div", { class: "exchange" });
    this.speaker = new Chart(h("div", {}), { label: "Probabilities of the speaker’s symbols" });
    this.listener = new Chart(h("div", {}), { label: "The listener’s probabilities of the numbers" });
    this.dictionary = h("section", { class: "card", "aria-label": "Dictionary" });
    replace(box,
      h("section", { class: "card", "aria-label": "Numbers" }, h("h2", {}, "Pick a number"), this.numbers, this.about),
      h("section", { class: "card", "aria-label": "Exchange" }, this.said, h("div", { class: "pair" },
        h("div", {}, h("h3", {}, "What the speaker may say"), h("p", { class: "note" }, "The likeliest symbols at each place, three at most."), this.speaker.element),
        h("div", {}, h("h3", {}, "What the listener hears"), h("p", { class: "note" }, "How probable it finds each number."), this.listener.element))),
      this.dictionary);
    this.load();
  }

  async load() {
    try {
      const dictionary = await get("api/dictionary", { name: this.name });
      if (this.closed) return;
      this.entries = dictionary.entries;
      this.drawNumbers();
      this.drawAbout(dictionary);
      this.drawDictionary();
      await this.pick(Math.min(this.number, this.entries.length));
    } catch (error) {
      if (!this.closed) replace(this.box, notice(error.message, "error"));
    }
  }

  async pick(number) {
    this.number = number;
    rewrite(link({ talk: this.name, n: number }));
    for (const each of this.numbers.children) {
      const mine = Number(each.dataset.number) === number;
      each.setAttribute("aria-pressed", String(mine));
      each.tabIndex = mine ? 0 : -1;
    }
    const exchange = await get("api/exchange", { name: this.name, number });
    if (this.closed || number !== this.number) return;
    this.drawSaid(exchange);
    await Promise.all([this.speaker.draw(exchange.speaker), this.listener.draw(exchange.listener)]);
    this.said.dataset.number = String(number);
  }

  drawSaid({ number, expression, message, said, heard, understood }) {
    const right = heard === number;
    replace(this.said,
      bubble("meant", String(number), "the number"), arrow(), bubble("read", pretty(expression), "how it is expressed"), arrow(),
      bubble("message", message.map((symbol) => h("kbd", {}, String(symbol))), `said with probability ${percent(said)}`), arrow(),
      bubble(right ? "heard right" : "heard wrong", String(heard), right ? `guessed right, ${percent(understood)} sure` : `misunderstood; ${number} gets ${percent(understood)}`));
    announce(`${number} is ${expression}, said as ${message.join(" ")}, heard as ${heard}.`);
  }

  drawNumbers() {
    replace(this.numbers, this.entries.map((each) => h("button", { type: "button", class: `tile ${each.heard === each.number ? "" : "confused"}`,
      tabIndex: -1, "data-number": String(each.number), "aria-label": `${each.number}, ${each.heard === each.number ? "understood" : `heard as ${each.heard}`}`,
      onclick: () => this.pick(each.number) }, String(each.number))));
  }

  drawAbout({ round, digits, multipliers, topographic_similarity: similarity }) {
    const confused = this.entries.filter((each) => each.heard !== each.number).map((each) => each.number);
    this.about.textContent = `After round ${round}, with D ${spaced(digits)} and M ${spaced(multipliers)}. `
      + (confused.length ? `Still confused (striped): ${spaced(confused)}. ` : "Every number is understood. ")
      + (similarity === null ? "" : `Similar expressions get similar messages to a degree of ${similarity.toFixed(2)} (topographic similarity, at most 1).`);
  }

  drawDictionary() {
    const head = h("tr", {}, ["number", "expression", "message", "said", "heard as", "understood", "shared by"].map((name) => h("th", { scope: "col" }, name)));
    const rows = this.entries.map((each) => h("tr", { class: each.heard === each.number ? undefined : "wrong" },
      h("th", { scope: "row", class: "number" }, String(each.number)), h("td", { class: "set" }, pretty(each.expression)),
      h("td", { class: "set" }, each.message), h("td", { class: "number" }, percent(each.said)), h("td", { class: "number" }, String(each.heard)),
      h("td", { class: "number" }, percent(each.understood)), h("td", { class: "number" }, each.shared_by > 1 ? `${each.shared_by} numbers` : "–")));
    replace(this.dictionary, h("h2", {}, "The whole dictionary"),
      h("p", { class: "note" }, "The likeliest message for each number. Two numbers that share a message cannot both be understood."),
      h("div", { class: "scroll tallest" }, h("table", {}, h("thead", {}, head), h("tbody", {}, rows))));
  }

  key(event) {
    const move = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -10, ArrowDown: 10 }[event.key];
    const next = this.numbers.children[Number(event.target.dataset.number) + (move ?? NaN) - 1];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.click();
  }

  close() {
    this.closed = true;
    this.speaker.close();
    this.listener.close();
  }
}

function bubble(kind, content, text) {
  return h("div", { class: `bubble ${kind}` }, h("strong", {}, content), h("span", { class: "note" }, text));
}

function arrow() {
  return h("span", { class: "arrow", "aria-hidden": "true" }, "→");
}

function pretty(expression) {
  return expression.replaceAll("*", "·").replaceAll("-", "−");
}

function percent(share) {
  return `${(100 * share).toFixed(share > 0.99 && share < 0.9995 ? 1 : 0)} %`;
}
