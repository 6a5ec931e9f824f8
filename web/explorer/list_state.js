// How the list of runs is looked at, kept in the address: #view=runs&list=runs&q=start=1&f.who=drift&sort=-gap&page=2

import { link } from "./route.js";

const USUAL = { studies: "study", runs: "gap" };

export function read(fields) {
  const list = fields.get("list") === "runs" ? "runs" : "studies";
  const filters = Object.fromEntries(
    [...fields]
      .filter(([name]) => name.startsWith("f."))
      .map(([name, value]) => [name.slice(2), name === "f.who" && value === "coin" ? "drift" : value]),
  );
  const page = (name) => Math.max(1, Math.floor(Number(fields.get(name))) || 1);
  return {
    list,
    text: fields.get("q") ?? "",
    filters,
    sort: fields.get("sort") ?? USUAL[list],
    page: page("page"),
    open: fields.getAll("open"),
    inner: page("inner"),
  };
}

export function address(state) {
  const fields = { view: "runs", list: state.list === "runs" ? "runs" : undefined, q: state.text || undefined };
  for (const [name, value] of Object.entries(state.filters)) fields[`f.${name}`] = value;
  if (state.sort !== USUAL[state.list]) fields.sort = state.sort;
  if (state.page > 1) fields.page = state.page;
  if (state.open.length) fields.open = state.open;
  if (state.open.length && state.inner > 1) fields.inner = state.inner;
  return link(fields);
}

// Another sort: the same column again turns it round; numbers that one wants small begin small.
export function turned(sort, key) {
  if (sort === key) return `-${key}`;
  return key;
}

export function usual(list) {
  return USUAL[list];
}
