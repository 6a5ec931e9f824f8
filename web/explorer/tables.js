// Tables whose rows stay the same elements as long as they say the same: nothing moves under a hand or loses the focus.

import { h, replace } from "./dom.js";

export class KeyedTable {
  constructor(name, caption) {
    this.rows = new Map();
    this.head = h("thead", {});
    this.body = h("tbody", {});
    this.element = h("table", { class: name }, h("caption", { class: "hidden" }, caption), this.head, this.body);
  }

  // `columns`: [key, title, can be sorted by]. `rows`: [key, what it says, how it is made].
  draw(columns, rows, sort, onSort) {
    const heads = JSON.stringify([columns, sort]);
    if (heads !== this.heads) {
      this.heads = heads;
      replace(
        this.head,
        h(
          "tr",
          {},
          columns.map(([key, title, sortable]) => headCell(key, title, sortable, sort, onSort)),
        ),
      );
    }
    const before = this.rows;
    this.rows = new Map();
    for (const [key, said, make] of rows) {
      const signature = JSON.stringify(said),
        known = before.get(key);
      this.rows.set(key, known?.signature === signature ? known : { signature, element: make() });
    }
    const wanted = [...this.rows.values()].map((row) => row.element);
    if (wanted.length !== this.body.children.length || wanted.some((row, i) => row !== this.body.children[i]))
      this.place(wanted);
  }

  place(wanted) {
    const focused = document.activeElement?.closest?.("tr")?.dataset.key,
      name = document.activeElement?.getAttribute("data-focus");
    replace(this.body, wanted);
    if (focused && document.activeElement === document.body) {
      const row = wanted.find((each) => each.dataset.key === focused);
      row?.querySelector(name ? `[data-focus="${name}"]` : "a, button")?.focus({ preventScroll: true });
    }
  }
}

function headCell(key, title, sortable, sort, onSort) {
  if (!sortable) return h("th", { scope: "col" }, title);
  const mine = sort === key ? "ascending" : sort === `-${key}` ? "descending" : null;
  return h(
    "th",
    { scope: "col", "aria-sort": mine ?? "none" },
    h(
      "button",
      { type: "button", class: "sort", "data-sort": key, onclick: () => onSort(key) },
      title,
      h("span", { "aria-hidden": "true" }, mine === "ascending" ? " ↑" : mine ? " ↓" : ""),
    ),
  );
}

// Pages of a long list.
export function pager(count, size, page, go, what) {
  const pages = Math.max(1, Math.ceil(count / size));
  if (pages === 1) return null;
  const now = Math.min(page, pages),
    from = (now - 1) * size + 1;
  const step = (to, title) =>
    h("button", { type: "button", disabled: to < 1 || to > pages, onclick: () => go(to) }, title);
  return h(
    "div",
    { class: "pager", role: "group", "aria-label": `Pages of ${what}` },
    step(now - 1, "← Previous"),
    h(
      "span",
      {},
      `${from.toLocaleString("en")}–${Math.min(count, from + size - 1).toLocaleString("en")} of ${count.toLocaleString("en")} ${what}`,
    ),
    step(now + 1, "Next →"),
  );
}

export function pageOf(list, size, page) {
  const last = Math.max(1, Math.ceil(list.length / size)),
    now = Math.min(page, last);
  return list.slice((now - 1) * size, now * size);
}
