// Every chart can be taken away: as SVG, as PNG, its data as CSV, and the address that shows it.

import { h } from "./dom.js";

const SCALE = 2;
const STYLED = ["fill", "fill-opacity", "stroke", "stroke-width", "vector-effect"];

// `svg`: gives the picture as text; `data`: gives its tables by name.
export function saving(name, svg, data) {
  const file = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
  const said = h("span", { class: "note", role: "status" });
  const button = (words, what, act) =>
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        "data-save": what,
        onclick: () =>
          act().catch((error) => {
            said.textContent = error.message;
          }),
      },
      words,
    );
  return h(
    "details",
    { class: "saving" },
    h("summary", { "aria-label": `Save: ${name}` }, "Save"),
    h(
      "div",
      { class: "row" },
      button("SVG", "svg", async () => download(`${file}.svg`, new Blob([await svg()], { type: "image/svg+xml" }))),
      button("PNG", "png", async () => download(`${file}.png`, await png(await svg()))),
      button("Data (CSV)", "csv", async () => download(`${file}.csv`, new Blob([csvOf(data())], { type: "text/csv" }))),
      button("Copy link", "link", async () => {
        said.textContent = (await copy(location.href)) ? "Copied: the address shows this again." : location.href;
      }),
      said,
    ),
  );
}

// An element's picture with the colours of the page written out, on the page's ground.
export function drawn(element) {
  const style = getComputedStyle(document.documentElement),
    { width, height } = element.getBoundingClientRect();
  const copy = element.cloneNode(true);
  for (const [name, value] of Object.entries({
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    "font-family": "DejaVu Sans, Arial, sans-serif",
  }))
    copy.setAttribute(name, value);
  const copies = copy.querySelectorAll("*");
  for (const [i, each] of element.querySelectorAll("*").entries()) written(getComputedStyle(each), copies[i]);
  for (const each of copy.querySelectorAll("[data-reach]")) each.remove();
  const ground = `<rect width="100%" height="100%" fill="var(--card)"/>`;
  return new XMLSerializer()
    .serializeToString(copy)
    .replace(/(<svg[^>]*>)/, `$1${ground}`)
    .replace(/var\(--([\w-]+)\)/g, (_, variable) => style.getPropertyValue(`--${variable}`).trim());
}

// What the style sheets say of a mark, as attributes.
function written(style, mark) {
  for (const name of STYLED) if (!mark.hasAttribute(name)) mark.setAttribute(name, style.getPropertyValue(name));
}

async function png(text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {
    width: SCALE * image.naturalWidth,
    height: SCALE * image.naturalHeight,
  });
  const context = canvas.getContext("2d");
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--card");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => {
    canvas.toBlob(done, "image/png");
  });
}

// One table as it is; several below each other, with a first column that says which.
export function csvOf(tables) {
  const some = Object.entries(tables).filter(([, rows]) => rows.length),
    several = some.length > 1;
  const columns = [...new Set(some.flatMap(([, rows]) => rows.flatMap(Object.keys)))];
  const lines = some.flatMap(([name, rows]) =>
    rows.map((row) => [...(several ? [name] : []), ...columns.map((column) => row[column])].map(cell).join(",")),
  );
  return [[...(several ? ["table"] : []), ...columns].map(cell).join(","), ...lines, ""].join("\r\n");
}

// Text that a spreadsheet would take for a formula is kept from being one.
export function cell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const plain = Array.isArray(value) ? value.map((each) => each ?? "").join(" ") : String(value);
  const text = /^[=+@\t\r-]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// A page that is not on this machine may not write to the clipboard.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
