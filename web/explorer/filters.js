// What narrows the list: words, who decides, state, and any field of configs that varies.

import { FIXED, keyOf, natural, worded } from "./bench.js";
import { h, replace } from "./dom.js";

const ALWAYS = ["who", "state"];

export class Filters {
  // `changed` is called with what is new, and whether it is typed, so that each letter is no step back.
  constructor(changed) {
    this.changed = changed;
    this.search = h("input", {
      type: "search",
      name: "q",
      placeholder: "name, start=3, drift …",
      autocomplete: "off",
      oninput: () => changed({ text: this.search.value }, true),
    });
    this.boxes = h("div", { class: "filterboxes" });
    this.more = h("select", { name: "more", onchange: () => this.add(this.more.value) });
    this.clear = h(
      "button",
      { type: "button", class: "quiet", onclick: () => changed({ text: "", filters: {} }) },
      "Show all",
    );
    this.element = h(
      "div",
      { class: "controls filters", role: "search", "aria-label": "Filter the runs" },
      h("label", { class: "field grow" }, h("span", {}, "Find"), this.search),
      this.boxes,
      h("label", { class: "field" }, h("span", {}, "Filter by"), this.more),
      this.clear,
    );
    this.added = new Set();
  }

  add(field) {
    if (!field) return;
    this.added.add(field);
    this.more.value = "";
    this.draw(...this.last);
    this.boxes.querySelector(`[name="f.${CSS.escape(field)}"]`)?.focus();
  }

  // `fields`: what varies in configs. Drawn again only where something is other than before, so that nothing is lost under a hand.
  draw(runs, state, fields) {
    this.last = [runs, state, fields];
    if (document.activeElement !== this.search) this.search.value = state.text;
    const shown = [...new Set([...ALWAYS, ...Object.keys(state.filters), ...this.added])];
    const others = [...Object.keys(FIXED), ...fields].filter((field) => !shown.includes(field));
    const options = shown.map((field) => [field, this.values(runs, field, state.filters[field])]);
    const key = JSON.stringify([options, others, state.filters]);
    this.clear.hidden = !state.text && !Object.keys(state.filters).length;
    if (key === this.key || (this.boxes.contains(document.activeElement) && key === this.key)) return;
    this.key = key;
    const focused = document.activeElement?.getAttribute("name");
    replace(
      this.boxes,
      options.map(([field, values]) => this.box(field, values, state)),
    );
    replace(
      this.more,
      h("option", { value: "" }, "another field …"),
      others.map((field) => h("option", { value: field }, FIXED[field]?.[0] ?? field)),
    );
    this.more.closest("label").hidden = !others.length;
    if (focused) this.boxes.querySelector(`[name="${CSS.escape(focused)}"]`)?.focus();
  }

  values(runs, field, chosen) {
    const counts = new Map();
    for (const run of runs) counts.set(keyOf(run, field), (counts.get(keyOf(run, field)) ?? 0) + 1);
    if (chosen !== undefined && !counts.has(chosen)) counts.set(chosen, 0);
    return [...counts].sort(([a], [b]) => natural(a, b)).slice(0, 500);
  }

  box(field, values, state) {
    const choose = (event) => {
      const filters = { ...state.filters, [field]: event.target.value };
      if (!event.target.value) delete filters[field];
      this.changed({ filters });
    };
    return h(
      "label",
      { class: "field" },
      h("span", {}, FIXED[field]?.[0] ?? field),
      h(
        "select",
        { name: `f.${field}`, onchange: choose },
        h("option", { value: "" }, "all"),
        values.map(([value, count]) =>
          h(
            "option",
            { value, selected: state.filters[field] === value },
            `${worded(field, value)} (${count.toLocaleString("en")})`,
          ),
        ),
      ),
    );
  }
}
