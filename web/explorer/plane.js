// One cost against another: what is possible, what people speak, where runs go.

import { get, snapshot } from "./api.js";
import { all, first, known } from "./choices.js";
import { choice, decimals, grammarChoice, needChoice } from "./controls.js";
import { announce, counted, cutShort, h, heading, notice, replace, scrolling, svg } from "./dom.js";
import { Groups } from "./groups.js";
import { listen } from "./live.js";
import { bandsUpTo, staysOf } from "./medians.js";
import { diamond, PlaneChart } from "./plane_chart.js";
import { Player, roundIn } from "./player.js";
import { current, link, rewrite, systemLink } from "./route.js";
import { parseSet } from "./sets.js";
import { windowIn, Zoom } from "./zoom.js";

export const title = "The plane";
const TEXT =
  "A language with many number words can keep its numerals short; one with few must build long ones. Each dot " +
  "is a lexicon: how many words it has, and how many symbols its numerals take on average. Nothing can lie in the grey: " +
  "that is proved. Human languages lie close to it. Play shows where runs go: agents that talk, and drift, where chance decides.";
const OTHERS =
  "Each dot is a lexicon by two of its costs. Human languages are diamonds; Play shows where runs go: agents that talk, " +
  "and drift, where chance decides. What is unattainable is proved for size and average complexity only, so there is no grey here.";
const AGAIN = 700,
  LIVE = 2500,
  SETTLED = 250;
const NEAREST = 5;
const AXES = ["size", "length"];

export function show(main, { fields, grammar, need }) {
  const names = all("costs").map((each) => each.name);
  const axis = (key, usual) =>
    names.includes(fields.get(key)) ? fields.get(key) : names.includes(usual) ? usual : names[0];
  const asked = {
    grammar,
    need,
    x: axis("x", AXES[0]),
    y: axis("y", AXES[1]),
    by: known("groupings", fields.get("by")),
  };
  const chartBox = h("div", { class: "tall" }, h("p", { class: "loading" }, "Loading the plane …"));
  const state = h("p", { class: "note", "data-state": "loading" }, "Asking for frontier, languages and runs …");
  const table = h("details", { class: "card", hidden: true });
  const nearest = h("section", { class: "card", hidden: true, "aria-label": "Nearest the frontier" });
  const featured = h("p", { class: "legend featured", hidden: true });
  const chart = new PlaneChart(chartBox, {
    label: "Two costs of numeral systems, one against the other",
    onClick: (about) => zoom.dragged || open(about),
  });
  const zoom = new Zoom(chart, windowIn(fields.get("seen")), remember);
  const groups = new Groups(
    (signals) => {
      chart.set(signals);
      remember();
    },
    choice("Runs in groups by", "groupings", asked.by, (value) => go({ by: value }), "by"),
    fields.get("show"),
  );
  const player = new Player((round) => {
    chart.set({ round });
    remember();
  }, roundIn(fields));
  const go = (change) => {
    location.hash = planeLink({ ...asked, ...change });
  };
  main.append(
    heading(title, asked.x === AXES[0] && asked.y === AXES[1] ? TEXT : OTHERS),
    h(
      "section",
      { class: "card", "aria-label": "Chart" },
      h("div", { class: "above" }, player.element, zoom.buttons),
      chartBox,
      h("div", { class: "legends" }, legend(asked), featured),
      state,
      groups.element,
    ),
    h(
      "div",
      { class: "controls" },
      grammarChoice(grammar, (value) => go({ grammar: value })),
      needChoice(need, (value) => go({ need: value })),
      choice("Across", "costs", asked.x, (value) => go({ x: value }), "x"),
      choice("Up", "costs", asked.y, (value) => go({ y: value }), "y"),
    ),
    nearest,
    table,
  );

  // Everything that is looked at is in the address, a moment after it has come to rest.
  let writing = 0;
  function remember() {
    clearTimeout(writing);
    writing = setTimeout(() => {
      if (!closed)
        rewrite(
          planeLink({
            ...asked,
            seen: zoom.text,
            round: player.text,
            show: groups.text,
            run: fields.get("feature") ?? undefined,
          }),
        );
    }, SETTLED);
  }

  let timer = 0,
    closed = false;
  async function load() {
    clearTimeout(timer);
    try {
      const plane = await get("api/plane", asked);
      if (closed) return;
      const shown = plane.tables.paths.some((run) => run.run === fields.get("feature"))
        ? fields.get("feature")
        : plane.featured;
      const banded = new Set(bandsUpTo(staysOf(plane.tables.paths)).map((row) => row.group));
      player.setRounds(plane.rounds, plane.runs);
      groups.update(
        plane.groups.map((each) => ({ ...each, has_band: banded.has(each.name) })),
        plane.measured === plane.systems,
        plane.tables.paths.find((run) => run.run === shown)?.group,
      );
      zoom.windows(plane);
      Object.assign(chart.signals, groups.signals(), { round: player.round, featured: shown ?? "" });
      chart.draw(plane);
      drawFeatured(
        featured,
        plane.tables.paths.find((run) => run.run === shown),
      );
      chartBox.dataset.rounds = plane.rounds;
      delete state.dataset.state;
      replace(state, words(plane, banded.size > 0));
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
    if (!closed)
      stop = listen((event) => {
        if (!event.first) {
          clearTimeout(timer);
          timer = setTimeout(load, LIVE);
        }
      });
  });
  return () => {
    closed = true;
    clearTimeout(timer);
    clearTimeout(writing);
    stop();
    player.close();
    chart.close();
  };
}

// Only what is not as the page begins is named.
function planeLink({ grammar, need, x, y, by, seen, round, show, run }) {
  const other = (value, usual) => (value === usual ? undefined : value);
  return link({
    view: "plane",
    grammar,
    need,
    x: other(x, AXES[0]),
    y: other(y, AXES[1]),
    by: other(by, first("groupings")),
    seen,
    round,
    show,
    feature: run,
  });
}

function open({ run, title: isRun, digits, multipliers }) {
  const { grammar, need } = current();
  if (isRun) location.hash = link({ run });
  else if (digits) location.hash = systemLink(parseSet(digits, 99), parseSet(multipliers, 99), grammar, need);
}

function drawFeatured(box, run) {
  box.hidden = !run;
  if (run)
    replace(
      box,
      h(
        "span",
        { class: `group-${run.colour}` },
        h("i", { class: "stroke" }),
        "one run, whole: ",
        h("a", { href: link({ run: run.run }) }, run.title),
      ),
    );
}

function legend({ x, y }) {
  return h(
    "p",
    { class: "legend" },
    h("span", {}, h("i", { class: "ink" }), "shortest of its size, proved"),
    h("span", {}, counts(), "1, 10, 100, 1,000 human languages that count to 99"),
    h("span", {}, h("i", { class: "start" }), "where runs begin"),
    x === AXES[0] && y === AXES[1] ? h("span", {}, h("i", { class: "swatch" }), "unattainable") : null,
  );
}

// How large the diamonds of so many languages are.
function counts() {
  const places = [1, 10, 100, 1000].map((count, i) => svg("path", diamond(count, [5, 19, 38, 63][i], 14)));
  return svg("svg", { width: 78, height: 28, "aria-hidden": "true" }, places);
}

function words(plane, hasBands) {
  const parts = [];
  const drawn = plane.groups.reduce((sum, each) => sum + each.drawn, 0);
  if (plane.read < plane.found)
    parts.push(
      `Runs are being read: ${plane.read.toLocaleString("en")} of ${plane.found.toLocaleString("en")}; they come into the picture.`,
    );
  if (plane.solved < plane.sizes)
    parts.push(`The frontier is being proved: ${plane.solved} of ${plane.sizes} sizes; the picture fills in.`);
  if (plane.measured < plane.systems)
    parts.push(`Costs are being measured: ${plane.measured} of ${plane.systems} systems.`);
  if (plane.runs > drawn) parts.push(`Of ${counted(plane.runs, "run")} ${drawn} are drawn, chosen by their names.`);
  if (plane.limit) parts.push(cutShort(plane.limit));
  if (!plane.runs && plane.read === plane.found)
    parts.push(
      snapshot
        ? "There are no runs under this grammar."
        : "There are no runs under this grammar yet; start one from the builder.",
    );
  if (hasBands)
    parts.push(
      "A band holds the middle half of the lexicons that a group’s runs had at each place up to this round; the dashes are their median, dots are where runs are.",
    );
  parts.push("Click a point or a line to open it. Drag to move, Ctrl and the wheel to zoom.");
  return parts.join(" ");
}

// Nearest of all, or of those with as many words; who else came as near is said.
function drawNearest(section, runs) {
  section.hidden = runs.length === 0;
  const sizes = [...new Set(runs.filter((each) => each.best_of_size).map((each) => each.size))].sort((a, b) => a - b);
  const list = h("ol", { class: "nearest ended" }),
    select = h(
      "select",
      { name: "size", onchange: fill },
      h("option", { value: "" }, "any size"),
      sizes.map((size) => h("option", { value: String(size) }, counted(size, "word"))),
    );
  function fill() {
    const mine = select.value
      ? runs.filter((each) => each.best_of_size && String(each.size) === select.value)
      : runs.slice(0, NEAREST);
    replace(
      list,
      mine.map((each) => {
        const tied = select.value ? each.tied_in_size : each.tied;
        return h(
          "li",
          {},
          h("a", { href: link({ run: each.name }) }, each.title),
          h(
            "span",
            { class: "note" },
            `gap ${decimals(each.gap)}, ${counted(each.size, "word")}${tied ? `; ${counted(tied, "other")} as near` : ""}`,
          ),
          each.can_talk && !snapshot
            ? h(
                "a",
                { href: link({ talk: each.name }), "aria-label": `Talk to the agents of ${each.name}` },
                "talk to them",
              )
            : null,
          h("span", { class: "note path" }, each.name),
        );
      }),
    );
  }
  fill();
  replace(
    section,
    h("h2", {}, "Nearest the frontier under this grammar, agents and learners of generations"),
    h("label", { class: "field" }, h("span", {}, "Nearest of"), select),
    list,
  );
}

function fillTable(details, points, grammar, need) {
  const rows = points.map((each) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        h(
          "a",
          { href: systemLink(parseSet(each.digits, 99), parseSet(each.multipliers, 99), grammar, need) },
          each.name,
        ),
      ),
      h("td", { class: "set" }, each.digits),
      h("td", { class: "set" }, each.multipliers),
      h("td", { class: "number" }, String(each.size)),
      h("td", { class: "number" }, decimals(each.average_complexity)),
    ),
  );
  const head = h(
    "tr",
    {},
    ["lexicon", "D", "M", "size", "average"].map((name) => h("th", { scope: "col" }, name)),
  );
  details.hidden = false;
  replace(
    details,
    h("summary", {}, `Languages and optima as a table: ${points.length} lexicons`),
    scrolling("Languages and optima", h("table", {}, h("thead", {}, head), h("tbody", {}, rows))),
  );
}
