// The map of lexicons: words across, symbols up. The wall, clouds of dots, paths, marks that can be dragged.

import { announce, h, onResize, s } from "./dom.ts";
import type { Optimum } from "./model.ts";

export type Role = "human" | "agents" | "drift" | "passing" | "costs" | "oracle" | "you";

/** A place: size across, average length up. */
export interface Place {
  x: number;
  y: number;
}

export interface Mark extends Place {
  role: Role;
  label?: string;
  hollow?: boolean;
  /** Called with the new place while it is dragged or moved by keys. */
  moved?: (place: Place) => void;
}

export interface Cloud {
  role: Role;
  places: readonly Place[];
  /** What a dot is called when somebody points at it. */
  name?: (index: number) => string;
  width?: number;
  opacity?: number;
}

export interface Path {
  role: Role;
  places: readonly Place[];
  opacity?: number;
}

/** What is on the map. The wall goes up to the size `risen`. */
export interface Scene {
  wall?: readonly Optimum[];
  risen?: number;
  guess?: { x: number; y: number };
  clouds?: readonly Cloud[];
  paths?: readonly Path[];
  marks?: readonly Mark[];
}

/** Where a text begins, its line, and how wide it is. */
interface Label {
  x: number;
  y: number;
  wide: number;
}

const TICKS = [1, 1.2, 1.5, 2, 3, 4, 6, 8, 12, 16];
const MARGIN = { left: 40, right: 14, top: 30, bottom: 42 };

export class Plane {
  readonly element = h("div", { class: "picture" });
  private readonly svg = s("svg", { role: "img", focusable: "false" });
  private readonly back = s("g");
  private readonly dots = s("g");
  private readonly front = s("g");
  private readonly tip = h("div", { class: "tip", hidden: true });
  private scene: Scene = {};
  private drawn = "";
  private readonly kept: { key: string; places: readonly Place[] }[] = [];
  private width = 0;
  private height = 0;

  constructor(
    private label: string,
    private right = 20,
    private top = 4,
    private readonly ratio = 0.78,
  ) {
    this.svg.append(this.back, this.dots, this.front);
    this.element.append(this.svg, this.tip);
    onResize(this.element, (width) => {
      this.width = width;
      this.draw();
    });
    for (const kind of ["pointermove", "pointerdown"]) {
      this.svg.addEventListener(kind, (event) => this.point(event as PointerEvent));
    }
    this.svg.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
    });
  }

  /** Show this; what somebody who cannot see it should know is said in `label`. */
  show(scene: Scene, label = this.label): void {
    this.scene = scene;
    this.label = label;
    this.draw();
  }

  /** Make room for sizes and lengths; the map never shrinks while it is looked at. */
  fit(places: readonly Place[]): void {
    let { right, top } = this;
    for (const { x, y } of places) {
      if (x > right) right = x > 30 ? 52 : 30;
      if (y > top) top = y > 8 ? 16 : y > 6 ? 8 : 6;
    }
    this.right = right;
    this.top = top;
  }

  /** Whether a place lies on the map as it is now. */
  holds({ x, y }: Place): boolean {
    return x <= this.right && y <= this.top;
  }

  get picture(): SVGElement {
    return this.svg;
  }

  private across(x: number): number {
    const inner = this.width - MARGIN.left - MARGIN.right;
    return MARGIN.left + ((Math.min(x, this.right) - 1) / (this.right - 1)) * inner;
  }

  private up(y: number): number {
    const inner = this.height - MARGIN.top - MARGIN.bottom;
    const low = Math.log(0.96);
    const share = (Math.log(Math.max(y, 0.96)) - low) / (Math.log(this.top) - low);
    return MARGIN.top + (1 - Math.min(share, 1)) * inner;
  }

  private place(px: number, py: number): Place {
    const inner = { x: this.width - MARGIN.left - MARGIN.right, y: this.height - MARGIN.top - MARGIN.bottom };
    const low = Math.log(0.96);
    const share = 1 - (py - MARGIN.top) / inner.y;
    return {
      x: 1 + ((px - MARGIN.left) / inner.x) * (this.right - 1),
      y: Math.exp(low + share * (Math.log(this.top) - low)),
    };
  }

  private draw(): void {
    if (!this.width) return;
    this.height = Math.round(Math.min(Math.max(this.width * this.ratio, 310), 520));
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.svg.setAttribute("height", String(this.height));
    const movable = this.scene.marks?.some((mark) => mark.moved);
    // An image has no parts; with handles it is a group of them.
    this.svg.setAttribute("role", movable ? "group" : "img");
    this.svg.setAttribute("aria-label", this.label);
    const { wall, risen } = this.scene;
    const key = [this.width, this.right, this.top, wall?.length, wall?.[0]?.average, risen].join();
    if (key !== this.drawn) {
      this.drawn = key;
      this.back.replaceChildren(...this.wall(), ...this.axes());
    }
    this.clouds(key);
    if (movable && this.front.contains(document.activeElement)) this.slide();
    else this.front.replaceChildren(...this.foreground());
  }

  private axes(): SVGElement[] {
    const bottom = this.height - MARGIN.bottom;
    const parts: SVGElement[] = [];
    for (const tick of TICKS.filter((each) => each <= this.top)) {
      const y = this.up(tick);
      parts.push(s("path", { class: "grid", d: `M${MARGIN.left} ${y}H${this.width - MARGIN.right}` }));
      parts.push(s("text", { x: MARGIN.left - 7, y: y + 4, "text-anchor": "end" }, tick));
    }
    const every = this.right > 30 ? 10 : this.width < 420 && this.right > 14 ? 4 : 2;
    for (let x = every; x <= this.right; x += every) {
      parts.push(s("text", { x: this.across(x), y: bottom + 17, "text-anchor": "middle" }, x));
    }
    parts.push(s("path", { class: "axis", d: `M${MARGIN.left} ${bottom}H${this.width - MARGIN.right}` }));
    parts.push(
      s(
        "text",
        { class: "strong", x: this.width - MARGIN.right, y: bottom + 35, "text-anchor": "end" },
        "words to learn →",
      ),
    );
    parts.push(s("text", { class: "strong", x: 4, y: 14 }, "↑ symbols, on average"));
    return parts;
  }

  private wall(): SVGElement[] {
    const { wall, risen = Number.POSITIVE_INFINITY } = this.scene;
    const seen = (wall ?? []).filter((each) => each.size <= risen && each.size <= this.right);
    if (!seen.length) return [];
    const line = seen.map(({ size, average }) => `${this.across(size).toFixed(1)} ${this.up(average).toFixed(1)}`);
    const bottom = this.height - MARGIN.bottom;
    // Fewer than two words say nothing: left of the first size the wall goes straight up.
    const first = this.across(seen[0].size);
    const last = this.across(seen.at(-1)?.size ?? 2);
    return [
      s("path", {
        class: "wall",
        d: `M${MARGIN.left} ${bottom}V${MARGIN.top}H${first}L${line.join("L")}L${last} ${bottom}Z`,
      }),
      s("path", { class: "edge", d: `M${first} ${MARGIN.top}L${line.join("L")}` }),
    ];
  }

  /** Thousands of dots are drawn anew only where another list of them is given. */
  private clouds(scale: string): void {
    const clouds = this.scene.clouds ?? [];
    clouds.forEach(({ role, places, width = 6, opacity = 0.55 }, i) => {
      const drawn = this.dots.children[i];
      const key = [scale, role, width, opacity].join();
      if (drawn && this.kept[i]?.key === key && this.kept[i].places === places) return;
      this.kept[i] = { key, places };
      const dots = places.map(({ x, y }) => `M${this.across(x).toFixed(1)} ${this.up(y).toFixed(1)}h0`);
      const path = s("path", { class: `cloud ${role}`, "stroke-width": width, opacity, d: dots.join("") || "M0 0" });
      if (drawn) drawn.replaceWith(path);
      else this.dots.append(path);
    });
    while (this.dots.children.length > clouds.length) this.dots.lastElementChild?.remove();
  }

  private foreground(): SVGElement[] {
    const { paths = [], marks = [], guess } = this.scene;
    const parts: SVGElement[] = [];
    for (const { role, places, opacity = 1 } of paths) {
      if (places.length < 2) continue;
      const line = places.map(({ x, y }) => `${this.across(x).toFixed(1)} ${this.up(y).toFixed(1)}`).join("L");
      parts.push(s("path", { class: `path ${role}`, opacity, d: `M${line}` }));
    }
    if (guess) {
      // To the left, since marks have their names on the right.
      const [x, y] = [this.across(guess.x), this.up(guess.y)];
      parts.push(s("path", { class: "path you", "stroke-dasharray": "5 4", d: `M${x - 44} ${y}h34` }));
      parts.push(s("text", { class: "strong halo", x: x - 10, y: y - 7, "text-anchor": "end" }, "your guess"));
    }
    const labels: Label[] = [];
    for (const mark of marks) parts.push(this.mark(mark, labels));
    return parts;
  }

  private mark(mark: Mark, labels: Label[]): SVGElement {
    const [x, y] = [this.across(mark.x), this.up(mark.y)];
    const dot =
      mark.role === "you" && !mark.moved
        ? s("path", { class: `dot you${mark.hollow ? " hollow" : ""}`, d: "M0-8L8 0L0 8L-8 0Z" })
        : s("circle", { class: `dot ${mark.role}${mark.hollow ? " hollow" : ""}`, r: mark.moved ? 10 : 6.5 });
    const text = mark.label ? this.caption(mark, x, y, labels) : null;
    const group = s("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }, dot, text);
    if (mark.y > this.top)
      group.append(s("text", { class: "strong", y: 24, "text-anchor": "middle" }, "↑ off the map"));
    if (mark.moved) this.drag(group, mark);
    return group;
  }

  private caption(mark: Mark, x: number, y: number, labels: Label[]): SVGElement {
    const wide = 7.5 * (mark.label?.length ?? 0);
    // Beside the dot, else above it, each time where no other label or dot lies and the picture does not end.
    const spots: [dx: number, dy: number, anchor: string][] = [
      [13, 4, "start"],
      [0, -15, "middle"],
      [-13, 4, "end"],
      [0, -31, "middle"],
      [0, -47, "middle"],
      [0, 25, "middle"],
    ];
    const from = (dx: number, anchor: string): number =>
      x + dx - (anchor === "end" ? wide : anchor === "middle" ? wide / 2 : 0);
    const dots = (this.scene.marks ?? []).map((each) => ({
      x: this.across(each.x) - 8,
      y: this.up(each.y) + 4,
      wide: 16,
    }));
    const others = [...labels, ...dots.filter((dot) => Math.abs(dot.x + 8 - x) > 1 || Math.abs(dot.y - 4 - y) > 1)];
    const free = ([dx, dy, anchor]: [number, number, string]): boolean => {
      const left = from(dx, anchor);
      if (left < 0 || left + wide > this.width) return false;
      return !others.some(
        (other) => left < other.x + other.wide && other.x < left + wide && Math.abs(other.y - (y + dy)) < 14,
      );
    };
    const [dx, dy, anchor] = spots.find(free) ?? spots[0];
    labels.push({ x: from(dx, anchor), y: y + dy, wide });
    return s("text", { class: `strong halo ${mark.role}`, x: dx, y: dy, "text-anchor": anchor }, mark.label);
  }

  private drag(group: SVGElement, mark: Mark): void {
    group.setAttribute("class", "handle");
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "slider");
    group.setAttribute("aria-label", `${mark.label}: arrow keys move it across and up`);
    this.say(group, mark);
    const move = (place: Place): void => {
      mark.x = Math.round(Math.min(Math.max(place.x, 2), this.right));
      mark.y = Math.min(Math.max(place.y, 1), this.top);
      group.setAttribute("transform", `translate(${this.across(mark.x)} ${this.up(mark.y)})`);
      this.say(group, mark);
      mark.moved?.({ x: mark.x, y: mark.y });
    };
    group.addEventListener("pointerdown", (event) => {
      const pointer = event as PointerEvent;
      group.setPointerCapture(pointer.pointerId);
      pointer.preventDefault();
      group.focus();
    });
    group.addEventListener("pointermove", (event) => {
      const pointer = event as PointerEvent;
      if (!group.hasPointerCapture(pointer.pointerId)) return;
      const box = this.svg.getBoundingClientRect();
      move(this.place(pointer.clientX - box.left, pointer.clientY - box.top));
    });
    group.addEventListener("keydown", (event) => {
      const steps: Record<string, [number, number]> = {
        ArrowLeft: [-1, 1],
        ArrowRight: [1, 1],
        ArrowUp: [0, 1.05],
        ArrowDown: [0, 1 / 1.05],
      };
      const change = steps[(event as KeyboardEvent).key];
      if (!change) return;
      event.preventDefault();
      move({ x: mark.x + change[0], y: mark.y * change[1] });
      announce(`${mark.label}: ${mark.x} words, ${mark.y.toFixed(1)} symbols`);
    });
  }

  private say(group: SVGElement, mark: Mark): void {
    group.setAttribute("aria-valuemin", "2");
    group.setAttribute("aria-valuemax", String(this.right));
    group.setAttribute("aria-valuenow", String(Math.round(mark.x)));
    group.setAttribute("aria-valuetext", `${Math.round(mark.x)} words, ${mark.y.toFixed(1)} symbols`);
  }

  /** Handles that are held stay in the page, or the pointer would lose them. */
  private slide(): void {
    const groups = this.front.querySelectorAll<SVGElement>(".handle");
    this.scene.marks
      ?.filter((mark) => mark.moved)
      .forEach((mark, i) => {
        groups[i]?.setAttribute("transform", `translate(${this.across(mark.x)} ${this.up(mark.y)})`);
      });
  }

  private point(event: PointerEvent): void {
    const named = (this.scene.clouds ?? []).filter((cloud) => cloud.name);
    if (!named.length) return;
    const box = this.svg.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    let nearest = 14 ** 2;
    let found: { text: string; x: number; y: number } | null = null;
    for (const cloud of named) {
      cloud.places.forEach((place, i) => {
        const [x, y] = [this.across(place.x), this.up(place.y)];
        const distance = (x - px) ** 2 + (y - py) ** 2;
        if (distance >= nearest) return;
        nearest = distance;
        found = { text: cloud.name?.(i) ?? "", x, y };
      });
    }
    this.tip.hidden = !found;
    if (!found) return;
    const { text, x, y } = found as { text: string; x: number; y: number };
    this.tip.textContent = text;
    this.tip.style.left = `${Math.min(x + 10, this.width - 170)}px`;
    this.tip.style.top = `${y + 12}px`;
  }
}

/** What the colours and shapes mean. */
export function key(...entries: [kind: string, text: string][]): HTMLElement {
  return h(
    "ul",
    { class: "key" },
    entries.map(([kind, text]) => h("li", {}, h("i", { class: kind, "aria-hidden": "true" }), text)),
  );
}
