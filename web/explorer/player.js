// A play button and a slider over rounds.

import { h } from "./dom.js";

const WHOLE = 9000,
  FASTEST = 60,
  SLOWEST = 500;

export class Player {
  wanted;
  onRound;

  // `round`: where the address says that it begins, which is at the end if it says nothing.
  constructor(onRound, round = null) {
    Object.assign(this, { onRound, last: 0, round: 0, timer: 0, wanted: round });
    this.button = h("button", {
      type: "button",
      class: "play",
      onclick: () => (this.timer ? this.pause() : this.play()),
    });
    this.slider = h("input", {
      type: "range",
      min: "0",
      max: "0",
      step: "1",
      "aria-label": "Round",
      oninput: () => this.moved(Number(this.slider.value)),
    });
    this.output = h("output", {});
    this.element = h(
      "div",
      { class: "player", hidden: true, role: "group", "aria-label": "Play the runs" },
      this.button,
      this.slider,
      this.output,
    );
    this.pause();
  }

  // New rounds: who was at the end stays at the end.
  setRounds(last, runs) {
    const atEnd = this.round >= this.last && !this.timer;
    this.last = last;
    this.slider.max = String(last);
    this.element.hidden = runs === 0;
    if (atEnd) this.round = last;
    if (this.wanted !== null && last > 0) [this.round, this.wanted] = [Math.min(this.wanted, last), null];
    this.draw();
  }

  // As the address has it: nothing at the end.
  get text() {
    return this.round < this.last && !this.timer ? this.round : undefined;
  }

  moved(round) {
    this.pause();
    this.go(round);
  }

  go(round) {
    this.round = Math.min(round, this.last);
    this.draw();
    this.onRound(this.round);
  }

  play() {
    if (this.round >= this.last) this.go(0);
    const pace = Math.min(SLOWEST, Math.max(FASTEST, WHOLE / Math.max(1, this.last)));
    this.timer = setInterval(() => (this.round >= this.last ? this.pause() : this.go(this.round + 1)), pace);
    this.draw();
  }

  pause() {
    const played = this.timer;
    clearInterval(this.timer);
    this.timer = 0;
    this.draw();
    if (played) this.onRound(this.round);
  }

  draw() {
    this.slider.value = String(this.round);
    this.slider.setAttribute("aria-valuetext", `round ${this.round} of ${this.last}`);
    this.output.textContent = `round ${this.round} of ${this.last}`;
    this.button.textContent = this.timer ? "Pause" : "Play";
  }

  close() {
    clearInterval(this.timer);
  }
}

// The round that an address names.
export function roundIn(fields) {
  const round = Number(fields.get("round") ?? NaN);
  return Number.isInteger(round) && round >= 0 ? round : null;
}
