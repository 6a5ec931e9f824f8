// The numbers as tiles: a click makes each a digit, a multiplier, both, neither. One tab stop; arrows move.

import { h } from "./dom.js";

const COLUMNS = 10;

export class Tiles {
  system;
  onChange;
  largest;

  constructor(system, largest, onChange) {
    Object.assign(this, { system, largest, onChange });
    this.buttons = Array.from({ length: largest }, (_, i) => this.tile(i + 1));
    this.element = h(
      "div",
      {
        class: "tiles",
        role: "group",
        "aria-label": "Numbers; press D or M to give a number a role",
        onkeydown: (event) => this.key(event),
        onfocusin: (event) => this.rove(event.target),
      },
      this.buttons,
    );
    this.buttons[0].tabIndex = 0;
    this.draw();
  }

  tile(number) {
    return h(
      "button",
      {
        type: "button",
        class: "tile",
        tabIndex: -1,
        "data-number": String(number),
        onclick: (event) => (event.shiftKey ? this.toggle(number, "multipliers") : this.cycle(number)),
      },
      String(number),
    );
  }

  role(number) {
    const digit = this.system.digits.has(number),
      multiplier = this.system.multipliers.has(number);
    return digit && multiplier ? "both" : digit ? "digit" : multiplier ? "multiplier" : "neither";
  }

  cycle(number) {
    const { digits, multipliers } = this.system;
    const role = this.role(number);
    digits.delete(number);
    multipliers.delete(number);
    if (role === "neither" || role === "multiplier") digits.add(number);
    if (role === "digit" || role === "multiplier") multipliers.add(number);
    this.changed(number);
  }

  toggle(number, set) {
    if (!this.system[set].delete(number)) this.system[set].add(number);
    this.changed(number);
  }

  clear(number) {
    this.system.digits.delete(number);
    this.system.multipliers.delete(number);
    this.changed(number);
  }

  changed(number) {
    this.drawOne(this.buttons[number - 1], number);
    this.onChange();
  }

  draw() {
    for (const [i, button] of this.buttons.entries()) this.drawOne(button, i + 1);
  }

  drawOne(button, number) {
    const role = this.role(number);
    button.dataset.role = role;
    button.setAttribute("aria-pressed", String(role !== "neither"));
    const words = { neither: "no word", digit: "digit", multiplier: "multiplier", both: "digit and multiplier" };
    button.setAttribute("aria-label", `${number}, ${words[role]}`);
  }

  markMissing(missing) {
    const lost = new Set(missing);
    for (const [i, button] of this.buttons.entries()) button.classList.toggle("missing", lost.has(i + 1));
  }

  rove(target) {
    if (!target.dataset.number) return;
    for (const each of this.buttons) each.tabIndex = each === target ? 0 : -1;
  }

  key(event) {
    const number = Number(event.target.dataset.number);
    if (!number || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -COLUMNS,
      ArrowDown: COLUMNS,
      Home: 1 - number,
      End: this.largest - number,
    };
    if (event.key in moves) this.buttons[Math.min(Math.max(number + moves[event.key], 1), this.largest) - 1].focus();
    else if (event.key === "d" || event.key === "D") this.toggle(number, "digits");
    else if (event.key === "m" || event.key === "M") this.toggle(number, "multipliers");
    else if (event.key === "Delete" || event.key === "Backspace") this.clear(number);
    else return;
    event.preventDefault();
  }
}
