// Where the system in the builder lies among the frontier and human languages.

import { get, snapshot } from "./api.js";
import { h } from "./dom.js";
import { PlaneChart } from "./plane_chart.js";

const AGAIN = 900,
  USUAL = 24,
  COARSE = 10;

export class Place {
  grammar;
  need;

  constructor(grammar, need) {
    Object.assign(this, { grammar, need, timer: 0, closed: false, fit: null, here: null, reach: 0 });
    this.box = h("div", { class: "small" }, h("p", { class: "loading" }, "Loading the plane …"));
    this.state = h("p", { class: "note" });
    this.chart = new PlaneChart(this.box, {
      label: "Where this system lies among the proved optima and human languages",
      height: 300,
    });
    this.element = h("div", { class: "beside" }, h("h2", {}, "Where it lies"), this.box, this.state);
    this.load();
  }

  async load() {
    clearTimeout(this.timer);
    const reach = this.reach;
    try {
      const map = await get("api/map", { grammar: this.grammar, need: this.need, ...(reach ? { size: reach } : {}) });
      if (this.closed || reach !== this.reach) return;
      this.fit = map.fit;
      Object.assign(this.chart.signals, this.signals());
      this.chart.draw(map);
      this.element.hidden = false;
      this.state.textContent = map.complete
        ? ""
        : `The frontier by this need is being proved: ${map.solved} of ${map.sizes} sizes.`;
      if (!map.complete) this.timer = setTimeout(() => this.load(), AGAIN);
    } catch {
      this.element.hidden = true; // the builder says what is wrong
    }
  }

  // The axes reach as far as what is built; how low anything can lie out there is asked for, too.
  mark({ size, average_complexity: average }) {
    this.here = average === null ? null : { size, average };
    const reach = this.here && size > USUAL && !snapshot ? COARSE * Math.ceil(size / COARSE) : 0;
    this.chart.set(this.signals());
    if (reach === this.reach) return;
    this.reach = reach;
    this.load();
  }

  signals() {
    const marked = { here_x: this.here?.size ?? 0, here_y: this.here?.average ?? 0 };
    if (!this.fit) return marked;
    const { x, y } = this.fit,
      here = this.here;
    const across = here ? [Math.min(x[0], here.size - 1), Math.max(x[1], here.size + 1)] : x;
    const up = here ? [Math.max(1, Math.min(y[0], here.average - 0.02)), Math.max(y[1], here.average * 1.04)] : y;
    return { ...marked, x0: across[0], x1: across[1], y0: up[0], y1: up[1] };
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.chart.close();
  }
}
