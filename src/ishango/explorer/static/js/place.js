// Where the system in the builder lies among the frontier and human languages.

import { get } from "./api.js";
import { Chart } from "./chart.js";
import { h } from "./dom.js";

const AGAIN = 900;

export class Place {
  constructor(grammar, need) {
    Object.assign(this, { grammar, need, timer: 0, closed: false });
    const box = h("div", {});
    this.chart = new Chart(box, { label: "Where this system lies among the proved optima and human languages" });
    this.element = h("div", { class: "beside" }, h("h2", {}, "Where it lies"), box);
    this.load();
  }

  async load() {
    try {
      const map = await get("api/map", { grammar: this.grammar, need: this.need });
      if (this.closed) return;
      await this.chart.draw(map.figure);
      if (!map.complete) this.timer = setTimeout(() => this.load(), AGAIN);
    } catch {
      this.element.hidden = true; // the builder says what is wrong
    }
  }

  mark({ size, average_complexity: average }) {
    this.chart.signal("here_size", size);
    this.chart.signal("here_average", average ?? 0);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.chart.close();
  }
}
