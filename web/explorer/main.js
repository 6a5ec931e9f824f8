// Shows the view that the address names, and takes the old one away.

import { snapshot } from "./api.js";
import * as builder from "./builder.js";
import { label, loadChoices } from "./choices.js";
import * as compare from "./compare.js";
import { heading, hush, notice, replace } from "./dom.js";
import * as kinds from "./kinds.js";
import * as plane from "./plane.js";
import { current } from "./route.js";
import * as run from "./run.js";
import * as runs from "./runs.js";
import * as talk from "./talk.js";
import { setUpSwitch } from "./theme.js";

const VIEWS = { plane, builder, kinds, runs, run, compare, talk };
// Views that are reached from another one.
const BELOW = { run: "runs", compare: "runs" };
const main = document.getElementById("main");
let leave = null;
// The view, and which of its kind: a run, say.
let shown = null,
  place = null;

async function begin() {
  try {
    await loadChoices();
  } catch (error) {
    replace(main, heading("Ishango", ""), notice(error.message, "error"));
    return;
  }
  addEventListener("hashchange", show);
  show();
}

function show(event) {
  const route = current();
  const view = VIEWS[route.view] ? route.view : "plane";
  for (const each of document.querySelectorAll("nav [data-view]")) {
    if (each.getAttribute("data-view") === (BELOW[view] ?? view)) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
  // A view that is only given another address, by the Back button for one, may take it without being drawn anew.
  if (event && shown === view && leave?.update?.(route)) return;
  leave?.();
  leave = null;
  hush();
  replace(main);
  document.title = `${VIEWS[view].title} · Ishango`;
  try {
    leave = VIEWS[view].show(main, route);
  } catch (error) {
    replace(main, heading(VIEWS[view].title, ""), notice(error.message, "error"));
    throw error;
  }
  for (const [kind, name] of Object.entries({ grammars: "grammar", needs: "need" })) {
    const asked = route.fields.get(name);
    if (asked && asked !== route[name])
      main.prepend(
        notice(
          `The address asks for the ${name} ${asked}, which this page does not hold: ${label(kind, route[name])} is shown.`,
          "warning",
        ),
      );
  }
  // Who moves by keyboard goes on in the new view, not at the top of the page.
  const now = `${view} ${route.fields.getAll(view)}`;
  if (event && place !== now) main.focus({ preventScroll: true });
  if (place !== now) scrollTo(0, 0);
  [shown, place] = [view, now];
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
document.getElementById("version").textContent = snapshot
  ? `Snapshot of ${snapshot.made}.`
  : "To keep all of this as one file: ishango explore DIR --export page.html.";
if (snapshot) document.querySelector('nav [data-view="talk"]')?.remove();
setUpSwitch(document.getElementById("theme"));
begin();
