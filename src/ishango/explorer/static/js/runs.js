// The runs below the directory, live; and one of them in detail.

import { label } from "./choices.js";
import { decimals } from "./controls.js";
import { h, heading, replace } from "./dom.js";
import { listen } from "./live.js";
import { link } from "./route.js";
import { RunView } from "./run.js";

export const title = "Runs";
const TEXT = "In each round one word is added, dropped or changes its role, the agents talk with both systems, and the one "
  + "they understand better is kept. Where learners decide, a round is a generation, which knows the words that it heard and "
  + "may coin others. Systems of runs of kinds need not cover the numbers; their kind is told. Runs that ishango evolve, "
  + "generations, kinds or sweep write appear here while they are played.";
const SHOWN = 300;

export function show(main, { fields }) {
  const chosen = fields.get("run");
  const list = h("div", { class: "scroll" });
  const count = h("p", { class: "note" });
  const box = h("div", {});
  const view = chosen ? new RunView(box, chosen) : null;
  main.append(heading(title, TEXT), box,
    h("section", { class: "card", "aria-label": "All runs" }, chosen ? h("h2", {}, "All runs") : null, list, count));
  const stop = listen(({ runs, changed, first }) => {
    replace(list, runs.length ? table(runs.slice(0, SHOWN), chosen) : nothing());
    count.textContent = runs.length > SHOWN ? `The ${SHOWN} runs that changed last of ${runs.length}.` : "";
    if (view && !first && changed.includes(chosen)) view.changed();
  });
  return () => { stop(); view?.close(); };
}

function table(runs, chosen) {
  const hasKinds = runs.some((run) => run.kind);
  const names = ["run", "state", "start", "who decides", "round", "size", "average", "gap", ...(hasKinds ? ["kind"] : [])];
  const head = h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)));
  return h("table", { class: "runs" }, h("thead", {}, head), h("tbody", {}, runs.map((run) => row(run, run.name === chosen, hasKinds))));
}

function row(run, isChosen, hasKinds) {
  if (run.state === "unreadable") return unreadable(run, isChosen);
  const cell = (name, value) => h("td", { "data-label": name, class: "number" }, value);
  return h("tr", { "data-run": run.name, class: isChosen ? "chosen" : undefined }, name(run, isChosen),
    h("td", { "data-label": "state" }, badge(run)), h("td", { "data-label": "start", class: "set" }, run.start),
    h("td", { "data-label": "who decides" }, label("choosers", run.choose)),
    cell("round", `${Math.max(0, run.round)} / ${run.rounds}`), cell("size", run.size === null ? "–" : String(run.size)),
    cell("average", decimals(run.average_complexity, 3)), cell("gap", decimals(run.gap, 3)), hasKinds ? h("td", { "data-label": "kind" }, run.kind ?? "–") : null);
}

function name(run, isChosen) {
  return h("th", { scope: "row" }, h("a", { href: link({ run: run.name }), "aria-current": isChosen ? "true" : undefined }, run.name));
}

// Nothing is known of it but why.
function unreadable(run, isChosen) {
  return h("tr", { "data-run": run.name, class: isChosen ? "chosen" : undefined }, name(run, isChosen),
    h("td", { "data-label": "state" }, badge(run)), h("td", { "data-label": "why", colspan: "6" }, run.message));
}

export function badge(run) {
  return h("span", { class: `badge ${run.state}` }, run.state);
}

function nothing() {
  return h("p", {}, "There are no runs yet. ", h("a", { href: "#view=builder" }, "Start one from the builder"),
    ", or in a terminal: ", h("code", {}, "ishango evolve --start 1 --rounds 10 --steps 5000 --out out/first"));
}
