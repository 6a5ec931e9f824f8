// Rows of the list: a study, and a run.

import { snapshot } from "./api.js";
import { keyOf, study, unit, worded } from "./bench.js";
import { decimals } from "./controls.js";
import { h } from "./dom.js";
import { link } from "./route.js";
import { sparkline } from "./sparkline.js";

// So many runs have a middle half.
const FEW = 4;

export function badge(run) {
  return h("span", { class: `badge ${run.state}` }, run.state);
}

export function cell(name, content, kind = "number") {
  return h("td", { "data-label": name, class: kind }, content);
}

// A row of the nested table: key, what it says, and the element. The lowest level has studies, which open to their runs.
export function groupRow(group, level, isOpen, open) {
  const said = [
    group.id,
    group.label,
    group.note,
    level,
    group.states,
    group.runs.length,
    group.progress,
    group.median,
    group.low,
    group.high,
    isOpen,
  ];
  return [
    group.id,
    said,
    () => {
      const isStudy = !group.children.length;
      const toggle = h(
        "button",
        {
          type: "button",
          class: "open",
          "data-focus": "open",
          "aria-expanded": String(isOpen),
          "aria-label": `${isStudy ? "Runs of" : "Inside"} ${group.label}`,
          onclick: () => open(group.id),
        },
        h("span", { class: "turn", "aria-hidden": "true" }, isOpen ? "▾" : "▸"),
        group.label,
      );
      return h(
        "tr",
        {
          "data-key": group.id,
          "data-study": isStudy ? group.id : undefined,
          "data-level": String(level),
          class: isOpen ? "isopen" : undefined,
        },
        h("th", { scope: "row" }, toggle, group.note ? h("div", { class: "note" }, group.note) : null),
        cell("runs", group.runs.length.toLocaleString("en")),
        h("td", { "data-label": "progress" }, progress(group)),
        h("td", { "data-label": "median gap", class: "number" }, gap(group)),
        h("td", { class: "way", "data-label": "way" }, isStudy ? sparkline(group) : null),
      );
    },
  ];
}

function progress(group) {
  const words = Object.entries(group.states)
    .map(([state, count]) => `${count.toLocaleString("en")} ${state}`)
    .join(", ");
  if (Object.keys(group.states).length === 1 && group.states.done) return h("span", { class: "note" }, "all done");
  return h(
    "span",
    {},
    h("progress", {
      value: group.progress,
      max: 1,
      "aria-label": `${Math.round(100 * group.progress)} % of the rounds`,
    }),
    h("br", {}),
    h("span", { class: "note" }, words),
  );
}

// Half of the runs lie between the two numbers.
function gap(group) {
  if (group.median === null) return "–";
  const spread =
    group.gaps.length >= FEW
      ? h(
          "span",
          { class: "note", title: "half of the runs lie in between" },
          ` ${decimals(group.low, 3)}–${decimals(group.high, 3)}`,
        )
      : null;
  return h(
    "span",
    {},
    decimals(group.median, 3),
    spread,
    unit(group.experiment) && unit(group.experiment) !== "symbols"
      ? h("span", { class: "note" }, ` ${unit(group.experiment)}`)
      : null,
  );
}

// A row of a table of runs; `fields` are columns for what varies between them.
export function runRow(run, fields, isChosen, choose, columns) {
  const said = [run, isChosen, fields];
  return [
    run.name,
    said,
    () =>
      h(
        "tr",
        { "data-key": run.name, "data-run": run.name },
        h(
          "td",
          { class: "choose" },
          run.state === "unreadable" || snapshot
            ? null
            : h("input", {
                type: "checkbox",
                checked: isChosen,
                "data-focus": "choose",
                "aria-label": `Compare ${run.name}`,
                onchange: (event) => choose(run.name, event.target.checked),
              }),
        ),
        h(
          "th",
          { scope: "row" },
          h("a", { href: link({ run: run.name }), "data-focus": "name" }, run.title),
          h("div", { class: "note path" }, run.name),
        ),
        h("td", { "data-label": "state" }, badge(run)),
        run.state === "unreadable"
          ? h("td", { "data-label": "why", colspan: String(columns - 3) }, `unreadable: ${run.message}`)
          : facts(run, fields),
      ),
  ];
}

function facts(run, fields) {
  return [
    ...fields.map((field) =>
      h(
        "td",
        { "data-label": field === "who" ? "who decides" : field, class: "told" },
        worded(field, keyOf(run, field)),
      ),
    ),
    cell("seed", String(run.seed)),
    cell("round", run.state === "starting" ? "–" : `${Math.max(0, run.round)} / ${run.rounds}`),
    cell("size", run.size === null ? "–" : String(run.size)),
    cell("average", decimals(run.average_complexity ?? run.cost, 3)),
    cell("gap", decimals(run.gap, 3)),
    cell(study(run).won ?? "games won", run.accuracy === null ? "–" : `${(100 * run.accuracy).toFixed(0)} %`),
    cell("understood", run.numbers_understood === null ? "–" : String(run.numbers_understood)),
    cell("messages", run.messages === null ? "–" : String(run.messages)),
    h(
      "td",
      { "data-label": "", class: "number" },
      run.can_talk
        ? h(
            "a",
            { href: link({ talk: run.name }), "data-focus": "talk", "aria-label": `Talk to the agents of ${run.name}` },
            "Talk",
          )
        : null,
    ),
  ];
}

export function show(value) {
  return value === undefined ? "" : value === null ? "none" : String(value);
}
