// Draws each chart for a light or a dark page, and again when the reader changes from one to the other.
const night = window.matchMedia("(prefers-color-scheme: dark)");

async function draw(place) {
  const { light, dark } = JSON.parse(document.getElementById(`spec-${place.dataset.chart}`).textContent);
  const spec = night.matches ? { ...dark, datasets: light.datasets } : light;
  await vegaEmbed(place, spec, { renderer: "svg", actions: { export: true, source: false, compiled: false, editor: false } });
}

async function drawAll() {
  for (const place of document.querySelectorAll("[data-chart]")) await draw(place);
  document.body.dataset.drawn = night.matches ? "dark" : "light";
}

night.addEventListener("change", drawAll);
drawAll();
