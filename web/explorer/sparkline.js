// The way of a study in a few strokes: asked for when it comes into sight, and kept.

import { get, snapshot } from "./api.js";
import { h, svg } from "./dom.js";

const WIDTH = 132,
  HEIGHT = 44,
  EDGE = 4,
  OLD = 15000,
  SOON = 60;
// A snapshot holds them one by one.
const AT_ONCE = snapshot ? 1 : 50;
const kept = new Map();

const waiting = new Map();
let timer = 0,
  asking = null;

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      fill(target);
    }
  },
  { rootMargin: "200px" },
);

export function sparkline(group) {
  const box = h("div", { class: "sparkline", "data-study": group.id });
  box.live = Boolean(group.states.running);
  if (!group.id.startsWith("unreadable:")) seen.observe(box);
  return box;
}

// Whoever leaves the list has no use for what it still waits for.
export function stopAsking() {
  clearTimeout(timer);
  waiting.clear();
  asking?.abort();
}

function fill(box) {
  const known = kept.get(box.dataset.study);
  if (known && !(box.live && performance.now() - known.at > OLD)) return draw(box, known.answer);
  waiting.set(box.dataset.study, box);
  clearTimeout(timer);
  timer = setTimeout(ask, SOON);
}

// All that came into sight in one request: a browser keeps few connections, and a click must not queue behind these.
async function ask() {
  const boxes = [...waiting];
  waiting.clear();
  asking = new AbortController();
  for (let i = 0; i < boxes.length; i += AT_ONCE) {
    const some = boxes.slice(i, i + AT_ONCE);
    try {
      const answers = await get("api/study", { id: some.map(([id]) => id) }, asking.signal);
      for (const [id, box] of some) {
        kept.set(id, { at: performance.now(), answer: answers[id] });
        draw(box, answers[id]);
      }
    } catch {
      return; // left, or the server is gone, which the page says elsewhere
    }
  }
}

function draw(box, { paths, edge }) {
  if (!paths.length) return;
  const points = paths.flat(),
    xs = points.map(([x]) => x),
    ys = points.map(([, y]) => y);
  const left = Math.min(...xs) - 0.5,
    right = Math.max(...xs) + 0.5,
    near = edge.filter(([x]) => x >= left && x <= right);
  const low = Math.min(...ys, ...near.map(([, y]) => y)),
    high = Math.max(...ys, low + 0.05);
  const x = (value) => EDGE + ((WIDTH - 2 * EDGE) * (value - left)) / (right - left);
  const y = (value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - low)) / (high - low);
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    width: WIDTH,
    height: HEIGHT,
    role: "img",
    "aria-label": "The way of its middle run through the plane, and of some others",
  });
  if (near.length)
    picture.append(
      svg("path", {
        class: "edge",
        d: `M${x(near[0][0])} ${HEIGHT}${near.map(([a, b], i) => `L${x(a)} ${y(b)}H${x(near[i + 1]?.[0] ?? right)}`).join("")}V${HEIGHT}Z`,
      }),
    );
  paths.toReversed().forEach((path, i, list) => {
    const middle = i === list.length - 1;
    picture.append(svg("path", { class: middle ? "middle" : "other", d: steps(path, x, y) }));
    if (middle) picture.append(svg("circle", { cx: x(path.at(-1)[0]), cy: y(path.at(-1)[1]), r: 3 }));
  });
  box.replaceChildren(picture);
}

// Corners where they are attainable: at the larger size, with the cost of the smaller one.
function steps(path, x, y) {
  return path
    .map(([a, b], i) => {
      if (!i) return `M${x(a)} ${y(b)}`;
      const [c, d] = path[i - 1];
      return `L${x(Math.max(a, c))} ${y(c <= a ? d : b)}L${x(a)} ${y(b)}`;
    })
    .join("");
}
