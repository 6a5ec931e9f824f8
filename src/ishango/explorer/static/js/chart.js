// Draws the package's own charts with Vega, in the look of the page.

import { h } from "./dom.js";
import { isDark, onTheme } from "./theme.js";

// Milliseconds without a change after which nothing moves.
const REST = 300;
let vega = null;

function loadVega() {
  vega ??= window.vegaEmbed ? Promise.resolve() : import("./vega.js");
  return vega;
}

// A chart that can be given new figures, and redraws itself when the page turns dark.
export class Chart {
  // `atRest`: the parameter, if there is one, that is true only while nothing moves.
  constructor(element, { label, onClick, onHover, atRest } = {}) {
    Object.assign(this, { element, label, onClick, onHover, atRest, resting: 0, figure: null, view: null, signals: {} });
    element.classList.add("chart");
    loadVega(); // while the data is on its way
    this.forget = onTheme(() => this.figure && this.draw(this.figure));
    this.drawing = Promise.resolve();
  }

  // One drawing after the other: Vega would otherwise leave two charts in the element.
  draw(figure) {
    this.figure = figure;
    clearTimeout(this.resting);
    if (this.atRest) this.signals[this.atRest] = false;
    delete this.element.dataset.drawn;
    this.drawing = this.drawing.then(() => (figure === this.figure ? this.embed(figure) : null));
    return this.drawing;
  }

  async embed(figure) {
    await loadVega();
    if (!this.element.isConnected) return;
    const begun = { ...this.signals };
    const specification = { ...this.specification(figure), datasets: figure.datasets, autosize: AUTOSIZE };
    const result = await window.vegaEmbed(this.element, specification, {
      actions: false, ast: true, renderer: "svg", defaultStyle: false, tooltip: showTooltip, loader: NOWHERE,
    });
    if (!this.element.isConnected) return result.view.finalize(); // left meanwhile
    this.view?.finalize();
    this.view = result.view;
    const svg = this.element.querySelector("svg");
    // To who hears the page a chart is one image with a name, not hundreds of marks; what it shows is also in words or tables.
    svg?.setAttribute("role", "img");
    svg?.setAttribute("aria-label", this.label ?? "Chart");
    for (const each of svg?.children ?? []) each.setAttribute("aria-hidden", "true");
    if (this.onClick) this.view.addEventListener("click", (_event, item) => item?.datum && this.onClick(item.datum));
    if (this.onHover) this.view.addEventListener("mousemove", (_event, item) => this.onHover(item?.datum));
    const changed = Object.entries(this.signals).filter(([name, value]) => value !== begun[name]);
    for (const [name, value] of changed) this.view.signal(name, value);
    if (changed.length) await this.view.runAsync();
    this.element.dataset.drawn = "yes";
    this.rest();
  }

  // As the page wants it: what was set before is what its parameters begin with.
  specification(figure) {
    const drawn = isDark() ? figure.dark : figure.light;
    // The chart has a name as a whole: descriptions of thousands of marks, which nobody would hear, are not made.
    return { ...drawn, config: { ...drawn.config, aria: false }, params: drawn.params?.map((each) => (each.name in this.signals ? { ...each, value: this.signals[each.name] } : each)) };
  }

  signal(name, value) {
    return this.set({ [name]: value });
  }

  // Several parameters at once.
  set(values) {
    Object.assign(this.signals, values);
    if (!this.view) return null;
    for (const [name, value] of Object.entries(values)) this.view.signal(name, value);
    return this.view.runAsync();
  }

  // The same for what changes again and again: the zoom, the round.
  move(values) {
    this.rest();
    return this.set(this.atRest ? { ...values, [this.atRest]: false } : values);
  }

  // From now on, if nothing moves for a while.
  rest() {
    clearTimeout(this.resting);
    if (this.atRest) this.resting = setTimeout(() => this.signal(this.atRest, true), REST);
  }

  close() {
    this.forget();
    clearTimeout(this.resting);
    this.view?.finalize();
    hideTooltip();
  }
}

const AUTOSIZE = { type: "fit-x", contains: "padding", resize: true };
// Charts bring their data; a specification that asks for more gets nothing.
const NOWHERE = { load: () => Promise.reject(new Error("Charts load nothing.")), sanitize: () => Promise.reject(new Error("No links.")) };

let tooltip = null;

function showTooltip(_handler, event, _item, value) {
  if (value === null || value === undefined || value === "") return hideTooltip();
  tooltip ??= document.body.appendChild(h("div", { class: "tooltip", "aria-hidden": "true" }));
  const rows = typeof value === "object" ? Object.entries(value) : [["", value]];
  tooltip.replaceChildren(...rows.filter(([, text]) => text !== undefined).map(([name, text]) =>
    name.trim() ? h("div", {}, h("span", {}, name), h("b", {}, String(text))) : h("strong", {}, String(text))));
  tooltip.hidden = false;
  const { width, height } = tooltip.getBoundingClientRect();
  tooltip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
  tooltip.style.top = `${Math.max(4, event.clientY + 14 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 14)}px`;
}

function hideTooltip() {
  if (tooltip) tooltip.hidden = true;
}
