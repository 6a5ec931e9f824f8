// Where one is, kept in the address: every view and every system has a link.

import { first, known } from "./choices.js";
import { formatSet } from "./sets.js";

export function current() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const route = { view: fields.get("view") ?? "plane", fields };
  if (fields.has("D") || fields.has("M")) route.view = "builder";
  else if (fields.has("run")) route.view = "run";
  else if (fields.getAll("compare").some(Boolean)) route.view = "compare";
  else if (fields.has("talk")) route.view = "talk";
  else if (fields.has("compare") || ["run", "compare"].includes(route.view)) route.view = "runs"; // which one is not said
  route.grammar = known("grammars", fields.get("grammar"));
  route.need = known("needs", fields.get("need"));
  return route;
}

// Commas, bars and colons stay readable.
export function link(fields) {
  const text = Object.entries(fields)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((each) => [name, each]))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%(2C|3A|2F)/g, decodeURIComponent)}`);
  return `#${text.join("&")}`;
}

// The need is named only where it is not the one that the page begins with.
export function systemLink(digits, multipliers, grammar, need = first("needs")) {
  const fields = { D: formatSet(digits), M: formatSet(multipliers), grammar };
  return link(need === first("needs") ? fields : { ...fields, need });
}

// Change the address without leaving the view.
export function rewrite(hash) {
  history.replaceState(null, "", hash);
}

// The same as a step of its own, which the Back button takes back.
export function step(hash) {
  if (hash !== location.hash) history.pushState(null, "", hash);
}
