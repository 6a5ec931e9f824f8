// Start a run from the system in the builder.

import { post } from "./api.js";
import { first } from "./choices.js";
import { choice, number } from "./controls.js";
import { h, notice, replace } from "./dom.js";
import { link } from "./route.js";

export function launchForm(system) {
  const chosen = { choosers: first("choosers"), add_rules: first("add_rules"), learners: first("learners"), judges: first("judges") };
  const one = (label, kind) => choice(label, kind, chosen[kind], (value) => { chosen[kind] = value; });
  const said = h("div", {});
  const button = h("button", { type: "submit" }, "Start a run");
  const form = h("form", { class: "launch", onsubmit: submit },
    number("Rounds", "rounds", 20, 1, 1000), number("Steps a round", "steps", 2000, 1, 100000),
    number("Seed", "seed", 0, 0, 2147483647), one("Who decides", "choosers"), one("Which numeral is added", "add_rules"),
    one("Who plays a round", "learners"), one("What decides for agents", "judges"),
    number("Cost of a further symbol", "effort", 0, 0, 10, 0.001), number("Cost of a word", "word", 0, 0, 10, 0.001),
    number("Symbols misheard (share)", "noise", 0, 0, 1, 0.01), button);

  async function submit(event) {
    event.preventDefault();
    button.disabled = true;
    replace(said);
    try {
      const numbers = Object.fromEntries(["rounds", "steps", "seed", "effort", "word", "noise"].map((each) => [each, Number(form.elements[each].value)]));
      const { choosers: choose, add_rules: add, learners, judges: judge } = chosen;
      const { name } = await post("api/runs/start", { ...system(), choose, add, learners, judge, ...numbers });
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
