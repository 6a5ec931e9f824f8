// What part of a chart is seen: zoom and pan by wheel, mouse, fingers, keys and buttons.

import { h } from "./dom.js";

const STEP = 1.5,
  FAR = 4,
  MOVE = 0.15;
const LINEAR = { there: (value) => value, back: (value) => value },
  LOG = { there: Math.log, back: Math.exp };
const KEYS = {
  "+": (zoom) => zoom.by(1 / STEP),
  "=": (zoom) => zoom.by(1 / STEP),
  "-": (zoom) => zoom.by(STEP),
  0: (zoom) => zoom.fit(),
  ArrowLeft: (zoom) => zoom.pan(-MOVE, 0),
  ArrowRight: (zoom) => zoom.pan(MOVE, 0),
  ArrowUp: (zoom) => zoom.pan(0, MOVE),
  ArrowDown: (zoom) => zoom.pan(0, -MOVE),
};

export class Zoom {
  pointers;
  chart;
  onChange;

  // `seen`: the part that the address names, if it does; `onChange` is told of another.
  constructor(chart, seen, onChange) {
    Object.assign(this, { chart, home: null, all: null, seen, onChange, pointers: new Map(), moved: 0, asked: 0 });
    const button = (text, label, onclick) =>
      h("button", { type: "button", class: "quiet", "aria-label": label, title: label, onclick }, text);
    this.buttons = h(
      "div",
      { class: "zoom", role: "group", "aria-label": "Zoom" },
      button("+", "Zoom in", () => this.by(1 / STEP)),
      button("−", "Zoom out", () => this.by(STEP)),
      button("Fit", "Fit to what matters", () => this.fit()),
      button("All", "Show everything", () => this.show(this.all)),
    );
    const box = chart.element;
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Chart; plus and minus zoom, arrows move, zero fits");
    box.classList.add("zoomable");
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    box.addEventListener("pointerdown", (event) => this.down(event));
    box.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"])
      box.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
    box.addEventListener("dblclick", (event) => {
      const at = this.place(event.clientX, event.clientY);
      if (at) this.by(event.shiftKey ? STEP : 1 / STEP, at);
    });
  }

  // New data: who has not moved sees what matters of it, the others stay where they are.
  windows({ fit, all, log_x, log_y }) {
    this.scales = { x: log_x ? LOG : LINEAR, y: log_y ? LOG : LINEAR };
    const untouched = !this.seen || this.seen === this.home;
    this.home = fit;
    this.all = all;
    if (untouched) this.seen = fit;
    this.chart.element.dataset.zoomed = this.seen === this.home ? "" : "yes";
    Object.assign(this.chart.signals, this.signals());
  }

  // What is seen, as the address has it; nothing where that is what matters.
  get text() {
    return !this.seen || this.seen === this.home
      ? undefined
      : [...this.seen.x, ...this.seen.y].map((each) => Number(each.toPrecision(5))).join(",");
  }

  signals() {
    const { x, y } = this.seen;
    return { x0: x[0], x1: x[1], y0: y[0], y1: y[1] };
  }

  fit() {
    this.show(this.home);
  }

  show(seen) {
    if (!seen) return;
    this.seen = seen;
    this.chart.element.dataset.zoomed = seen === this.home ? "" : "yes";
    cancelAnimationFrame(this.asked);
    this.asked = requestAnimationFrame(() => this.chart.set(this.signals()));
    this.onChange();
  }

  // Larger or smaller around a place, given in parts of the chart from its left lower corner.
  /** @param {number} factor @param {number[]} place */
  by(factor, [right, up] = [0.5, 0.5]) {
    const scaled = (part) => (low, high, furthest) => {
      const width = Math.min((high - low) * factor, FAR * furthest),
        at = low + part * (high - low);
      return [at - part * width, at + (1 - part) * width];
    };
    this.change({ x: scaled(right), y: scaled(up) });
  }

  pan(right, up) {
    const shifted = (part) => (low, high) => [low + part * (high - low), high + part * (high - low)];
    this.change({ x: shifted(right), y: shifted(up) });
  }

  // Ends are moved as they lie on the screen: on a logarithmic axis that is by factors.
  change(how) {
    if (!this.seen) return;
    const axis = (name) => {
      const { there, back } = this.scales[name],
        [low, high] = this.seen[name].map(there),
        all = this.all[name].map(there);
      return how[name](low, high, all[1] - all[0]).map(back);
    };
    this.show({ x: axis("x"), y: axis("y") });
  }

  key(event) {
    const act = KEYS[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target !== this.chart.element) return;
    event.preventDefault();
    act(this);
  }

  // The wheel alone scrolls the page, as everywhere; with Ctrl, which is also what two fingers on a touchpad send, it zooms.
  wheel(event) {
    const at = this.place(event.clientX, event.clientY);
    if (!at || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.by(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 100), at);
  }

  down(event) {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    this.moved = 0;
  }

  // A mouse that is held down moves the chart; one finger scrolls the page, two move and stretch the chart.
  move(event) {
    const from = this.pointers.get(event.pointerId),
      area = this.chart.area();
    if (!from || !area) return;
    const fingers = this.pointers.size,
      other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    const to = [event.clientX, event.clientY];
    this.pointers.set(event.pointerId, to);
    this.moved += Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (event.pointerType !== "mouse" && fingers < 2) return;
    this.pan((from[0] - to[0]) / area.width / fingers, (to[1] - from[1]) / area.height / fingers);
    if (fingers !== 2) return;
    const apart = (one) => Math.max(20, Math.hypot(one[0] - other[0], one[1] - other[1]));
    this.by(apart(from) / apart(to), this.place((to[0] + other[0]) / 2, (to[1] + other[1]) / 2) ?? undefined);
  }

  // Whether the mouse was dragged: then it does not click.
  get dragged() {
    return this.moved > 5;
  }

  /** @returns {[number, number] | null} */
  place(x, y) {
    const area = this.chart.area();
    if (!area) return null;
    const [right, up] = [(x - area.left) / area.width, 1 - (y - area.top) / area.height];
    return right >= 0 && right <= 1 && up >= 0 && up <= 1 ? [right, up] : null;
  }
}

// A part of the plane that an address names: four numbers.
export function windowIn(text) {
  const [a, b, c, d] = (text ?? "").split(",").map(Number);
  return a < b && c < d && [a, b, c, d].every(Number.isFinite) ? { x: [a, b], y: [c, d] } : null;
}
