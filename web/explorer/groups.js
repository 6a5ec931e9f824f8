// What the plane draws of each group of runs: a median and a band, where each run is, its whole path.

import { counted, h, replace } from "./dom.js";

const HOW = { bands: "median, band", ends: "where they are", paths: "paths" };
const USUAL = "be";
// Of more groups than these those are drawn first that are like the featured run, with the same start, say.
const MOST = 4;

export class Groups {
  groups;
  measured;
  featured;
  key;
  chosen;
  onChange;

  // `chosen`: what the address says, as "agents:bp;drift:b".
  constructor(onChange, choice, chosen) {
    Object.assign(this, { onChange, groups: [], chosen: read(chosen) });
    this.box = h("div", { class: "scroll" });
    this.element = h("div", { class: "groups", hidden: true }, this.box, choice);
  }

  // What is drawn of a group before anybody chooses.
  usual(group) {
    return this.groups.length <= MOST || !this.featured || alike(group.name) === alike(this.featured) ? USUAL : "";
  }

  // New data: what was chosen stays chosen.
  // Nothing is known yet of how many places have a band where costs are still being measured.
  update(groups, measured = true, featured = "") {
    const key = JSON.stringify([groups, measured, featured]),
      same = key === this.key;
    Object.assign(this, { groups, measured, featured, key });
    if (!same) this.draw();
  }

  is(group, how) {
    return (this.chosen.get(group.name) ?? this.usual(group)).includes(how[0]);
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
    const usual = (name) => this.usual(this.groups.find((each) => each.name === name) ?? { name });
    const others = [...this.chosen].filter(([name, how]) => how !== usual(name));
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
    const all = counted(group.runs, "run");
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
    const before = this.chosen.get(group.name) ?? this.usual(group);
    this.chosen.set(group.name, [..."bep"].filter((each) => (each === letter ? on : before.includes(each))).join(""));
    this.onChange(this.signals());
  }
}

// What groups of several roles have in common: "agents · start 5" is like "drift · start 5".
function alike(name) {
  return name.split(" · ").slice(1).join(" · ");
}

function read(text) {
  const parts = (text ?? "")
    .split(";")
    .map((each) => each.match(/^(.+):([bep]*)$/))
    .filter(Boolean);
  return new Map(parts.map(([, name, how]) => [name, how]));
}
