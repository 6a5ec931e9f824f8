// Start a run from the system in the builder.

import { post } from "./api.js";
import { first } from "./choices.js";
import { choice, number } from "./controls.js";
import { h, notice, replace } from "./dom.js";
import { link } from "./route.js";

export function launchForm(system) {
  let choose = first("choosers");
  const said = h("div", {});
  const button = h("button", { type: "submit" }, "Start a run");
  const form = h("form", { class: "launch", onsubmit: submit },
    number("Rounds", "rounds", 20, 1, 1000), number("Steps a round", "steps", 2000, 1, 100000),
    number("Seed", "seed", 0, 0, 2147483647), choice("Who decides", "choosers", choose, (value) => { choose = value; }), button);

  async function submit(event) {
    event.preventDefault();
    button.disabled = true;
    try {
      const { rounds, steps, seed } = Object.fromEntries(new FormData(form));
      const { name } = await post("api/runs/start", { ...system(), choose, rounds: Number(rounds), steps: Number(steps), seed: Number(seed) });
      location.hash = link({ run: name });
    } catch (error) {
      replace(said, notice(error.message, "error"));
    } finally {
      button.disabled = false;
    }
  }
  return h("details", { class: "beside" }, h("summary", {}, "Let it evolve: start a run from this system"),
    h("p", { class: "note" }, "Two agents talk about the numbers 1 to 50 while the lexicon changes round by round. The run is a "
      + "process of its own: it goes on when this page is closed."), form, said);
}
