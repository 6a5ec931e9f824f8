// What can be taken away: the link, pictures, a table.

import { h, s } from "./dom.ts";

const SHOWN = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "font-size",
  "font-family",
  "text-anchor",
  "paint-order",
];

/** A copy that looks the same outside the page: what style sheets say is written into each element. */
function standalone(picture: SVGElement): SVGElement {
  const copy = picture.cloneNode(true) as SVGElement;
  const originals = picture.querySelectorAll<SVGElement>("*");
  copy.querySelectorAll<SVGElement>("*").forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of SHOWN) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
    element.removeAttribute("style");
    element.removeAttribute("tabindex");
  });
  return copy;
}

/** Pictures above one another, on the page's own ground. */
export function compose(
  pictures: readonly SVGElement[],
  title: string,
): { text: string; width: number; height: number } {
  const paper = getComputedStyle(document.body).backgroundColor;
  const ink = getComputedStyle(document.body).color;
  const boxes = pictures.map((each) => (each.getAttribute("viewBox") ?? "0 0 0 0").split(" ").map(Number));
  const width = Math.max(320, ...boxes.map((box) => box[2]));
  let height = 34;
  const svg = s("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": "system-ui, Arial, sans-serif" });
  svg.append(s("text", { x: 14, y: 22, "font-size": 13, fill: ink }, title));
  pictures.forEach((picture, i) => {
    const copy = standalone(picture);
    copy.setAttribute("width", String(boxes[i][2]));
    copy.setAttribute("height", String(boxes[i][3]));
    copy.setAttribute("y", String(height));
    svg.append(copy);
    height += boxes[i][3] + 10;
  });
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  svg.prepend(s("rect", { width, height, fill: paper }));
  return { text: new XMLSerializer().serializeToString(svg), width, height };
}

export async function png(picture: { text: string; width: number; height: number }): Promise<Blob> {
  const image = new Image();
  const loaded = new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error("This browser cannot draw the picture; take the SVG instead."));
  });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture.text)}`;
  await loaded;
  const canvas = h("canvas", { width: 2 * picture.width, height: 2 * picture.height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new Error("This browser cannot make a PNG; take the SVG instead.")),
    );
  });
}

/** Fields of a table, quoted where they must be. */
export function csv(rows: readonly (readonly (string | number | boolean | null)[])[]): string {
  const field = (value: string | number | boolean | null): string => {
    const text = value === null ? "" : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${rows.map((row) => row.map(field).join(",")).join("\n")}\n`;
}

/** Save as a file of the visitor's. */
export function save(name: string, content: Blob | string, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Copy; false where the browser does not allow it. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = h("textarea", { "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
