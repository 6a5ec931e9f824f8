// Pictures over rounds: the gap, the words that come and go, and shares as bars.

import { h, onResize, s } from "./dom.ts";
import type { Role } from "./plane.ts";

const MARGIN = { left: 40, right: 16, top: 10, bottom: 46 };

/** A picture that fills its column and is drawn anew when that changes. */
abstract class Picture {
  readonly element = h("div", { class: "picture" });
  protected readonly svg = s("svg", { role: "img" });
  protected width = 0;
  protected abstract height: number;
  protected abstract parts(): SVGElement[];

  constructor(label: string) {
    this.svg.setAttribute("aria-label", label);
    this.element.append(this.svg);
    onResize(this.element, (width) => {
      this.width = width;
      this.draw();
    });
  }

  get picture(): SVGElement {
    return this.svg;
  }

  protected draw(): void {
    if (!this.width) return;
    const parts = this.parts();
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.svg.setAttribute("height", String(this.height));
    this.svg.replaceChildren(...parts);
  }

  protected across(round: number, rounds: number): number {
    return MARGIN.left + (round / Math.max(rounds, 1)) * (this.width - MARGIN.left - MARGIN.right);
  }

  /** Round numbers below, and the cursor. */
  protected rounds(rounds: number, cursor: number | null, name: string): SVGElement[] {
    const bottom = this.height - MARGIN.bottom;
    const every = [1, 2, 5, 10, 20, 50, 100].find((each) => rounds / each <= 6) ?? 100;
    const parts: SVGElement[] = [
      s("path", { class: "axis", d: `M${MARGIN.left} ${bottom}H${this.width - MARGIN.right}` }),
    ];
    for (let round = 0; round <= rounds; round += every) {
      parts.push(s("text", { x: this.across(round, rounds), y: bottom + 18, "text-anchor": "middle" }, round));
    }
    parts.push(s("text", { x: this.width - MARGIN.right, y: bottom + 36, "text-anchor": "end" }, `${name} →`));
    if (cursor !== null) {
      const x = this.across(cursor, rounds);
      // What comes later is computed already, but pale until the cursor gets there.
      const later = { x, y: MARGIN.top, width: this.width - MARGIN.right + 2 - x, height: bottom - MARGIN.top };
      parts.unshift(s("rect", { class: "later", ...later }));
      parts.push(s("path", { class: "cursor", d: `M${x} ${MARGIN.top}V${bottom}` }));
    }
    return parts;
  }
}

export interface Line {
  role: Role;
  values: readonly (number | null)[];
}

export interface Band {
  role: Role;
  low: readonly number[];
  high: readonly number[];
}

const GAPS = [0, 0.1, 0.5, 1, 2, 4, 8, 12];

/** The distance to the wall over rounds; small gaps get more room than large ones. */
export class GapChart extends Picture {
  protected height = 206;
  private lines: readonly Line[] = [];
  private bands: readonly Band[] = [];
  private span = 100;
  private cursor: number | null = null;
  private name = "rounds";

  show(lines: readonly Line[], bands: readonly Band[], span: number, cursor: number | null, name = "rounds"): void {
    Object.assign(this, { lines, bands, span, cursor, name });
    this.draw();
  }

  protected parts(): SVGElement[] {
    let most = 1;
    for (const { values } of this.lines) for (const value of values) most = Math.max(most, value ?? 0);
    for (const { high } of this.bands) for (const value of high) most = Math.max(most, value);
    const top = GAPS.find((each) => each >= most) ?? most;
    const bottom = this.height - MARGIN.bottom;
    const up = (gap: number): number => bottom - Math.sqrt(Math.max(gap, 0) / top) * (bottom - MARGIN.top);
    const parts: SVGElement[] = [];
    for (const gap of GAPS.filter((each) => each <= top && (each !== 0.1 || top <= 4))) {
      parts.push(
        s("path", { class: gap ? "grid" : "edge", d: `M${MARGIN.left} ${up(gap)}H${this.width - MARGIN.right}` }),
      );
      parts.push(s("text", { x: MARGIN.left - 6, y: up(gap) + 4, "text-anchor": "end" }, gap));
    }
    for (const { role, low, high } of this.bands) {
      if (low.length < 2) continue;
      const there = high.map((gap, i) => `${this.across(i, this.span).toFixed(1)} ${up(gap).toFixed(1)}`);
      const back = low.map((gap, i) => `${this.across(i, this.span).toFixed(1)} ${up(gap).toFixed(1)}`).reverse();
      parts.push(s("path", { class: `band ${role}`, d: `M${[...there, ...back].join("L")}Z` }));
    }
    for (const { role, values } of this.lines) {
      const points: string[] = [];
      values.forEach((gap, i) => {
        if (gap !== null) points.push(`${this.across(i, this.span).toFixed(1)} ${up(gap).toFixed(1)}`);
      });
      if (points.length) parts.push(s("path", { class: `path ${role}`, d: `M${points.join("L")}` }));
    }
    return [...parts, ...this.rounds(this.span, this.cursor, this.name)];
  }
}

/** A word in one role, and the stretches of rounds in which it was there. */
export interface Life {
  word: number;
  base: boolean;
  spans: [from: number, to: number][];
}

/** From the lexicon of each round to the lives of its words, plain ones first. */
export function lives(rounds: readonly { digits: readonly number[]; multipliers: readonly number[] }[]): Life[] {
  const found = new Map<string, Life>();
  rounds.forEach((lexicon, round) => {
    for (const base of [false, true]) {
      for (const word of base ? lexicon.multipliers : lexicon.digits) {
        const key = `${word}${base ? "x" : ""}`;
        let life = found.get(key);
        if (!life) {
          life = { word, base, spans: [] };
          found.set(key, life);
        }
        const last = life.spans.at(-1);
        if (last && last[1] === round - 1) last[1] = round;
        else life.spans.push([round, round]);
      }
    }
  });
  return [...found.values()].sort((a, b) => Number(a.base) - Number(b.base) || a.word - b.word);
}

const MOST_ROWS = 34;

/** Words that come and go: a full bar is a plain word, an open one a base. */
export class WordsChart extends Picture {
  protected height = 200;
  private all: readonly Life[] = [];
  private span = 100;
  private cursor = 0;
  private name = "rounds";

  show(all: readonly Life[], span: number, cursor: number, name = "rounds"): void {
    Object.assign(this, { all, span, cursor, name });
    this.draw();
  }

  protected parts(): SVGElement[] {
    const shown = [...this.all]
      .sort((a, b) => length(b) - length(a))
      .slice(0, MOST_ROWS)
      .sort((a, b) => Number(a.base) - Number(b.base) || a.word - b.word);
    const row = shown.length > 20 ? 11 : 14;
    this.height = MARGIN.top + shown.length * row + MARGIN.bottom + (shown.length < this.all.length ? 16 : 0);
    const parts: SVGElement[] = [];
    shown.forEach(({ word, base, spans }, i) => {
      const y = MARGIN.top + i * row + row / 2;
      parts.push(
        s(
          "text",
          { x: MARGIN.left - 6, y: y + 4, "text-anchor": "end", style: `font-size:${row - 1}px` },
          `${base ? "×" : ""}${word}`,
        ),
      );
      const bars = spans.map(([from, to]) => {
        const [x, end] = [
          this.across(Math.max(from - 0.5, 0), this.span),
          this.across(Math.min(to + 0.5, this.span), this.span),
        ];
        return `M${x.toFixed(1)} ${y - 3.5}H${end.toFixed(1)}V${y + 3.5}H${x.toFixed(1)}Z`;
      });
      parts.push(s("path", { class: base ? "base-word" : "plain-word", d: bars.join("") }));
    });
    parts.push(...this.rounds(this.span, this.cursor, this.name));
    if (shown.length < this.all.length) {
      const y = MARGIN.top + shown.length * row + 12;
      parts.push(s("text", { x: MARGIN.left, y }, `and ${this.all.length - shown.length} that came and went sooner`));
    }
    return parts;
  }
}

function length({ spans }: Life): number {
  return spans.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

/** Shares of bases: what the runs have as full bars, what people have as outlines. */
export class BaseChart extends Picture {
  protected height = 230;
  private runs: readonly number[] = [];
  private human: readonly number[] = [];
  private names: readonly string[] = [];

  show(names: readonly string[], runs: readonly number[], human: readonly number[]): void {
    Object.assign(this, { names, runs, human });
    this.draw();
  }

  protected parts(): SVGElement[] {
    const left = MARGIN.left + 6;
    const bottom = this.height - MARGIN.bottom;
    const up = (share: number): number => bottom - share * (bottom - MARGIN.top);
    const parts: SVGElement[] = [];
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      parts.push(
        s("path", { class: share ? "grid" : "axis", d: `M${left} ${up(share)}H${this.width - MARGIN.right}` }),
      );
      parts.push(s("text", { x: left - 6, y: up(share) + 4, "text-anchor": "end" }, `${100 * share} %`));
    }
    const slot = (this.width - left - MARGIN.right) / Math.max(this.names.length, 1);
    this.names.forEach((name, i) => {
      const x = left + i * slot + slot * 0.14;
      const wide = slot * 0.72;
      const run = this.runs[i] ?? 0;
      const human = this.human[i] ?? 0;
      if (run > 0) parts.push(s("path", { class: "bar passing", d: `M${x} ${bottom}V${up(run)}h${wide}V${bottom}Z` }));
      if (human > 0)
        parts.push(s("path", { class: "bar human", d: `M${x - 2} ${bottom}V${up(human)}h${wide + 4}V${bottom}` }));
      parts.push(s("text", { x: x + wide / 2, y: bottom + 18, "text-anchor": "middle" }, name));
    });
    return parts;
  }
}
