// What is said of the thing under the mouse: never beyond the edge of the screen.

import { h } from "./dom.js";

let tooltip = null;

// `rows`: names and texts; what has no name is a heading.
export function showTooltip({ clientX, clientY }, rows) {
  tooltip ??= document.body.appendChild(h("div", { class: "tooltip", "aria-hidden": "true" }));
  tooltip.replaceChildren(
    ...rows
      .filter(([, text]) => text !== undefined && text !== null && text !== "")
      .map(([name, text]) =>
        name.trim() ? h("div", {}, h("span", {}, name), h("b", {}, String(text))) : h("strong", {}, String(text)),
      ),
  );
  tooltip.hidden = false;
  // Measured where there is room: beside an edge it would be narrow and high.
  Object.assign(tooltip.style, { left: "0px", top: "0px" });
  const { width, height } = tooltip.getBoundingClientRect();
  const right = clientX + 14 + width > innerWidth - 8 ? clientX - width - 14 : clientX + 14;
  const below = clientY + 14 + height > innerHeight - 8 ? clientY - height - 14 : clientY + 14;
  const inside = (at, size, room) => Math.max(4, Math.min(at, room - size - 4));
  Object.assign(tooltip.style, {
    left: `${inside(right, width, innerWidth)}px`,
    top: `${inside(below, height, innerHeight)}px`,
  });
}

export function hideTooltip() {
  if (tooltip) tooltip.hidden = true;
}
