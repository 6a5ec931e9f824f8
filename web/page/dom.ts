// Elements, events and announcements: the little that a page without a framework needs.

type Value = string | number | boolean | null | undefined | ((event: never) => void);
export type Attributes = Record<string, Value>;
export type Child = Node | string | number | null | undefined | false | Child[];

const SVG = "http://www.w3.org/2000/svg";

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2).toLowerCase(), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
}

/** An element of HTML; attributes that begin with `on` are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

/** An element of SVG. */
export function s(name: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  fill(element, attributes, children);
  return element;
}

/** The element with this id; the page is broken without it, so say which. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element “${id}”.`);
  return found;
}

/** Write text only where it changes, so that screen readers are not told the same again. */
export function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

let told = 0;
/** Tell screen readers, at most twice a second. */
export function announce(text: string): void {
  const status = document.getElementById("status");
  if (!status) return;
  clearTimeout(told);
  told = window.setTimeout(() => write(status, text), 500);
}

/** Whether somebody asked for less motion. */
export function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Call with the element's new width, at most once a frame; who asks the element itself makes the page lay itself out. */
export function onResize(element: Element, redraw: (width: number) => void): void {
  let width = 0;
  new ResizeObserver(([entry]) => {
    const now = Math.round(entry?.contentRect.width ?? 0);
    if (now === width || now === 0) return;
    width = now;
    requestAnimationFrame(() => redraw(width));
  }).observe(element);
}

/** A function that may be called often and draws once a frame. */
export function onceAFrame(draw: () => void): () => void {
  let waiting = 0;
  return () => {
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      draw();
    });
  };
}

/** Sliders tell every place they pass; what takes long begins when they rest. */
export function soon(then: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(then, 180);
  };
}

/** Let the page do what waits, then go on: for work in pieces. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Once, when the element comes near the screen. */
export function whenNear(element: Element, then: () => void, margin = "200px"): void {
  const watch = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      then();
    },
    { rootMargin: margin },
  );
  watch.observe(element);
}
