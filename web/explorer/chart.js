// Draws the package's own charts with Vega, in the look of the page.

import { h } from "./dom.js";
import { saving } from "./saving.js";
import { isDark, onTheme } from "./theme.js";
import { hideTooltip, showTooltip } from "./tooltip.js";

let vega = null;

function loadVega() {
  vega ??= window.vegaEmbed ? Promise.resolve() : import("./vega.js");
  return vega;
}

// A chart that can be given new figures, and redraws itself when the page turns dark.
export class Chart {
  element;
  signals;
  label;
  name;

  // For screen readers a chart is one image with a name; what it shows is also in words or tables.
  constructor(element, { label = "Chart", name = label.split(".")[0] } = {}) {
    Object.assign(this, { element, label, name, figure: null, view: null, signals: {}, at: null });
    element.classList.add("chart");
    this.nameIt();
    loadVega(); // while the data is on its way
    this.forget = onTheme(() => this.figure && this.draw(this.figure));
    this.drawing = Promise.resolve();
  }

  nameIt() {
    this.element.setAttribute("role", "img");
    this.element.setAttribute("aria-label", this.label);
  }

  // One drawing after the other: Vega would otherwise leave two charts in the element.
  draw(figure) {
    this.figure = figure;
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
      actions: false,
      ast: true,
      renderer: "svg",
      defaultStyle: false,
      tooltip,
      loader: NOWHERE,
    });
    if (!this.element.isConnected) return result.view.finalize(); // left meanwhile
    this.view?.finalize();
    this.view = result.view;
    this.nameIt(); // Vega calls every chart a visualization
    this.view.addResizeListener(() => this.mark(this.at));
    this.element.querySelector("svg")?.setAttribute("aria-hidden", "true");
    const changed = Object.entries(this.signals).filter(([name, value]) => value !== begun[name]);
    for (const [name, value] of changed) this.view.signal(name, value);
    if (changed.length) await this.view.runAsync();
    if (!this.tools) {
      this.tools = saving(
        this.name,
        () => this.view.toSVG(),
        () => this.figure.datasets,
      );
      this.element.after(this.tools);
    }
    this.element.dataset.drawn = "yes";
    this.mark(this.at);
  }

  // A line at a round, in charts whose axis across is rounds.
  mark(round) {
    this.at = round;
    this.element.querySelector(".cursor")?.remove();
    const x = round === null || !this.view ? undefined : scaleOf(this.view)?.(round);
    if (!(x >= 0 && x <= this.view.width())) return;
    const line = this.element.appendChild(h("i", { class: "cursor", "aria-hidden": "true" })),
      [left, top] = this.view.origin();
    Object.assign(line.style, { left: `${left + x}px`, top: `${top}px`, height: `${this.view.height()}px` });
  }

  // As the page wants it: what was set before is what its parameters begin with.
  specification(figure) {
    const drawn = isDark() ? figure.dark : figure.light;
    // The chart has a name as a whole: descriptions of thousands of marks, which nobody would hear, are not made.
    return {
      ...drawn,
      config: { ...drawn.config, aria: false },
      params: drawn.params?.map((each) =>
        each.name in this.signals ? { ...each, value: this.signals[each.name] } : each,
      ),
    };
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

  close() {
    this.forget();
    this.view?.finalize();
    hideTooltip();
  }
}

const AUTOSIZE = { type: "fit-x", contains: "padding", resize: true };
// Charts bring their data; a specification that asks for more gets nothing.
const NOWHERE = {
  load: () => Promise.reject(new Error("Charts load nothing.")),
  sanitize: () => Promise.reject(new Error("No links.")),
};

function tooltip(_handler, event, _item, value) {
  if (value === null || value === undefined || value === "") hideTooltip();
  else showTooltip(event, typeof value === "object" ? Object.entries(value) : [["", value]]);
}

// A chart of several panels has no one axis.
function scaleOf(view) {
  try {
    return view.scale("x");
  } catch {
    return null;
  }
}
