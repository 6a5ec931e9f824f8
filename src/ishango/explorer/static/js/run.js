// One run: the way it went, its words, how the agents did, what was tried.

import { get, post } from "./api.js";
import { Chart } from "./chart.js";
import { label } from "./choices.js";
import { decimals } from "./controls.js";
import { announce, h, notice, replace } from "./dom.js";
import { Player } from "./player.js";
import { link, systemLink } from "./route.js";
import { badge } from "./runs.js";
import { spaced } from "./sets.js";

const CHARTS = {
  path: ["The way it went", "Lexicon size against average complexity, by the paper’s need; the open circle is the start."],
  kinds: ["Which kind it is", "What its system costs under the law of its round, and which kind it is by what is said."],
  lexicon: ["Its words", "Each band is a word of the lexicon: blue while it is a digit, orange while it is a multiplier."],
  communication: ["How well the agents do", "The share of games won at the end of each round and, where two systems compete, the bandit’s value (Q) of both: by the paper’s rule the higher one is kept."],
  mutations: ["What was tried", "Modifications of the lexicon, and how often the changed system was kept."],
};
const SOONEST = 900;

export class RunView {
  constructor(box, name) {
    Object.assign(this, { box, name, timer: 0, closed: false, last: 0 });
    this.head = h("div", { class: "runhead" });
    this.player = new Player((round) => this.charts.path.signal("round", round));
    this.charts = {};
    this.cards = {};
    for (const [key, [title, text]] of Object.entries(CHARTS)) {
      const element = h("div", {});
      this.charts[key] = new Chart(element, { label: `${title}. ${text}` });
      this.cards[key] = h("section", { class: "card", hidden: true, "data-chart": key },
        h("h2", {}, title), h("p", { class: "note" }, text), element, key === "path" ? this.player.element : null);
    }
    this.rounds = h("details", { class: "card", hidden: true });
    replace(box, h("section", { class: "card", "aria-label": "Run" }, this.head),
      h("div", { class: "pair" }, Object.values(this.cards)), this.rounds);
    this.load();
  }

  // Many rounds may come in a second; the charts need not follow each.
  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), Math.max(0, this.last + SOONEST - performance.now()));
  }

  async load() {
    this.last = performance.now();
    try {
      const details = await get("api/run", { name: this.name });
      if (this.closed) return;
      this.drawHead(details.run);
      this.player.setRounds(Math.max(0, details.run.round), details.path ? 1 : 0);
      this.charts.path.signals.round = this.player.round;
      await Promise.all(Object.keys(CHARTS).map((key) => this.drawChart(key, details[key])));
      this.drawRounds(details.rounds);
      this.box.dataset.round = String(details.run.round);
    } catch (error) {
      if (!this.closed) replace(this.head, h("h2", {}, this.name), notice(error.message, "error"));
    }
  }

  drawChart(key, figure) {
    this.cards[key].hidden = !figure;
    return figure ? this.charts[key].draw(figure) : null;
  }

  drawHead(run) {
    if (this.closed) return;
    if (run.state === "unreadable") {
      replace(this.head, h("h2", {}, run.name, " ", badge(run)), notice(run.message, "error"));
      return;
    }
    const done = run.rounds ? Math.max(0, run.round) / run.rounds : 1;
    const text = `Round ${Math.max(0, run.round)} of ${run.rounds}`;
    replace(this.head,
      h("h2", {}, run.name, " ", badge(run)),
      h("p", {}, h("progress", { value: done, max: 1, "aria-label": text }), ` ${text}`),
      run.message ? notice(run.message, run.state === "failed" ? "error" : "note") : null,
      h("dl", { class: "figures small" }, this.figures(run)),
      h("p", { class: "row" }, this.actions(run)));
    announce(`${run.name}: ${run.state}, round ${Math.max(0, run.round)} of ${run.rounds}.`);
  }

  figures(run) {
    const facts = { D: spaced(run.digits), M: spaced(run.multipliers), average: decimals(run.average_complexity), gap: decimals(run.gap) };
    if (run.kind) Object.assign(facts, { kind: run.kind, cost: decimals(run.cost) });
    if (run.accuracy !== null) facts.accuracy = `${(100 * run.accuracy).toFixed(1)} %`;
    Object.assign(facts, { start: run.start, seed: run.seed });
    if (run.steps) facts["steps a round"] = run.steps.toLocaleString("en");
    return Object.entries(facts).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value))));
  }

  actions(run) {
    return [
      run.digits.length || run.multipliers.length
        ? h("a", { class: "button", href: systemLink(run.digits, run.multipliers, run.grammar) }, "Open its system in the builder") : null,
      run.can_talk ? h("a", { class: "button", href: link({ talk: run.name }) }, "Talk to its agents") : null,
      run.can_stop ? h("button", { type: "button", class: "stop", onclick: (event) => this.stop(event.target) }, "Stop the run") : null,
    ];
  }

  async stop(button) {
    button.disabled = true;
    try {
      await post("api/runs/stop", { name: this.name });
    } catch (error) {
      this.head.append(notice(error.message, "error"));
    }
  }

  drawRounds(rounds) {
    this.rounds.hidden = rounds.length === 0;
    const isOpen = this.rounds.open;
    const hasKinds = rounds.some((each) => each.kind);
    const names = ["round", "modification", "alternative", "kept", "change of average", "size", "gap", ...(hasKinds ? ["kind", "precision", "cost"] : [])];
    const kinds = (each) => [h("td", {}, each.kind), h("td", { class: "number" }, decimals(each.precision, 3)), h("td", { class: "number" }, decimals(each.cost))];
    const head = h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)));
    const rows = rounds.toReversed().map((each) => h("tr", {}, h("td", { class: "number" }, String(each.round)), h("td", {}, each.action ? label("modifications", each.action) : "–"),
      h("td", { class: "set" }, each.alternative ?? "–"), h("td", {}, each.accepted === null ? "–" : each.accepted ? "kept" : "refused"),
      h("td", { class: "number" }, decimals(each.delta_average)), h("td", { class: "number" }, String(each.size)), h("td", { class: "number" }, decimals(each.gap)), hasKinds ? kinds(each) : null));
    replace(this.rounds, h("summary", {}, `Round by round: the last ${rounds.length}`),
      h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), h("tbody", {}, rows))));
    this.rounds.open = isOpen;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.player.close();
    for (const each of Object.values(this.charts)) each.close();
  }
}
