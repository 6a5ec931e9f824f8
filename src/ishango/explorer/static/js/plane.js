// Lexicon size against average complexity: what is possible, what people speak, where runs go.

import { get } from "./api.js";
import { Chart } from "./chart.js";
import { decimals, grammarChoice, needChoice } from "./controls.js";
import { announce, h, heading, notice, replace } from "./dom.js";
import { listen } from "./live.js";
import { Player } from "./player.js";
import { current, link, systemLink } from "./route.js";
import { parseSet } from "./sets.js";

export const title = "The plane";
const TEXT = "A language with many number words can keep its numerals short; one with few must build long ones. Each dot "
  + "is a lexicon: how many words it has, and how many symbols its numerals take on average. Nothing can lie in the grey: "
  + "that is proved. Human languages lie close to it; runs begin above it and show where a lexicon moves while agents talk.";
const AGAIN = 700;

export function show(main, { grammar, need }) {
  const chartBox = h("div", { class: "tall" });
  const state = h("p", { class: "note" });
  const table = h("details", { class: "card" });
  const chart = new Chart(chartBox, { label: "Lexicon size against average complexity", onClick: open });
  const player = new Player((round) => chart.signal("round", round));
  const go = (fields) => { location.hash = link({ view: "plane", grammar, need, ...fields }); };
  main.append(
    heading(title, TEXT),
    h("div", { class: "controls" },
      grammarChoice(grammar, (value) => go({ grammar: value })), needChoice(need, (value) => go({ need: value }))),
    h("section", { class: "card", "aria-label": "Chart" }, legend(), chartBox, player.element, state),
    table);

  let timer = 0, closed = false;
  async function load() {
    clearTimeout(timer);
    try {
      const plane = await get("api/plane", { grammar, need });
      if (closed) return;
      player.setRounds(plane.rounds, plane.shown);
      chart.signals.round = player.round;
      await chart.draw(plane.figure);
      chartBox.dataset.rounds = plane.rounds;
      replace(state, words(plane));
      fillTable(table, plane.points, grammar, need);
      if (!plane.complete) timer = setTimeout(load, AGAIN);
    } catch (error) {
      if (!closed) replace(state, notice(error.message, "error"));
    }
  }
  load().then(() => announce("The plane is drawn."));
  const stop = listen((event) => { if (!event.first) { clearTimeout(timer); timer = setTimeout(load, AGAIN); } });
  return () => { closed = true; clearTimeout(timer); stop(); player.close(); chart.close(); };
}

function open(datum) {
  const { grammar, need } = current();
  if (datum.run) location.hash = link({ run: datum.run });
  else if (datum.digits) location.hash = systemLink(parseSet(datum.digits, 99), parseSet(datum.multipliers, 99), grammar, need);
}

function legend() {
  return h("p", { class: "legend" },
    h("span", {}, h("i", { class: "ink" }), "proved optimum of its size"),
    h("span", {}, h("i", { class: "human" }), "human languages (larger: more of them)"),
    h("span", {}, h("i", { class: "run" }), "a run; its open circle is where it began"),
    h("span", {}, h("i", { class: "swatch" }), "unattainable"));
}

function words(plane) {
  const parts = [];
  if (!plane.complete) parts.push("The frontier is still being proved; the picture fills in.");
  if (plane.runs > plane.shown) parts.push(`The ${plane.shown} runs that changed last of ${plane.runs} are drawn.`);
  else if (!plane.runs) parts.push("There are no runs under this grammar yet; start one from the builder.");
  parts.push("Click a point to open it.");
  return parts.join(" ");
}

function fillTable(details, points, grammar, need) {
  const rows = points.map((each) => h("tr", {},
    h("th", { scope: "row" }, h("a", { href: systemLink(parseSet(each.digits, 99), parseSet(each.multipliers, 99), grammar, need) }, each.name)),
    h("td", { class: "set" }, each.digits), h("td", { class: "set" }, each.multipliers),
    h("td", { class: "number" }, String(each.size)), h("td", { class: "number" }, decimals(each.average_complexity))));
  const head = h("tr", {}, ["", "D", "M", "size", "average"].map((name) => h("th", { scope: "col" }, name)));
  replace(details, h("summary", {}, `The same as a table: ${points.length} lexicons`),
    h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), h("tbody", {}, rows))));
}
