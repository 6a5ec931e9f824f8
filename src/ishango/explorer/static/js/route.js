// Where one is, kept in the address: every view and every system has a link.

import { formatSet } from "./sets.js";

export const GRAMMARS = { modified: "modified (the paper’s)", hurford: "Hurford’s" };
export const NEEDS = {
  "power:2": "n⁻² (small numbers often, the paper’s)",
  "power:1": "n⁻¹",
  "exp:0.1": "exponential, rate 0.1",
  uniform: "all numbers equally often",
};

export function current() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const route = { view: fields.get("view") ?? "plane", fields };
  if (fields.has("D") || fields.has("M")) route.view = "builder";
  else if (fields.has("run")) route.view = "runs";
  else if (fields.has("talk")) route.view = "talk";
  route.grammar = fields.get("grammar") in GRAMMARS ? fields.get("grammar") : "modified";
  route.need = fields.get("need") in NEEDS ? fields.get("need") : "power:2";
  return route;
}

// Commas, bars and colons stay readable.
export function link(fields) {
  const text = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%(2C|3A|2F)/g, decodeURIComponent)}`);
  return `#${text.join("&")}`;
}

export function systemLink(digits, multipliers, grammar, need = "power:2") {
  const fields = { D: formatSet(digits), M: formatSet(multipliers), grammar };
  return link(need === "power:2" ? fields : { ...fields, need });
}

// Change the address without leaving the view.
export function rewrite(hash) {
  history.replaceState(null, "", hash);
}
