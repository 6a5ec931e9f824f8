// What the plane draws of each group of runs: a median and a band, where each run is, its whole path.

import { h, replace } from "./dom.js";

const HOW = { bands: "median, band", ends: "where they are", paths: "paths" };
const USUAL = "be";

export class Groups {
  groups;
  measured;
  chosen;
  onChange;

  // `chosen`: what the address says, as "agents:bp;drift:b".
  constructor(onChange, choice, chosen) {
    Object.assign(this, { onChange, groups: [], chosen: read(chosen) });
    this.box = h("div", { class: "scroll" });
    this.element = h("div", { class: "groups", hidden: true }, this.box, choice);
  }

  // New data: what was chosen stays chosen.
  // Nothing is known yet of how many places have a band where costs are still being measured.
  update(groups, measured = true) {
    const same = JSON.stringify(groups) === JSON.stringify(this.groups) && measured === this.measured;
    Object.assign(this, { groups, measured });
    if (!same) this.draw();
  }

  is(group, how) {
    return (this.chosen.get(group.name) ?? USUAL).includes(how[0]);
  }

  // A group with too few runs for a band has its paths instead.
  signals() {
    const names = (how) => this.groups.filter((each) => this.is(each, how)).map((each) => each.name);
    const instead = this.groups
      .filter((each) => this.measured && this.is(each, "bands") && !each.has_band)
      .map((each) => each.name);
    return {
      paths_of: [...new Set([...names("paths"), ...instead])],
      bands_of: names("bands"),
      ends_of: names("ends"),
    };
  }

  get text() {
    const others = [...this.chosen].filter(([, how]) => how !== USUAL);
    return others.length ? others.map(([name, how]) => `${name}:${how}`).join(";") : undefined;
  }

  draw() {
    this.element.hidden = this.groups.length === 0;
    const head = h(
      "tr",
      {},
      ["group", ...Object.values(HOW)].map((words) => h("th", { scope: "col" }, words)),
    );
    replace(
      this.box,
      h(
        "table",
        {},
        h("caption", { class: "unseen" }, "What is drawn of each group of runs"),
        h("thead", {}, head),
        h(
          "tbody",
          {},
          this.groups.map((each) => this.row(each)),
        ),
      ),
    );
  }

  row(group) {
    const all = `${group.runs.toLocaleString("en")} ${group.runs === 1 ? "run" : "runs"}`;
    const count = group.drawn < group.runs ? `${group.drawn} of ${all}` : all;
    return h(
      "tr",
      { "data-group": group.name },
      h(
        "th",
        { scope: "row" },
        h("i", { class: `swatch group-${group.colour}`, "aria-hidden": "true" }),
        `${group.name} `,
        h("span", { class: "note" }, count),
        group.has_band || !this.measured
          ? null
          : h("span", { class: "note few" }, " too few runs for a band: their paths are drawn"),
      ),
      Object.keys(HOW).map((how) => h("td", {}, this.check(group, how))),
    );
  }

  check(group, how) {
    return h("input", {
      type: "checkbox",
      checked: this.is(group, how),
      "aria-label": `${group.name}: ${HOW[how]}`,
      "data-how": how,
      onchange: (event) => this.turn(group, how[0], event.target.checked),
    });
  }

  turn(group, letter, on) {
    const before = this.chosen.get(group.name) ?? USUAL;
    this.chosen.set(group.name, [..."bep"].filter((each) => (each === letter ? on : before.includes(each))).join(""));
    this.onChange(this.signals());
  }
}

function read(text) {
  const parts = (text ?? "")
    .split(";")
    .map((each) => each.match(/^(.+):([bep]*)$/))
    .filter(Boolean);
  return new Map(parts.map(([, name, how]) => [name, how]));
}
