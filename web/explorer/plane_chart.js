// The plane as a drawing of its own: an element for each run, so that what is drawn is what the run did, at every round.

import { svg } from "./dom.js";
import { bandsUpTo, staysOf } from "./medians.js";
import { planeRows } from "./plane_table.js";
import { drawn, saving } from "./saving.js";
import { scale, ticks } from "./scales.js";
import { hideTooltip, showTooltip } from "./tooltip.js";

const LEFT = 58,
  RIGHT = 14,
  TOP = 10,
  BOTTOM = 46,
  TEXT = 11;
let numbers = 0;

export class PlaneChart {
  signals;
  onClick;
  element;
  tools;
  label;
  height;
  clip;

  // `signals`: what part is seen (x0, x1, y0, y1), the round, the groups that are drawn as paths, bands and ends, the
  // run that is drawn in any case, and the system that is marked.
  /** @param {HTMLElement} element @param {{ label: string, onClick?: (about: any) => void, height?: number }} how */
  constructor(element, { label, onClick, height = 460 }) {
    const signals = {
      x0: 1,
      x1: 20,
      y0: 1,
      y1: 2,
      round: Infinity,
      paths_of: [],
      bands_of: [],
      ends_of: [],
      featured: "",
      here_x: 0,
      here_y: 0,
    };
    Object.assign(this, { element, label, onClick, height, signals, plane: null, width: 0, clip: `seen-${numbers++}` });
    this.root = svg("svg", { class: "plane", role: "img", "aria-label": label, "font-size": TEXT });
    element.classList.add("chart");
    this.root.addEventListener("pointermove", (event) => this.hover(event));
    this.root.addEventListener("pointerleave", () => this.hover(null));
    this.root.addEventListener("click", (event) => {
      const about = this.about(event.target);
      if (about && this.onClick) this.onClick(about);
    });
    this.watching = new ResizeObserver(() => {
      if (this.plane && this.width !== element.clientWidth) this.render();
    });
    this.watching.observe(element);
  }

  draw(plane) {
    this.plane = plane;
    this.stays = staysOf(plane.tables.paths);
    if (this.root.parentElement !== this.element) {
      this.element.replaceChildren(this.root);
      this.tools ??= saving(
        this.label,
        () => drawn(this.root),
        () => ({ plane: planeRows(this.plane, this.signals.round) }),
      );
      this.element.after(this.tools);
    }
    this.render();
    this.element.dataset.drawn = "yes";
  }

  // Parameters that have changed; where it is the round alone, only what moves is drawn again.
  set(values) {
    Object.assign(this.signals, values);
    if (!this.plane) return;
    if (Object.keys(values).every((name) => name === "round")) this.step();
    else this.render();
  }

  render() {
    const { x0, x1, y0, y1 } = this.signals,
      { tables, log_x: logX, log_y: logY } = this.plane;
    this.width = this.element.clientWidth || 600;
    this.x = scale([x0, x1], [LEFT, this.width - RIGHT], logX);
    this.y = scale([y0, y1], [this.height - BOTTOM, TOP], logY);
    this.known = [];
    this.areas = svg("g", { class: "bands" });
    this.medians = svg("g", { class: "mark-line medians" });
    const frame = {
      x: LEFT,
      y: TOP,
      width: Math.max(1, this.width - LEFT - RIGHT),
      height: this.height - TOP - BOTTOM,
    };
    this.root.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.root.setAttribute("height", this.height);
    this.root.replaceChildren(
      svg("defs", {}, svg("clipPath", { id: this.clip }, svg("rect", frame))),
      this.axes(),
      svg(
        "g",
        { "clip-path": `url(#${this.clip})` },
        svg("g", { class: "mark-area" }, svg("path", { d: this.region(tables.bound), fill: "var(--line)" })),
        this.areas,
        this.medians,
        this.ways(),
        this.optima(),
        this.languages(),
        this.words(),
        this.ends(),
        this.names,
        this.here(),
      ),
    );
    this.step();
  }

  axes() {
    const { x0, x1, y0, y1 } = this.signals,
      { titles, log_x: logX, log_y: logY } = this.plane;
    const bottom = this.height - BOTTOM,
      right = this.width - RIGHT,
      line = { stroke: "var(--faint)" },
      text = { fill: "var(--ink)" };
    const across = ticks([x0, x1], Math.max(3, this.width / 70), logX).map((value) => [
      svg("path", { d: `M${this.x(value)},${TOP}V${bottom}`, ...line }),
      svg("text", { x: this.x(value), y: bottom + 16, "text-anchor": "middle", ...text }, short(value)),
    ]);
    const up = ticks([y0, y1], 8, logY).map((value) => [
      svg("path", { d: `M${LEFT},${this.y(value)}H${right}`, ...line }),
      svg("text", { x: LEFT - 7, y: this.y(value) + 4, "text-anchor": "end", ...text }, short(value)),
    ]);
    const middle = (TOP + bottom) / 2;
    return svg(
      "g",
      { class: "axes", "aria-hidden": "true" },
      across.flat(),
      up.flat(),
      svg("path", { d: `M${LEFT},${TOP}V${bottom}H${right}`, fill: "none", stroke: "var(--ink)" }),
      svg(
        "text",
        { x: (LEFT + right) / 2, y: this.height - 8, "text-anchor": "middle", "font-size": 12, ...text },
        titles.x,
      ),
      svg(
        "text",
        { x: 14, y: middle, transform: `rotate(-90 14 ${middle})`, "text-anchor": "middle", "font-size": 12, ...text },
        titles.y,
      ),
    );
  }

  // Sizes are whole numbers: the edge is level up to the next one.
  region(bound) {
    if (!bound.length) return "";
    return `${this.steps(bound, "y")}L${this.at(bound.at(-1).x, this.signals.y0 / 2)}L${this.at(bound[0].x, this.signals.y0 / 2)}Z`;
  }

  steps(rows, name) {
    return rows
      .map((row, i) =>
        i ? `L${this.at(row.x, rows[i - 1][name])}L${this.at(row.x, row[name])}` : `M${this.at(row.x, row[name])}`,
      )
      .join("");
  }

  // A stroke for each place, not joined: no run went from one to the next.
  levels(rows, name) {
    return rows
      .slice(1)
      .map((row, i) => `M${this.at(rows[i].x, rows[i][name])}L${this.at(row.x, rows[i][name])}`)
      .join("");
  }

  at(x, y) {
    return `${this.x(x).toFixed(2)},${this.y(y).toFixed(2)}`;
  }

  // Of the rounds up to the one that is looked at: a band does not know what comes.
  drawBands() {
    const { bands_of: groups, round } = this.signals;
    const shown = bandsUpTo(this.stays, round).filter((row) => groups.includes(row.group));
    const stretches = [...Map.groupBy(shown, (row) => `${row.group} ${row.stretch}`).values()];
    const area = (rows) => `${this.steps(rows, "high")}${this.back(rows)}Z`;
    this.areas.replaceChildren(
      ...stretches.map((rows) => svg("path", { d: area(rows), fill: colour(rows[0]), "fill-opacity": 0.2 })),
    );
    this.medians.replaceChildren(
      ...stretches.map((rows) =>
        svg("path", {
          d: this.levels(rows, "median"),
          fill: "none",
          stroke: colour(rows[0]),
          "stroke-width": 2,
          "stroke-dasharray": "5 2",
        }),
      ),
    );
  }

  // The lower edge from right to left.
  back(rows) {
    return rows
      .toReversed()
      .map((row, i, list) => `L${this.at(i ? list[i - 1].x : row.x, row.low)}L${this.at(row.x, row.low)}`)
      .join("");
  }

  // Lines that are seen, wider ones that the mouse meets, and where runs begin.
  ways() {
    const { paths_of: groups, featured } = this.signals,
      { tables } = this.plane;
    const shown = tables.paths.filter((run) => groups.includes(run.group) || run.run === featured);
    this.lines = shown.map((run) => {
      const strokes = run.x.slice(0, -1).map((x, i) => `${i ? "L" : "M"}${this.at(x, run.y[i])}`);
      const look = { "data-run": run.run, "data-about": this.remember({ run }), fill: "none", stroke: colour(run) };
      const seen = svg("path", {
        ...look,
        class: "way",
        "stroke-width": run.run === featured ? 2.8 : 1.5,
        opacity: run.run === featured ? 1 : 0.6,
      });
      return {
        run,
        strokes,
        seen,
        met: svg("path", {
          ...look,
          "data-reach": "",
          "stroke-width": 10,
          "stroke-opacity": 0,
          "pointer-events": "stroke",
        }),
      };
    });
    const names = new Set(shown.map((run) => `${run.group} ${run.start}`));
    const starts = tables.starts
      .filter((row) => names.has(`${row.group} ${row.start}`))
      .map((row) => [
        svg("circle", {
          cx: this.x(row.x),
          cy: this.y(row.y),
          r: 5.5,
          fill: "var(--card)",
          stroke: "var(--note)",
          "stroke-width": 1.4,
          "data-about": this.remember({ start: row }),
        }),
        svg("text", { x: this.x(row.x), y: this.y(row.y) - 9, "text-anchor": "middle", fill: "var(--note)" }, row.name),
      ]);
    return [
      svg(
        "g",
        { class: "mark-line ways" },
        this.lines.map((each) => each.seen),
      ),
      svg(
        "g",
        { "data-reach": "" },
        this.lines.map((each) => each.met),
      ),
      svg("g", { class: "starts" }, starts.flat()),
    ];
  }

  ends() {
    const { paths_of: paths, ends_of: ends, featured } = this.signals;
    const shown = this.plane.tables.paths.filter(
      (run) => ends.includes(run.group) || paths.includes(run.group) || run.run === featured,
    );
    this.heads = shown.map((run) => ({
      run,
      dot: svg("circle", {
        r: run.run === featured ? 5.5 : 3.4,
        fill: colour(run),
        stroke: "var(--card)",
        "stroke-width": 0.8,
        "data-run": run.run,
        "data-about": this.remember({ run }),
      }),
    }));
    return svg(
      "g",
      { class: "ends" },
      this.heads.map((each) => each.dot),
    );
  }

  optima() {
    return svg(
      "g",
      { class: "optima" },
      this.plane.tables.frontier.map((row) =>
        svg("circle", {
          cx: this.x(row.x),
          cy: this.y(row.y),
          r: 3,
          fill: row.proved ? "var(--ink)" : "var(--card)",
          stroke: "var(--ink)",
          "data-about": this.remember({ lexicon: row, name: row.kind }),
        }),
      ),
    );
  }

  // Diamonds, the larger the more languages there are; some have their names beside them, where there is room.
  languages() {
    const { x0, x1 } = this.signals,
      crowded = (this.width < 560 && x1 - x0 > 15) || (this.width < 410 && x1 - x0 > 6);
    const rows = this.plane.tables.languages;
    const diamonds = rows.map((row) =>
      svg("path", {
        ...diamond(row.languages, this.x(row.x), this.y(row.y)),
        "data-names": row.names,
        "data-about": this.remember({ lexicon: row, name: row.names }),
      }),
    );
    const names = rows
      .filter((row) => row.label && !crowded)
      .map((row) =>
        svg(
          "text",
          {
            x: this.x(row.x) + row.dx,
            y: this.y(row.y) + row.dy + 4,
            fill: "var(--human)",
            "pointer-events": "none",
            "text-anchor": { left: "start", center: "middle", right: "end" }[row.align],
            stroke: "var(--card)",
            "stroke-width": 3,
            "paint-order": "stroke",
          },
          row.label,
        ),
      );
    this.names = svg("g", { class: "names" }, names);
    return svg("g", { class: "languages" }, diamonds);
  }

  words() {
    return svg(
      "g",
      {},
      this.plane.tables.words.map((row) =>
        svg(
          "text",
          { x: this.x(row.x), y: this.y(row.y), fill: "var(--note)", "font-style": "italic", "font-size": 12 },
          row.text,
        ),
      ),
    );
  }

  here() {
    const { here_x: x, here_y: y } = this.signals;
    if (!(y > 0)) return svg("g");
    return svg("path", {
      class: "here",
      d: "M-3,-9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z",
      transform: `translate(${this.x(x)} ${this.y(y)})`,
      fill: "var(--here)",
      stroke: "var(--ink)",
      "stroke-width": 1.2,
      "data-about": this.remember({ costs: { x, y }, name: "this system" }),
    });
  }

  // Everything as it was after the round that is looked at.
  step() {
    const { round } = this.signals;
    this.drawBands();
    for (const { run, strokes, seen, met } of this.lines) {
      const d = strokes.slice(0, upTo(run.round, round, strokes.length)).join("");
      seen.setAttribute("d", d);
      met.setAttribute("d", d);
    }
    for (const { run, dot } of this.heads) {
      const at = place(run, round);
      dot.setAttribute("visibility", at < 0 ? "hidden" : "visible");
      if (at < 0) continue;
      dot.setAttribute("cx", this.x(run.x[at]).toFixed(2));
      dot.setAttribute("cy", this.y(run.y[at]).toFixed(2));
    }
  }

  remember(about) {
    return this.known.push(about) - 1;
  }

  about(target) {
    const found = this.known?.[target.dataset?.about];
    if (!found) return null;
    if (!found.run)
      return {
        ...found,
        digits: (found.lexicon ?? found.start)?.digits,
        multipliers: (found.lexicon ?? found.start)?.multipliers,
      };
    const at = place(found.run, this.signals.round),
      words = this.plane.tables.lexicons[found.run.lexicon[at]];
    return {
      ...found.run,
      run: found.run.run,
      since: found.run.round[at],
      costs: { x: found.run.x[at], y: found.run.y[at] },
      digits: words?.digits,
      multipliers: words?.multipliers,
    };
  }

  // The run under the mouse makes the others fade; when the mouse has left, none does.
  hover(event) {
    const about = event && !event.buttons ? this.about(event.target) : null,
      run = about?.title ? about.run : "";
    if (run !== (this.root.dataset.over ?? "")) {
      if (run) this.root.dataset.over = run;
      else delete this.root.dataset.over;
      for (const each of this.root.querySelectorAll("[data-run]"))
        each.classList.toggle("over", each.dataset.run === run);
    }
    if (!about) return hideTooltip();
    const { titles } = this.plane,
      costs = about.costs ?? about.lexicon ?? about.start;
    showTooltip(event, [
      ["", about.title ?? about.name ?? (about.start ? `Start ${about.start.start}` : "")],
      ["group", run ? about.group : ""],
      ["since round", run ? about.since : ""],
      ["D", about.digits],
      ["M", about.multipliers],
      [titles.x, short(costs.x)],
      [titles.y, short(costs.y)],
      ["gap to the frontier", this.gap(costs)],
    ]);
  }

  // Above the proved optimum of the same size, where the axes are those of the proof.
  gap({ x, y }) {
    const best = this.plane.proved ? this.plane.tables.frontier.find((row) => row.x === x && row.proved) : null;
    return best ? Math.max(0, y - best.y).toFixed(4) : "";
  }

  // Where the axes lie on the screen.
  area() {
    const { left, top } = this.root.getBoundingClientRect();
    return this.plane
      ? { left: left + LEFT, top: top + TOP, width: this.width - LEFT - RIGHT, height: this.height - TOP - BOTTOM }
      : null;
  }

  close() {
    this.watching.disconnect();
    hideTooltip();
  }
}

// A lexicon that so many languages have: ten times as many are drawn so many pixels wider.
export function diamond(count, x, y) {
  const half = 3 + 3.2 * Math.log10(count);
  return {
    d: `M${x - half},${y}L${x},${y - half}L${x + half},${y}L${x},${y + half}Z`,
    fill: "var(--human)",
    "fill-opacity": 0.15,
    stroke: "var(--human)",
    "stroke-width": count < 10 ? 1.1 : 1.9,
  };
}

function colour(row) {
  return `var(--${row.colour})`;
}

function short(value) {
  return String(Number(value.toPrecision(5)));
}

// How many of the first places, whose rounds rise, were reached by a round.
function upTo(rounds, round, most) {
  let count = 0;
  while (count < most && rounds[count] <= round) count += 1;
  return count;
}

// Which place a run was at; corners of steps, which have no lexicon, are none.
function place({ round: rounds, until, lexicon }, round) {
  for (let at = rounds.length - 1; at >= 0; at -= 1)
    if (lexicon[at] !== null && rounds[at] <= round && round < Math.max(until[at], rounds[at] + 1)) return at;
  return -1;
}
