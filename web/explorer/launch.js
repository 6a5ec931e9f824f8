// Start a run from the system in the builder.

import { post } from "./api.js";
import { first } from "./choices.js";
import { choice, number } from "./controls.js";
import { h, notice, replace } from "./dom.js";
import { link } from "./route.js";

// A look takes some seconds, the paper's run hours.
const PRESETS = {
  "A quick look": { rounds: 10, steps: 500 },
  "A short run": { rounds: 30, steps: 5000 },
  "As in the paper": { rounds: 100, steps: 40000 },
};

function slider(label, name, value, least, most, step = 1) {
  const said = h("output", {}, value.toLocaleString("en"));
  return h(
    "label",
    { class: "field" },
    h("span", {}, `${label}: `, said),
    h("input", {
      type: "range",
      name,
      min: String(least),
      max: String(most),
      step: String(step),
      value: String(value),
      oninput: (event) => {
        said.textContent = Number(event.target.value).toLocaleString("en");
      },
    }),
  );
}

export function launchForm(system) {
  const chosen = {
    choosers: first("choosers"),
    add_rules: first("add_rules"),
    learners: first("learners"),
    judges: first("judges"),
  };
  const one = (label, kind) =>
    choice(label, kind, chosen[kind], (value) => {
      chosen[kind] = value;
    });
  const said = h("div", {});
  const button = h("button", { type: "submit" }, "Start a run");
  const form = h(
    "form",
    { class: "launch", onsubmit: submit },
    h(
      "div",
      { class: "row presets", role: "group", "aria-label": "How long" },
      Object.entries(PRESETS).map(([words, values]) =>
        h("button", { type: "button", onclick: () => preset(values) }, words),
      ),
    ),
    slider("Rounds", "rounds", 20, 1, 1000),
    slider("Steps a round", "steps", 2000, 100, 40000, 100),
    one("Who decides", "choosers"),
    number("Seed", "seed", 0, 0, 2147483647),
    h(
      "details",
      { class: "advanced" },
      h("summary", {}, "Advanced"),
      h(
        "div",
        { class: "launch" },
        one("Which numeral is added", "add_rules"),
        one("Who plays a round", "learners"),
        one("What decides for agents", "judges"),
        number("Cost of a further symbol", "effort", 0, 0, 10, 0.001),
        number("Cost of a word", "word", 0, 0, 10, 0.001),
        number("Symbols misheard (share)", "noise", 0, 0, 1, 0.01),
      ),
    ),
    button,
  );

  function preset(values) {
    for (const [name, value] of Object.entries(values)) {
      form.elements[name].value = String(value);
      form.elements[name].dispatchEvent(new Event("input"));
    }
  }

  async function submit(event) {
    event.preventDefault();
    button.disabled = true;
    replace(said);
    try {
      const numbers = Object.fromEntries(
        ["rounds", "steps", "seed", "effort", "word", "noise"].map((each) => [each, Number(form.elements[each].value)]),
      );
      const { choosers: choose, add_rules: add, learners, judges: judge } = chosen;
      const { name } = await post("api/runs/start", { ...system(), choose, add, learners, judge, ...numbers });
      location.hash = link({ run: name });
    } catch (error) {
      replace(said, notice(error.message, "error"));
    } finally {
      button.disabled = false;
    }
  }
  return h(
    "details",
    { class: "beside" },
    h("summary", {}, "Let it evolve: start a run from this system"),
    h(
      "p",
      { class: "note" },
      "Two agents talk about the numbers 1 to 50 while the lexicon changes round by round. The run is a " +
        "process of its own: it goes on when this page is closed.",
    ),
    form,
    said,
  );
}
