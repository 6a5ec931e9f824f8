// Two to four runs laid over each other.

import { get, snapshot } from "./api.js";
import { natural, sortedRuns, study, valueIn, worded } from "./bench.js";
import { Chart } from "./chart.js";
import { decimals } from "./controls.js";
import { counted, h, heading, notice, replace, scrolling } from "./dom.js";
import { listen } from "./live.js";
import { Measures } from "./measures.js";
import { Player, roundIn } from "./player.js";
import { link, rewrite } from "./route.js";
import { badge, show as said } from "./rows.js";

export const title = "Compare runs";
const TEXT =
  "Up to four runs laid over each other: where they went, any measure over their rounds, and what differs between their configs.";
const MOST = 4,
  OFFERED = 300,
  FEW = 4,
  SETTLED = 250;

export function show(main, { fields }) {
  const names = [...new Set(fields.getAll("compare").filter(Boolean))].slice(0, MOST);
  main.append(heading(title, TEXT));
  if (snapshot) {
    main.append(notice("A snapshot does not hold this; run ishango explore to compare runs."));
    return null;
  }
  const view = new Comparison(main, names, fields);
  const stop = listen((news) => view.offer(news.runs));
  return () => {
    stop();
    view.close();
  };
}

function address(names) {
  return `#${names.map((name) => `compare=${encodeURIComponent(name)}`).join("&")}`;
}

class Comparison {
  names;

  constructor(main, names, fields) {
    Object.assign(this, { names, closed: false, runs: [], colours: [], writing: 0 });
    this.groups = names.length === 2 ? new GroupsOfTwo(names, fields.get("groups"), () => this.remember()) : null;
    this.chips = h("ul", { class: "chips" });
    this.select = h("select", {
      name: "add",
      onchange: () => {
        if (this.select.value) location.hash = address([...names, this.select.value]);
      },
    });
    this.near = h("div", { class: "suggested", hidden: true });
    this.adder = h("label", { class: "field wide" }, h("span", {}, "Add a run"), this.select);
    this.said = h("div", {});
    this.chart = new Chart(h("div", {}), { label: "The ways that the runs went" });
    this.player = new Player((round) => {
      this.chart.signal("round", round);
      this.remember();
    }, roundIn(fields));
    this.proved = h("p", { class: "note" });
    this.path = h(
      "section",
      { class: "card", hidden: true, "data-chart": "path" },
      h("h2", {}, "The ways they went"),
      this.proved,
      this.chart.element,
      this.player.element,
    );
    this.measures = new Measures(names, fields.get("measure"), () => this.remember());
    this.table = h("section", { class: "card", hidden: true });
    this.adder.hidden = names.length >= MOST;
    main.append(
      h("section", { class: "card", "aria-label": "Runs to compare" }, this.chips, this.near, this.adder),
      this.said,
      this.groups?.element ?? "",
      this.path,
      this.measures.element,
      this.table,
    );
    this.drawChips();
    if (names.length > 1) this.load();
    else replace(this.said, notice("Choose at least one more run to lay over this one."));
  }

  // What is looked at is in the address, a moment after it has come to rest: round, measure, groups.
  remember() {
    clearTimeout(this.writing);
    const more = () =>
      link({ round: this.player.text, measure: this.measures.text, groups: this.groups?.text }).slice(1);
    this.writing = setTimeout(() => {
      if (!this.closed) rewrite([address(this.names), more()].filter(Boolean).join("&"));
    }, SETTLED);
  }

  drawChips() {
    const key = JSON.stringify([this.colours, this.names.map((name) => titleOf(this.runs, name))]);
    if (key === this.chipsKey) return;
    this.chipsKey = key;
    replace(
      this.chips,
      this.names.map((name, place) =>
        h(
          "li",
          { class: `laid group-${this.colours[place] ?? "other"}` },
          h("i", { "aria-hidden": "true" }),
          h("a", { href: link({ run: name }), title: name }, titleOf(this.runs, name)),
          h(
            "button",
            {
              type: "button",
              class: "quiet",
              "aria-label": `Leave ${name} out`,
              onclick: () => {
                location.hash =
                  this.names.length > 1 ? address(this.names.filter((each) => each !== name)) : "#view=runs";
              },
            },
            "×",
          ),
        ),
      ),
    );
  }

  // Runs of the same study first, then of the same directory.
  offer(runs) {
    this.runs = runs;
    this.drawChips();
    this.groups?.offer(runs);
    this.suggest(runs);
    const mine = runs.filter((run) => this.names.includes(run.name)),
      others = runs.filter((run) => !this.names.includes(run.name) && run.state !== "unreadable");
    const near = (run) =>
      mine.some((each) => each.study === run.study)
        ? 0
        : mine.some((each) => study(each).directory === study(run).directory)
          ? 1
          : 2;
    const offered = sortedRuns(others, "run")
      .map((run) => [near(run), run])
      .sort(([a], [b]) => a - b)
      .slice(0, OFFERED)
      .map(([, run]) => run.name);
    const key = JSON.stringify(offered);
    if (key === this.key || document.activeElement === this.select) return;
    this.key = key;
    replace(
      this.select,
      h(
        "option",
        { value: "" },
        others.length > OFFERED
          ? `choose a run (${OFFERED} of ${others.length}; others from the list of runs)`
          : "choose a run",
      ),
      offered.map((name) => h("option", { value: name }, `${titleOf(runs, name)} (${name})`)),
    );
  }

  // Whom one would hold a run against: another seed, who else decides from there, who came nearest.
  suggest(runs) {
    const first = runs.find((run) => run.name === this.names[0]);
    const others = sortedRuns(
      runs.filter((run) => !this.names.includes(run.name) && run.state !== "unreadable" && run.round >= 0),
      "gap",
    );
    if (!first || this.names.length >= MOST || !others.length) {
      this.near.hidden = true;
      return;
    }
    const mine = study(first),
      start = valueIn(mine, "start");
    const alike = (run) => study(run).experiment === mine.experiment && valueIn(study(run), "start") === start;
    const isDrift = (run) => ["coin", "drift"].includes(valueIn(study(run), "choose"));
    const found = [
      [
        "drift from the same start: what happens when nobody listens",
        isDrift(first) ? undefined : others.find((run) => isDrift(run) && alike(run)),
      ],
      ["the same with another seed", others.find((run) => run.study === first.study)],
      [
        start === undefined ? "where another decides" : "from the same start, where another decides",
        others.find((run) => study(run).who !== mine.who && alike(run)),
      ],
      [
        "of all others, nearest the frontier",
        others.find((run) => study(run).experiment === mine.experiment && run.gap !== null),
      ],
    ];
    const words = new Map();
    for (const [why, run] of found) if (run && !words.has(run.name)) words.set(run.name, why);
    const named = [...words];
    const key = JSON.stringify(named);
    if (key === this.nearKey) return;
    this.nearKey = key;
    this.near.hidden = !named.length;
    replace(
      this.near,
      h("h2", {}, "For example"),
      h(
        "ul",
        {},
        named.map(([name, words]) =>
          h(
            "li",
            {},
            h("a", { href: address([...this.names, name]), class: "set" }, titleOf(runs, name)),
            h("span", { class: "note" }, ` ${words} `),
            h("span", { class: "note path" }, name),
          ),
        ),
      ),
    );
  }

  async load() {
    try {
      const answer = await get("api/overlay", { name: this.names });
      if (this.closed) return;
      this.colours = answer.colours;
      this.drawChips();
      this.drawTable(answer);
      this.path.hidden = !answer.path;
      this.proved.textContent = answer.unattainable ?? "";
      if (!answer.path) replace(this.said, notice("These runs are of experiments that are not drawn in one plane."));
      this.measures.draw(answer.measures, 0);
      this.player.setRounds(Math.max(0, ...answer.runs.map((run) => run.round)), answer.path ? 1 : 0);
      this.chart.signals.round = this.player.round;
      if (answer.path) await this.chart.draw(answer.path);
    } catch (error) {
      if (!this.closed) replace(this.said, notice(error.message, "error"));
    }
  }

  drawTable({ runs, studies, differ }) {
    this.table.hidden = false;
    const line = (name, values) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, name),
        values.map((value) => h("td", {}, value)),
      );
    const figures = [
      line("state", runs.map(badge)),
      line(
        "who decides",
        studies.map((each) => each?.who ?? "–"),
      ),
      line(
        "round",
        runs.map((run) => `${Math.max(0, run.round)} / ${run.rounds}`),
      ),
      line(
        "size",
        runs.map((run) => said(run.size)),
      ),
      line(
        "average",
        runs.map((run) => decimals(run.average_complexity ?? run.cost)),
      ),
      line(
        "gap",
        runs.map((run) => decimals(run.gap)),
      ),
      line(
        [...new Set(studies.map((each) => each?.won ?? "games won"))].join(" / "),
        runs.map((run) => (run.accuracy === null ? "–" : `${(100 * run.accuracy).toFixed(0)} %`)),
      ),
      line(
        "numbers understood",
        runs.map((run) => said(run.numbers_understood ?? "–")),
      ),
      line(
        "different messages",
        runs.map((run) => said(run.messages ?? "–")),
      ),
    ];
    const rows = differ
      .sort((a, b) => natural(a.name, b.name))
      .map(({ name, values }) =>
        line(
          name,
          values.map((value) => worded(name, value)),
        ),
      );
    const head = h(
      "tr",
      {},
      h("th", {}),
      runs.map((run, place) =>
        h(
          "th",
          { scope: "col", class: `laid group-${this.colours[place]}` },
          h("i", { "aria-hidden": "true" }),
          run.title,
          h("div", { class: "note path" }, run.name),
        ),
      ),
    );
    replace(
      this.table,
      scrolling(
        "The runs side by side",
        h(
          "table",
          { class: "compared" },
          h("thead", {}, head),
          h("tbody", {}, figures),
          h(
            "tbody",
            {},
            h(
              "tr",
              {},
              h(
                "th",
                { colspan: String(runs.length + 1), scope: "rowgroup", class: "note" },
                rows.length ? "What differs between their configs" : "Their configs are the same.",
              ),
            ),
            rows,
          ),
        ),
      ),
    );
  }

  close() {
    this.closed = true;
    clearTimeout(this.writing);
    this.player.close();
    this.measures.close();
    this.groups?.close();
    this.chart.close();
  }
}

function titleOf(runs, name) {
  return runs.find((run) => run.name === name)?.title ?? name;
}

// The runs that two runs stand for: all their seeds, or all starts of their conditions, too.
class GroupsOfTwo {
  names;

  constructor(names, whole, onChange) {
    Object.assign(this, { names, key: "", closed: false, runs: [] });
    this.select = h(
      "select",
      {
        name: "whole",
        onchange: () => {
          this.load();
          onChange();
        },
      },
      h("option", { value: "seeds" }, "all seeds of both"),
      h("option", { value: "starts", selected: whole === "starts" }, "all starts and seeds of both"),
    );
    this.verdict = h("p", { class: "verdict" }, "Reading the runs of both groups …");
    this.about = h("p", { class: "note" });
    this.chart = new Chart(h("div", {}), { label: "Two groups of runs over the rounds: median and middle half" });
    this.element = h(
      "section",
      { class: "card", "data-chart": "groups" },
      h("h2", {}, "As groups: the gap to the frontier over the rounds"),
      h("label", { class: "field" }, h("span", {}, "Compare"), this.select),
      this.verdict,
      this.chart.element,
      this.about,
    );
  }

  offer(runs) {
    const first = !this.runs.length;
    this.runs = runs;
    if (first) this.load();
  }

  // As the address has it: nothing where it is as it begins.
  get text() {
    return this.select.value === "seeds" ? undefined : this.select.value;
  }

  studies(name) {
    const mine = this.runs.find((run) => run.name === name);
    if (!mine?.study) return [];
    if (this.select.value === "seeds") return [mine.study];
    const { start: _start, ...config } = study(mine).config,
      own = JSON.stringify([study(mine).directory, study(mine).who, config]);
    const like = this.runs.filter((run) => {
      const { start: _other, ...its } = study(run).config;
      return JSON.stringify([study(run).directory, study(run).who, its]) === own;
    });
    return [...new Set(like.map((run) => run.study))].slice(0, 90);
  }

  async load() {
    const [first, second] = this.names.map((name) => this.studies(name)),
      key = JSON.stringify([first, second]);
    this.element.hidden = !first.length || !second.length || String(first) === String(second);
    if (this.element.hidden || key === this.key) return;
    this.key = key;
    try {
      const answer = await get("api/groups", { first, second, field: "gap" });
      if (this.closed || key !== this.key) return;
      this.verdict.textContent = answer.sentence;
      this.about.textContent = `${answer.groups.map((each) => `${each.name}: ${counted(each.runs, "run")}`).join("; ")}. Lines are medians, bands hold the middle half of the runs${answer.groups.some((each) => each.runs < FEW) ? ", which says little of so few" : ""}.`;
      await this.chart.draw(answer.figure);
    } catch (error) {
      if (!this.closed) this.verdict.textContent = error.message;
    }
  }

  close() {
    this.closed = true;
    this.chart.close();
  }
}
