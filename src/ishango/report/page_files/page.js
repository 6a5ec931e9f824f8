// Draws each chart for a light or a dark page and for a wide or a narrow one, and again when that changes.
const night = window.matchMedia("(prefers-color-scheme: dark)");
const narrow = window.matchMedia("(max-width: 40rem)");
const LARGEST = 1.35, SMALLEST = 0.72; // how far a drawing is enlarged or reduced to fill the column
const BESIDE = 80; // pixels for what stands left and right of a panel

// A legend that says itself where it stands would keep its row of long names, and lose those beyond the screen.
function legendsBelow(part) {
  if (Array.isArray(part)) return part.map(legendsBelow);
  if (part === null || typeof part !== "object") return part;
  const moved = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, legendsBelow(value)]));
  if (moved.legend?.orient) moved.legend = { ...moved.legend, orient: "bottom", columns: 1 };
  return moved;
}

// On a phone panels stand below each other, as wide as the screen, with their legends below.
function forPhone(wide, width) {
  const { datasets, config: style, ...drawn } = wide;
  const spec = { ...legendsBelow(drawn), datasets, config: style };
  const { hconcat, concat, vconcat, columns, ...rest } = spec;
  const config = { ...spec.config, legend: { ...spec.config.legend, orient: "bottom", columns: 3 } };
  const panels = hconcat || concat || vconcat;
  if (panels) return { ...rest, config, vconcat: panels.map((panel) => ({ ...panel, width: width - BESIDE })) };
  const fit = { type: "fit-x", contains: "padding" };
  return typeof spec.width === "number" ? { ...spec, config, width, autosize: fit } : { ...spec, config };
}

async function draw(place) {
  const { light, dark } = JSON.parse(document.getElementById(`spec-${place.dataset.chart}`).textContent);
  const themed = night.matches ? { ...dark, datasets: light.datasets } : light;
  const fixed = place.hasAttribute("data-fixed"); // its words have their places in pixels: one scrolls
  const spec = narrow.matches && !fixed ? forPhone(themed, place.clientWidth) : themed;
  const actions = { export: true, source: false, compiled: false, editor: false };
  await vegaEmbed(place, spec, { renderer: "svg", actions });
  const drawing = place.querySelector("svg.marks"), width = drawing.viewBox.baseVal.width;
  drawing.style.minWidth = `${SMALLEST * width}px`;
  drawing.style.maxWidth = `${LARGEST * width}px`;
}

async function drawAll() {
  for (const place of document.querySelectorAll("[data-chart]")) await draw(place);
  document.body.dataset.drawn = night.matches ? "dark" : "light";
}

night.addEventListener("change", drawAll);
narrow.addEventListener("change", drawAll);
drawAll();
