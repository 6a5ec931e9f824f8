// Controls that several views have.

import { h } from "./dom.js";
import { GRAMMARS, NEEDS } from "./route.js";
import { snapshot } from "./api.js";

export function choice(label, options, value, onChange) {
  const select = h("select", { onchange: (event) => onChange(event.target.value) },
    Object.entries(options).map(([name, text]) => h("option", { value: name, selected: name === value }, text)));
  return h("label", { class: "field" }, h("span", {}, label), select);
}

export function grammarChoice(value, onChange) {
  return choice("Grammar", GRAMMARS, value, onChange);
}

// A snapshot holds the paper's need only.
export function needChoice(value, onChange) {
  const needs = snapshot ? { "power:2": NEEDS["power:2"] } : NEEDS;
  return choice("How often numbers are needed", needs, value, onChange);
}

export function number(label, name, value, least, most) {
  return h("label", { class: "field" }, h("span", {}, label),
    h("input", { type: "number", name, value: String(value), min: String(least), max: String(most), required: true }));
}

export function decimals(value, places = 4) {
  return value === null || value === undefined ? "–" : value.toFixed(places).replace(/^-(0\.0*)$/, "$1");
}
