// What can be chosen, by name and in words: asked for once, before the first view is shown.

import { get } from "./api.js";

const choices = {};

export async function loadChoices() {
  Object.assign(choices, await get("api/choices"));
}

// All there are of a kind: grammars, needs, choosers, modifications, add_rules, learners or judges.
export function all(kind) {
  return choices[kind];
}

// What the page begins with.
export function first(kind) {
  return choices[kind][0].name;
}

// A name from the address, if there is such a thing; if not, what the page begins with.
export function known(kind, name) {
  return choices[kind].some((each) => each.name === name) ? name : first(kind);
}

// A run may tell of what is not installed here; that goes by its name.
export function label(kind, name) {
  return choices[kind].find((each) => each.name === name)?.label ?? name;
}
