// Which groups of runs the plane draws, and how: each run as a path, or all of them as a median and a band.

import { h, replace } from "./dom.js";

export class Groups {
  constructor(onChange, choice) {
    Object.assign(this, { onChange, groups: [], chosen: new Map() });
    this.box = h("div", { class: "scroll" });
    this.element = h("div", { class: "groups", hidden: true }, this.box, choice);
  }

  // New data: what was chosen stays chosen.
  update(groups) {
    const same = JSON.stringify(groups) === JSON.stringify(this.groups);
    this.groups = groups;
    for (const each of groups) {
      if (!this.chosen.has(each.name)) this.chosen.set(each.name, { paths: each.as_paths, bands: !each.as_paths });
    }
    if (!same) this.draw();
  }

  signals() {
    const names = (how) => this.groups.filter((each) => this.chosen.get(each.name)[how]).map((each) => each.name);
    return { paths_of: names("paths"), bands_of: names("bands") };
  }

  draw() {
    this.element.hidden = this.groups.length === 0;
    const head = h("tr", {}, h("th", { scope: "col" }, "group"), h("th", { scope: "col" }, "paths"), h("th", { scope: "col" }, "median, band"));
    replace(this.box, h("table", {}, h("caption", { class: "unseen" }, "What is drawn of each group of runs"),
      h("thead", {}, head), h("tbody", {}, this.groups.map((each) => this.row(each)))));
  }

  row(group) {
    const all = `${group.runs.toLocaleString("en")} ${group.runs === 1 ? "run" : "runs"}`;
    const count = group.drawn < group.runs ? `${group.drawn} of ${all}` : all;
    return h("tr", { "data-group": group.name },
      h("th", { scope: "row" }, h("i", { class: `swatch group-${group.colour}`, "aria-hidden": "true" }), `${group.name} `, h("span", { class: "note" }, count)),
      h("td", {}, this.check(group, "paths", "paths")), h("td", {}, this.check(group, "bands", "band")));
  }

  check(group, how, word) {
    return h("input", { type: "checkbox", checked: this.chosen.get(group.name)[how], "aria-label": `${group.name}: ${word}`, "data-how": how,
      onchange: (event) => { this.chosen.get(group.name)[how] = event.target.checked; this.onChange(this.signals()); } });
  }
}
