// One cost against another: what is possible, what people speak, where runs go.

import { get, snapshot } from "./api.js";
import { Chart } from "./chart.js";
import { all, first, known } from "./choices.js";
import { choice, decimals, grammarChoice, needChoice } from "./controls.js";
import { announce, cutShort, h, heading, notice, replace, scrolling } from "./dom.js";
import { Groups } from "./groups.js";
import { listen } from "./live.js";
import { Player } from "./player.js";
import { current, link, systemLink } from "./route.js";
import { parseSet } from "./sets.js";
import { Zoom } from "./zoom.js";

export const title = "The plane";
const TEXT = "A language with many number words can keep its numerals short; one with few must build long ones. Each dot "
  + "is a lexicon: how many words it has, and how many symbols its numerals take on average. Nothing can lie in the grey: "
  + "that is proved. Human languages lie close to it. Lines are runs: where a lexicon moves while agents talk, and bands show where "
  + "it moves when a coin or an oracle decides instead.";
const AGAIN = 700, LIVE = 2500;
const AXES = ["size", "length"];

export function show(main, { fields, grammar, need }) {
  const names = all("costs").map((each) => each.name);
  const axis = (key, usual) => (names.includes(fields.get(key)) ? fields.get(key) : names.includes(usual) ? usual : names[0]);
  const asked = { grammar, need, x: axis("x", AXES[0]), y: axis("y", AXES[1]), by: known("groupings", fields.get("by")) };
  const chartBox = h("div", { class: "tall" }, h("p", { class: "loading" }, "Loading the plane …"));
  const state = h("p", { class: "note", "data-state": "loading" }, "Asking for frontier, languages and runs …");
  const table = h("details", { class: "card", hidden: true });
  const nearest = h("section", { class: "card", hidden: true, "aria-label": "Nearest the frontier" });
  const chart = new Chart(chartBox, { label: "Two costs of numeral systems, one against the other", onClick: (datum) => zoom.dragged || open(datum), onHover: hover, atRest: "reach" });
  const zoom = new Zoom(chart);
  const groups = new Groups((signals) => chart.move(signals), choice("Runs in groups by", "groupings", asked.by, (value) => go({ by: value }), "by"));
  const player = new Player((round) => chart.move({ round }));
  const go = (change) => { location.hash = planeLink({ ...asked, ...change }); };
  main.append(
    heading(title, TEXT),
    h("div", { class: "controls" },
      grammarChoice(grammar, (value) => go({ grammar: value })), needChoice(need, (value) => go({ need: value })),
      choice("Across", "costs", asked.x, (value) => go({ x: value }), "x"), choice("Up", "costs", asked.y, (value) => go({ y: value }), "y")),
    h("section", { class: "card", "aria-label": "Chart" }, h("div", { class: "above" }, legend(asked), zoom.buttons), chartBox, player.element, state, groups.element),
    nearest, table);

  let over = "";
  function hover(datum) {
    const run = datum?.run ?? "";
    if (run !== over) chart.signal("over", over = run);
  }

  let timer = 0, closed = false;
  async function load() {
    clearTimeout(timer);
    try {
      const plane = await get("api/plane", asked);
      if (closed) return;
      player.setRounds(plane.rounds, plane.runs);
      groups.update(plane.groups);
      zoom.windows(plane);
      Object.assign(chart.signals, groups.signals(), { round: player.round });
      await chart.draw(plane.figure);
      chartBox.dataset.rounds = plane.rounds;
      delete state.dataset.state;
      replace(state, words(plane));
      drawNearest(nearest, plane.nearest);
      fillTable(table, plane.points, grammar, need);
      if (!plane.complete) timer = setTimeout(load, AGAIN);
    } catch (error) {
      if (closed) return;
      // What was true of the server before may not be true now.
      nearest.hidden = table.hidden = true;
      chartBox.querySelector(".loading")?.remove();
      replace(state, notice(error.message, "error"));
      timer = setTimeout(load, 2 * LIVE);
    }
  }
  let stop = () => {};
  load().then(() => {
    announce("The plane is drawn.");
    // News begin with all runs, of which the plane has what it needs: they do not keep it waiting.
    if (!closed) stop = listen((event) => { if (!event.first) { clearTimeout(timer); timer = setTimeout(load, LIVE); } });
  });
  return () => { closed = true; clearTimeout(timer); stop(); player.close(); chart.close(); };
}

// Only what is not as the page begins is named.
function planeLink({ grammar, need, x, y, by }) {
  const other = (value, usual) => (value === usual ? undefined : value);
  return link({ view: "plane", grammar, need, x: other(x, AXES[0]), y: other(y, AXES[1]), by: other(by, first("groupings")) });
}

function open(datum) {
  const { grammar, need } = current();
  if (datum.run) location.hash = link({ run: datum.run });
  else if (datum.digits) location.hash = systemLink(parseSet(datum.digits, 99), parseSet(datum.multipliers, 99), grammar, need);
}

function legend({ x, y }) {
  return h("p", { class: "legend" },
    h("span", {}, h("i", { class: "ink" }), "shortest of its size, proved"),
    h("span", {}, h("i", { class: "human" }), "human languages (larger: more of them)"),
    h("span", {}, h("i", { class: "start" }), "where runs begin"),
    x === AXES[0] && y === AXES[1] ? h("span", {}, h("i", { class: "swatch" }), "unattainable") : null);
}

function words(plane) {
  const parts = [];
  const drawn = plane.groups.reduce((sum, each) => sum + each.drawn, 0);
  if (plane.solved < plane.sizes) parts.push(`The frontier is being proved: ${plane.solved} of ${plane.sizes} sizes; the picture fills in.`);
  if (plane.measured < plane.systems) parts.push(`Costs are being measured: ${plane.measured} of ${plane.systems} systems.`);
  if (!plane.proved) parts.push("What is unattainable is proved for size and average complexity only.");
  if (plane.runs > drawn) parts.push(`Of ${plane.runs.toLocaleString("en")} runs ${drawn} are drawn, evenly from all starts and seeds.`);
  if (plane.limit) parts.push(cutShort(plane.limit));
  if (!plane.runs) parts.push(snapshot ? "There are no runs under this grammar." : "There are no runs under this grammar yet; start one from the builder.");
  if (plane.groups.some((each) => !each.as_paths)) parts.push("A band holds the middle half of a group’s lexicons at each place, counted by rounds; the dashes are their median.");
  parts.push("Click a point or a line to open it. Drag to move, Ctrl and the wheel to zoom.");
  return parts.join(" ");
}

function drawNearest(section, runs) {
  section.hidden = runs.length === 0;
  replace(section, h("h2", {}, "Nearest the frontier under this grammar, agents and learners of generations"), h("ol", { class: "nearest ended" }, runs.map((each) => h("li", {},
    h("a", { href: link({ run: each.name }) }, each.name),
    h("span", { class: "note" }, `gap ${decimals(each.gap)}, ${each.size} words`),
    each.can_talk ? h("a", { href: link({ talk: each.name }), "aria-label": `Talk to the agents of ${each.name}` }, "talk to them") : null))));
}

function fillTable(details, points, grammar, need) {
  const rows = points.map((each) => h("tr", {},
    h("th", { scope: "row" }, h("a", { href: systemLink(parseSet(each.digits, 99), parseSet(each.multipliers, 99), grammar, need) }, each.name)),
    h("td", { class: "set" }, each.digits), h("td", { class: "set" }, each.multipliers),
    h("td", { class: "number" }, String(each.size)), h("td", { class: "number" }, decimals(each.average_complexity))));
  const head = h("tr", {}, ["lexicon", "D", "M", "size", "average"].map((name) => h("th", { scope: "col" }, name)));
  details.hidden = false;
  replace(details, h("summary", {}, `Languages and optima as a table: ${points.length} lexicons`),
    scrolling("Languages and optima", h("table", {}, h("thead", {}, head), h("tbody", {}, rows))));
}
