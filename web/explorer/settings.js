// The whole config of a run, what was chosen first, and the command that plays it.

import { worded } from "./bench.js";
import { h, replace } from "./dom.js";
import { show } from "./rows.js";

export class Settings {
  constructor() {
    this.chosen = h("table", { class: "settings" });
    this.others = h("details", {});
    this.command = h("code", { class: "command" });
    this.copy = h("button", { type: "button", onclick: () => this.copied() }, "Copy");
    this.line = h(
      "div",
      {},
      h("h3", {}, "The command"),
      h("div", { class: "commandline" }, this.command, this.copy),
      h(
        "p",
        { class: "note" },
        "It plays such a run; where this one was interrupted it goes on, and with more rounds it continues a finished one.",
      ),
    );
    this.element = h(
      "section",
      { class: "card", hidden: true, "aria-label": "Config" },
      h("h2", {}, "How it was set up"),
      this.chosen,
      this.others,
      this.line,
    );
  }

  // Drawn once for the same config: a config does not change while a run is played.
  draw({ settings, command }) {
    const key = JSON.stringify([settings, command]);
    if (key === this.key) return;
    this.key = key;
    this.element.hidden = !settings.length;
    const chosen = settings.filter((each) => each.differs),
      others = settings.filter((each) => !each.differs);
    replace(
      this.chosen,
      h("caption", {}, chosen.length ? "Chosen, with what it is by default" : "Everything is as by default."),
      h(
        "tbody",
        {},
        chosen.map((each) => row(each, each.usual === null || each.usual === undefined ? "–" : show(each.usual))),
      ),
    );
    replace(
      this.others,
      h("summary", {}, `As by default: ${others.length} more`),
      h(
        "table",
        { class: "settings" },
        h(
          "tbody",
          {},
          others.map((each) => row(each)),
        ),
      ),
    );
    this.line.hidden = !command;
    this.command.textContent = command ?? "";
  }

  async copied() {
    try {
      await navigator.clipboard.writeText(this.command.textContent);
      this.copy.textContent = "Copied";
    } catch {
      // a page that is not on this machine may not: then it is marked, to be copied by hand
      getSelection().selectAllChildren(this.command);
      this.copy.textContent = "Marked: press Ctrl-C";
    }
    setTimeout(() => {
      this.copy.textContent = "Copy";
    }, 2500);
  }
}

function row({ name, value }, usual) {
  const words = worded(name, value),
    said = show(value);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name),
    h("td", { class: "set" }, said, words && words !== said ? h("span", { class: "note" }, ` ${words}`) : null),
    usual === undefined ? null : h("td", { class: "note" }, `default ${usual}`),
  );
}
