// Controls that several views have.

import { all } from "./choices.js";
import { h } from "./dom.js";

export function choice(label, kind, value, onChange, name = kind) {
  const select = h(
    "select",
    { name, onchange: (event) => onChange(event.target.value) },
    all(kind).map((each) =>
      h("option", { value: each.name, selected: each.name === value, title: each.sentence }, each.label),
    ),
  );
  return h("label", { class: "field" }, h("span", {}, label), select);
}

export function grammarChoice(value, onChange) {
  return choice("Grammar", "grammars", value, onChange);
}

export function needChoice(value, onChange) {
  return choice("How often numbers are needed", "needs", value, onChange);
}

export function number(label, name, value, least, most, step = 1) {
  const limits = { min: String(least), max: String(most), step: String(step), required: true };
  return h(
    "label",
    { class: "field" },
    h("span", {}, label),
    h("input", { type: "number", name, value: String(value), ...limits }),
  );
}

export function decimals(value, places = 4) {
  return value === null || value === undefined ? "–" : value.toFixed(places).replace(/^-(0\.0*)$/, "$1");
}
