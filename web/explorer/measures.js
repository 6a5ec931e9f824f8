// Any number that rounds record, over the rounds of one run or of several.

import { get } from "./api.js";
import { Chart } from "./chart.js";
import { h, notice, replace } from "./dom.js";

const FIRST = ["gap", "cost", "average_complexity", "size"];

export class Measures {
  wanted;
  names;

  // `wanted`: the measure that the address names.
  constructor(names, wanted = null, onChange = () => {}) {
    Object.assign(this, { names, wanted, closed: false, known: null });
    this.select = h("select", {
      name: "measure",
      onchange: () => {
        this.load();
        onChange();
      },
    });
    this.about = h("p", { class: "note" });
    this.said = h("div", {});
    this.chart = new Chart(h("div", {}), { label: "A measure over the rounds" });
    this.element = h(
      "section",
      { class: "card", hidden: true, "data-chart": "measure" },
      h("h2", {}, "Over the rounds"),
      h("label", { class: "field" }, h("span", {}, "Measure"), this.select),
      this.about,
      this.said,
      this.chart.element,
    );
  }

  // The chart is asked for when there is something new to show.
  draw(measures, round) {
    this.element.hidden = !measures.length;
    const key = JSON.stringify([measures.map((each) => each.name), round]);
    if (!measures.length || key === this.key) return;
    this.key = key;
    const chosen =
      this.select.value ||
      [this.wanted, ...FIRST].find((name) => measures.some((each) => each.name === name)) ||
      measures[0].name;
    this.known = measures;
    replace(
      this.select,
      measures.map((each) =>
        h("option", { value: each.name, selected: each.name === chosen }, each.name.replaceAll("_", " ")),
      ),
    );
    this.load();
  }

  // As the address has it: nothing where it is the one that the chart begins with.
  get text() {
    const usual = FIRST.find((name) => this.known?.some((each) => each.name === name)) ?? this.known?.[0]?.name;
    return this.select.value && this.select.value !== usual ? this.select.value : undefined;
  }

  async load() {
    const field = this.select.value,
      { sentence, unit } = this.known.find((each) => each.name === field);
    this.about.textContent = `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}${unit ? ` (${unit})` : ""}.`;
    try {
      const figure = await get("api/measure", { name: this.names, field });
      if (this.closed || field !== this.select.value) return;
      replace(this.said);
      await this.chart.draw(figure);
    } catch (error) {
      if (!this.closed) replace(this.said, notice(error.message, "error"));
    }
  }

  close() {
    this.closed = true;
    this.chart.close();
  }
}
