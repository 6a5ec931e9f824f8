// Rows of the list: a study, and a run.

import { keyOf, unit, valueOf, worded } from "./bench.js";
import { decimals } from "./controls.js";
import { h } from "./dom.js";
import { link } from "./route.js";
import { sparkline } from "./sparkline.js";

export function badge(run) {
  return h("span", { class: `badge ${run.state}` }, run.state);
}

export function cell(name, content, kind = "number") {
  return h("td", { "data-label": name, class: kind }, content);
}

// A row of the table of studies: key, what it says, and the element.
export function groupRow(group, fields, others, isOpen, open) {
  const more = others.filter((field) => field in group.config).map((field) => `${field} ${worded(field, group.config[field])}`).join(", ");
  const values = fields.map((field) => worded(field, valueOf(group, field)));
  const said = [group.id, group.directory, group.who, values, group.states, group.runs.length, group.progress, group.median, group.low, group.high, isOpen, more];
  return [group.id, said, () => {
    const label = `${group.directory || "this directory"}, ${group.who}${values.length ? `, ${fields.map((field, i) => `${field} ${values[i]}`).join(", ")}` : ""}`;
    const toggle = h("button", { type: "button", class: "open", "data-focus": "open", "aria-expanded": String(isOpen), "aria-label": `Runs of ${label}`, onclick: () => open(group.id) },
      h("span", { class: "turn", "aria-hidden": "true" }, isOpen ? "▾" : "▸"), group.directory || (group.id.startsWith("unreadable:") ? "unreadable runs" : "this directory"));
    return h("tr", { "data-key": group.id, "data-study": group.id, class: isOpen ? "isopen" : undefined },
      h("th", { scope: "row" }, toggle, more ? h("div", { class: "note" }, more) : null), h("td", { "data-label": "who decides" }, group.who || "–"),
      fields.map((field, i) => h("td", { "data-label": field, class: "set" }, values[i])),
      cell("runs", group.runs.length.toLocaleString("en")), h("td", { "data-label": "progress" }, progress(group)),
      h("td", { "data-label": "median gap", class: "number" }, gap(group)), h("td", { class: "way", "data-label": "way" }, sparkline(group)));
  }];
}

function progress(group) {
  const words = Object.entries(group.states).map(([state, count]) => `${count.toLocaleString("en")} ${state}`).join(", ");
  if (Object.keys(group.states).length === 1 && group.states.done) return h("span", { class: "note" }, "all done");
  return h("span", {}, h("progress", { value: group.progress, max: 1, "aria-label": `${Math.round(100 * group.progress)} % of the rounds` }), h("br", {}), h("span", { class: "note" }, words));
}

// Half of the runs lie between the two numbers.
function gap(group) {
  if (group.median === null) return "–";
  const spread = group.gaps.length > 1 ? h("span", { class: "note", title: "half of the runs lie in between" }, ` ${decimals(group.low, 3)}–${decimals(group.high, 3)}`) : null;
  return h("span", {}, decimals(group.median, 3), spread, unit(group.experiment) && unit(group.experiment) !== "symbols" ? h("span", { class: "note" }, ` ${unit(group.experiment)}`) : null);
}

// A row of a table of runs; `fields` are columns for what varies between them.
export function runRow(run, fields, isChosen, choose, columns) {
  const said = [run, isChosen, fields];
  return [run.name, said, () => h("tr", { "data-key": run.name, "data-run": run.name },
    h("td", { class: "choose" }, run.state === "unreadable" ? null : h("input", { type: "checkbox", checked: isChosen, "data-focus": "choose", "aria-label": `Compare ${run.name}`, onchange: (event) => choose(run.name, event.target.checked) })),
    h("th", { scope: "row" }, h("a", { href: link({ run: run.name }), "data-focus": "name" }, run.name)),
    h("td", { "data-label": "state" }, badge(run)),
    run.state === "unreadable" ? h("td", { "data-label": "why", colspan: String(columns - 3) }, `unreadable: ${run.message}`) : facts(run, fields))];
}

function facts(run, fields) {
  return [
    ...fields.map((field) => h("td", { "data-label": field === "who" ? "who decides" : field, class: "set" }, worded(field, keyOf(run, field)))),
    cell("seed", String(run.seed)), cell("round", run.state === "starting" ? "–" : `${Math.max(0, run.round)} / ${run.rounds}`),
    cell("size", run.size === null ? "–" : String(run.size)), cell("average", decimals(run.average_complexity ?? run.cost, 3)), cell("gap", decimals(run.gap, 3)),
    cell("games won", run.accuracy === null ? "–" : `${(100 * run.accuracy).toFixed(0)} %`),
    h("td", { "data-label": "", class: "number" }, run.can_talk ? h("a", { href: link({ talk: run.name }), "data-focus": "talk", "aria-label": `Talk to the agents of ${run.name}` }, "Talk") : null)];
}

export function show(value) {
  return value === undefined ? "" : value === null ? "none" : String(value);
}
