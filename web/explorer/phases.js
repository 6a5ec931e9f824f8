// The plane of precision and the price of a word, a coloured cell for each kind: moved over by mouse, touch and keys.

import { h, svg } from "./dom.js";
import { drawn, saving } from "./saving.js";

const TICKS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000];

export class Phases {
  diagram;
  onMove;

  // Cells are numbered precision by precision, and by the price of a word within each.
  constructor(diagram, onMove) {
    Object.assign(this, { diagram, onMove, place: -1, kept: false });
    this.columns = diagram.precisions.length;
    this.rows = diagram.words.length;
    this.region = svg("g", { class: "region" });
    this.cursor = svg("g", { class: "cursor" }, square("halo"), square("frame"));
    this.plane = svg(
      "svg",
      {
        viewBox: `0 0 ${this.columns} ${this.rows}`,
        preserveAspectRatio: "none",
        tabindex: "0",
        role: "application",
        "aria-label": "Precision from left to right against the price of a word from bottom to top. Arrow keys move.",
      },
      svg(
        "g",
        {},
        diagram.cells.map((cell, place) => this.tile(cell, place)),
      ),
      svg("path", { class: "hatch", d: this.hatching() }),
      this.region,
      this.cursor,
    );
    this.plane.addEventListener("pointermove", (event) => this.follow(event));
    this.plane.addEventListener("pointerdown", (event) => this.keep(event));
    this.plane.addEventListener("keydown", (event) => this.key(event));
    this.element = h(
      "div",
      { class: "phases" },
      h(
        "div",
        { class: "up", "aria-hidden": "true" },
        h("span", {}, "what a word costs →"),
        ticks(diagram.words, "bottom"),
      ),
      h("div", { class: "field" }, this.plane, this.names()),
      h(
        "div",
        { class: "along", "aria-hidden": "true" },
        ticks(diagram.precisions, "left"),
        h("span", {}, "what precision is worth →"),
      ),
    );
    const { precisions, words, cells } = diagram,
      rows = () =>
        cells.map((cell, place) => ({
          precision: precisions[Math.floor(place / words.length)],
          word: words[place % words.length],
          ...cell,
        }));
    this.saving = saving(
      "Kinds of numeral systems",
      () => drawn(this.plane),
      () => ({ cells: rows() }),
    );
    this.legend = h(
      "p",
      { class: "legend" },
      diagram.kinds.map((kind, i) => h("span", {}, h("i", { class: `swatch kind-${i}` }), kind)),
      h("span", {}, h("i", { class: "swatch open" }), "hatched: not proved"),
    );
  }

  tile(cell, place) {
    const { x, y } = this.corner(place);
    const kind = this.diagram.kinds.indexOf(cell.kind);
    return svg("rect", { x, y, width: 1, height: 1, class: `kind-${kind}${cell.proved ? "" : " open"}` });
  }

  // Two strokes through each cell whose system is not proved to be the best.
  hatching() {
    return this.diagram.cells
      .map((cell, place) => {
        const { x, y } = this.corner(place);
        return cell.proved
          ? ""
          : `M${x} ${y + 0.5}L${x + 0.5} ${y}M${x} ${y + 1}L${x + 1} ${y}M${x + 0.5} ${y + 1}L${x + 1} ${y + 0.5}`;
      })
      .join("");
  }

  // The name of each kind where most of its cells are: no one has to tell colours apart.
  names() {
    return this.diagram.kinds.map((kind) => {
      const mine = this.diagram.cells
        .map((cell, place) => (cell.kind === kind ? this.corner(place) : null))
        .filter(Boolean);
      if (!mine.length) return null;
      const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] + 0.5;
      const x = middle(mine.map((each) => each.x)),
        y = middle(mine.map((each) => each.y));
      const name = h("span", { class: "kindname", "aria-hidden": "true" }, kind);
      Object.assign(name.style, {
        left: `min(${(100 * x) / this.columns}%, 100% - 2.2rem)`,
        top: `${(100 * y) / this.rows}%`,
      });
      return name;
    });
  }

  corner(place) {
    return { x: Math.floor(place / this.rows), y: this.rows - 1 - (place % this.rows) };
  }

  prices(place) {
    return {
      precision: this.diagram.precisions[Math.floor(place / this.rows)],
      word: this.diagram.words[place % this.rows],
    };
  }

  nearest(precision, word) {
    return closest(this.diagram.precisions, precision) * this.rows + closest(this.diagram.words, word);
  }

  go(place) {
    if (place === this.place) return;
    this.place = place;
    const { x, y } = this.corner(place);
    this.cursor.setAttribute("transform", `translate(${x} ${y})`);
    this.onMove(place);
  }

  // The cell under the mouse or finger; beyond the edge it is the last one.
  under(event) {
    const { left, top, width, height } = this.plane.getBoundingClientRect();
    const within = (share, count) => Math.min(Math.max(Math.floor(share * count), 0), count - 1);
    const column = within((event.clientX - left) / width, this.columns);
    return column * this.rows + this.rows - 1 - within((event.clientY - top) / height, this.rows);
  }

  follow(event) {
    if (!this.kept || event.buttons) this.go(this.under(event));
  }

  keep(event) {
    const place = this.under(event);
    this.hold(event.pointerType === "mouse" && !(this.kept && place === this.place));
    this.go(place);
  }

  hold(kept) {
    this.kept = kept;
    this.cursor.classList.toggle("kept", kept);
  }

  key(event) {
    const [across, up] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [
      0, 0,
    ];
    if (!(across || up) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const far = event.shiftKey ? 5 : 1;
    const column = Math.min(Math.max(Math.floor(this.place / this.rows) + far * across, 0), this.columns - 1);
    this.go(column * this.rows + Math.min(Math.max((this.place % this.rows) + far * up, 0), this.rows - 1));
  }

  // Frame a set of cells: every side of a cell whose neighbour is not in the set.
  mark(places) {
    const inside = new Set(places);
    const filled = [],
      sides = [];
    for (const place of places) {
      const { x, y } = this.corner(place),
        row = place % this.rows;
      filled.push(`M${x} ${y}h1v1h-1z`);
      if (!inside.has(place - this.rows)) sides.push(`M${x} ${y}v1`);
      if (!inside.has(place + this.rows)) sides.push(`M${x + 1} ${y}v1`);
      if (row === this.rows - 1 || !inside.has(place + 1)) sides.push(`M${x} ${y}h1`);
      if (row === 0 || !inside.has(place - 1)) sides.push(`M${x} ${y + 1}h1`);
    }
    const frame = sides.join("");
    this.region.replaceChildren(
      svg("path", { class: "inside", d: filled.join("") }),
      svg("path", { class: "halo", d: frame }),
      svg("path", { class: "frame", d: frame }),
    );
    this.plane.dataset.inside = String(places.length);
  }
}

export function rounded(value) {
  return Number(value.toPrecision(3));
}

function closest(values, wanted) {
  const distances = values.map((value) => Math.abs(Math.log(value / wanted)));
  return Math.max(0, distances.indexOf(Math.min(...distances)));
}

function ticks(values, side) {
  const first = Math.log(values[0]),
    last = Math.log(values.at(-1));
  const half = (last - first) / Math.max(1, values.length - 1) / 2 || 1;
  const at = (value) => (Math.log(value) - first + half) / (last - first + 2 * half);
  return h(
    "div",
    { class: "ticks" },
    TICKS.filter((value) => at(value) >= 0 && at(value) <= 1).map((value) => {
      const tick = h("span", {}, String(value));
      tick.style[side] = `${100 * at(value)}%`;
      return tick;
    }),
  );
}

function square(kind) {
  return svg("rect", { width: 1, height: 1, class: kind });
}
