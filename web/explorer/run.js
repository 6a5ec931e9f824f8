// One run, on a page of its own: how it came to be, the way it went, its words, how the agents did, what was tried.

import { get } from "./api.js";
import { Chart } from "./chart.js";
import { label } from "./choices.js";
import { decimals } from "./controls.js";
import { h, notice, painted, replace, scrolling } from "./dom.js";
import { listen, studyOf } from "./live.js";
import { Measures } from "./measures.js";
import { Player, roundIn } from "./player.js";
import { link, rewrite } from "./route.js";
import { badge } from "./rows.js";
import { Actions } from "./run_actions.js";
import { spaced } from "./sets.js";
import { Settings } from "./settings.js";

export const title = "Run";
const CHARTS = {
  path: ["The way it went", "The open circle is the start."],
  kinds: ["Its kind", "What the system of each round costs by the law; the colour is its kind."],
  lexicon: [
    "Its words",
    "Each band is a word of the lexicon: blue while it is a digit, orange while it is a multiplier.",
  ],
  communication: [
    "How well the agents do",
    "The share of games won at the end of each round and, where two systems compete, the bandit’s value (Q) of both: by the paper’s rule the higher one is kept.",
  ],
  mutations: ["What was tried", "Modifications of the lexicon, and how often the changed system was kept."],
};
// What is added where only some rounds of a long file were read.
const SAMPLED = {
  lexicon: "Of the rounds that were read: a word that was there for a short while between two of them is not seen.",
  communication: "Of the rounds that were read.",
  mutations: "Counted over the rounds that were read, which are a sample: only their proportions mean something.",
};
const SOONEST = 900,
  SETTLED = 250;

export function show(main, { fields }) {
  const name = fields.get("run");
  const view = new RunPage(main, name, fields);
  const stop = listen(({ runs, changed, first, goneAt }) => {
    view.gone(goneAt);
    if (!view.box.dataset.round) view.glimpse(runs.find((run) => run.name === name));
    if (!first && changed.includes(name)) view.changed();
  });
  return () => {
    stop();
    view.close();
  };
}

class RunPage {
  name;

  constructor(main, name, fields) {
    Object.assign(this, { name, timer: 0, closed: false, last: 0, writing: 0 });
    this.way = h("nav", { class: "crumbs", "aria-label": "Where this run is" }, h("a", { href: "#view=runs" }, "Runs"));
    this.heading = h("span", {}, name);
    this.badge = h("span", {});
    this.sentence = h("p", { class: "lead" }, "Reading the run …");
    this.message = h("div", {});
    this.lost = h("div", {});
    this.actions = new Actions(name, () => this.load());
    this.facts = h("dl", { class: "figures small" });
    this.player = new Player((round) => this.at(round), roundIn(fields));
    this.charts = {};
    this.cards = {};
    this.besides = {};
    for (const [key, [words, text]] of Object.entries(CHARTS)) {
      const element = h("div", {});
      this.charts[key] = new Chart(element, { label: `${words}. ${text}` });
      this.besides[key] = h("span", {});
      this.cards[key] = h(
        "section",
        { class: "card", hidden: true, "data-chart": key },
        h("h2", {}, words),
        h("p", { class: "note" }, `${text} `, this.besides[key]),
        element,
        key === "path" ? this.player.element : null,
      );
    }
    this.measures = new Measures([name], fields.get("measure"), () => this.remember());
    this.settings = new Settings();
    this.rounds = h("details", { class: "card", hidden: true });
    this.box = h(
      "div",
      { class: "runpage" },
      this.way,
      h(
        "div",
        { class: "heading runhead" },
        h("h1", {}, this.heading, " ", this.badge),
        h("p", { class: "note path" }, name),
        this.sentence,
      ),
      this.lost,
      this.message,
      this.actions.element,
      h("section", { class: "card", "aria-label": "Where it is" }, this.facts),
      h("div", { class: "pair" }, Object.values(this.cards)),
      this.measures.element,
      this.settings.element,
      this.rounds,
    );
    main.append(this.box);
    this.load();
  }

  // Many rounds may come in a second; the charts need not follow each.
  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), Math.max(0, this.last + SOONEST - performance.now()));
  }

  // One round for all charts: the path up to it, a line through the others; and the address says which.
  at(round) {
    this.charts.path.signal("round", round);
    this.mark();
    this.remember();
  }

  remember() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      if (!this.closed) rewrite(link({ run: this.name, round: this.player.text, measure: this.measures.text }));
    }, SETTLED);
  }

  mark() {
    const round = this.player.round < this.player.last ? this.player.round : null;
    for (const chart of [this.charts.lexicon, this.charts.communication, this.charts.kinds, this.measures.chart])
      chart.mark(round);
  }

  gone(since) {
    replace(
      this.lost,
      since
        ? notice(
            `The server has not answered since ${since.toLocaleTimeString("en-GB")}; what follows is how the run was then.`,
            "error",
          )
        : [],
    );
    this.actions.disable(Boolean(since));
  }

  // What the list knows of the run already, until the server has answered for it.
  glimpse(run) {
    if (!run) return;
    this.heading.textContent = run.title;
    replace(this.badge, badge(run));
    replace(this.facts, facts({ run, study: studyOf(run) }));
  }

  async load() {
    this.last = performance.now();
    try {
      const details = await get("api/run", { name: this.name });
      if (!this.closed) await this.draw(details);
    } catch (error) {
      if (this.closed) return;
      if (!this.box.dataset.round) {
        this.sentence.textContent = "";
        this.actions.element.hidden = true;
      }
      replace(this.message, notice(error.message, "error"));
    }
  }

  async draw(details) {
    const { run, study } = details;
    this.heading.textContent = run.title;
    replace(this.badge, badge(run));
    this.sentence.textContent = sentence(details);
    replace(this.message, this.words(details));
    if (run.state === "unreadable") {
      this.actions.element.hidden = true;
      return;
    }
    if (study)
      replace(
        this.way,
        h("a", { href: "#view=runs" }, "Runs"),
        " › ",
        h(
          "a",
          {
            href: link({
              view: "runs",
              open: study.id,
              ...(study.directory ? { "f.directory": study.directory } : {}),
            }),
          },
          `${study.directory || "this directory"}: ${study.who}`,
        ),
      );
    this.actions.element.hidden = false;
    this.actions.draw(details);
    replace(this.facts, facts(details));
    this.settings.draw(details);
    this.player.setRounds(Math.max(0, run.round), details.path ? 1 : 0);
    this.charts.path.signals.round = this.player.round;
    for (const key of Object.keys(CHARTS)) {
      this.cards[key].hidden = !details[key];
      this.besides[key].textContent = (key === "path" ? details.unattainable : details.whole ? "" : SAMPLED[key]) ?? "";
    }
    // What is written can be read while charts are drawn, one after the other.
    for (const key of Object.keys(CHARTS)) {
      if (!details[key]) continue;
      await painted();
      if (this.closed) return;
      await this.charts[key].draw(details[key]);
    }
    this.measures.draw(details.measures, run.round);
    this.mark();
    this.drawRounds(details.rounds);
    this.box.dataset.round = String(run.round);
  }

  words({ run, whole }) {
    const said = [];
    if (run.message)
      said.push(notice(run.message, run.state === "failed" || run.state === "unreadable" ? "error" : "note"));
    if (run.state === "starting")
      said.push(
        notice(
          "The run is starting: its process loads the package and compiles what it needs, which takes some seconds.",
        ),
      );
    else if (run.state === "running" && run.round < 0)
      said.push(
        notice(
          run.steps
            ? "No round is recorded yet: the agents are trained with the first system before anything changes."
            : "No round is recorded yet.",
        ),
      );
    if (!whole)
      said.push(notice("The file of its rounds is very long: charts show rounds from all over it, not every one."));
    return said;
  }

  drawRounds(rounds) {
    this.rounds.hidden = rounds.length === 0;
    const isOpen = this.rounds.open;
    const head = h(
      "tr",
      {},
      ["round", "modification", "alternative", "kept", "change of average", "size", "gap"].map((name) =>
        h("th", { scope: "col" }, name),
      ),
    );
    const rows = rounds
      .toReversed()
      .map((each) =>
        h(
          "tr",
          {},
          h("td", { class: "number" }, String(each.round)),
          h("td", {}, each.action ? label("modifications", each.action) : "–"),
          h("td", { class: "set" }, each.alternative ?? "–"),
          h("td", {}, each.accepted === null ? "–" : each.accepted ? "kept" : "refused"),
          h("td", { class: "number" }, decimals(each.delta_average)),
          h("td", { class: "number" }, String(each.size)),
          h("td", { class: "number" }, decimals(each.gap)),
        ),
      );
    replace(
      this.rounds,
      h("summary", {}, `Round by round: the last ${rounds.length}`),
      scrolling("Rounds", h("table", {}, h("thead", {}, head), h("tbody", {}, rows))),
    );
    this.rounds.open = isOpen;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.player.close();
    this.measures.close();
    for (const each of Object.values(this.charts)) each.close();
  }
}

// Who decides, and the rules: nobody is said to talk where nobody does.
function sentence({ run, study, settings }) {
  if (!study) return "What is in its directory cannot be read.";
  const value = Object.fromEntries(settings.map((each) => [each.name, each.value]));
  const rules = [
    value.start !== undefined ? `Start ${value.start}` : null,
    value.grammar ? `grammar ${label("grammars", value.grammar)}` : null,
    value.need ? `need ${label("needs", value.need)}` : null,
    study.agents && value["game.reward"] ? `reward ${value["game.reward"]}` : null,
    value.add ? `new words: ${label("add_rules", value.add)}` : null,
    `seed ${run.seed}`,
  ].filter(Boolean);
  const who = study.agents
    ? capital(study.means || study.who)
    : `Nobody talks in this run. ${capital(study.who)}${study.means ? `: ${study.means}` : ""}`;
  return `${who}. ${capital(rules.join(", "))}.`;
}

function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function facts({ run, study }) {
  const found = { "who decides": study?.who };
  if (run.digits?.length || run.multipliers?.length)
    Object.assign(found, {
      [run.round < 0 ? "D, at the start" : "D"]: spaced(run.digits),
      [run.round < 0 ? "M, at the start" : "M"]: spaced(run.multipliers),
    });
  if (run.size !== null) found.size = run.size;
  if (run.average_complexity !== null) found["average complexity"] = decimals(run.average_complexity);
  else if (run.cost !== null) found.cost = decimals(run.cost);
  if (run.gap !== null) found["gap to the frontier"] = decimals(run.gap);
  // A few frequent numbers win most games, so how many are understood stands beside, or that nobody counted.
  if (run.accuracy !== null) {
    const games = !study || study.won === "games won";
    found[games ? "games won, last 500 steps" : study.won] = `${(100 * run.accuracy).toFixed(1)} %`;
    found["numbers understood"] = run.numbers_understood ?? "not recorded";
    if (games) found["different messages"] = run.messages ?? "not recorded";
  }
  if (run.steps) found["steps a round"] = run.steps.toLocaleString("en");
  return Object.entries(found).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value))));
}
