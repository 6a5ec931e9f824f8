// Build a numeral system word by word and see at once what it costs.

import { get, snapshot } from "./api.js";
import { grammarChoice, needChoice } from "./controls.js";
import { announce, h, heading, notice, replace } from "./dom.js";
import { Place } from "./place.js";
import { launchForm } from "./launch.js";
import { numeralsGrid } from "./numerals.js";
import { presetChoice } from "./presets.js";
import { rewrite, systemLink } from "./route.js";
import { parseSet, sorted } from "./sets.js";
import { summary, sentence } from "./summary.js";
import { Tiles } from "./tiles.js";

export const title = "The builder";
const TEXT = "Choose which numbers have a word of their own. Digits (blue) stand alone or are added; multipliers (orange) "
  + "are what one counts in, like ten in “three tens”. Every other number up to 99 is built from them as briefly as can be.";
const LARGEST = 99, AGAIN = 600;
const ENGLISH = { D: "1-9,11", M: "10" };

export function show(main, { fields, grammar, need }) {
  const empty = !fields.has("D") && !fields.has("M");
  const system = {
    digits: new Set(parseSet(empty ? ENGLISH.D : fields.get("D"), LARGEST)),
    multipliers: new Set(parseSet(empty ? ENGLISH.M : fields.get("M"), LARGEST)),
  };
  const answerBox = h("div", { class: "answer" });
  const numeralsBox = h("section", { class: "card", "aria-label": "Numerals" });
  const errorBox = h("div", {});
  const tiles = new Tiles(system, LARGEST, changed);
  const place = new Place(grammar, need);
  const launch = snapshot ? null : launchForm(() => ({ digits: sorted(system.digits), multipliers: sorted(system.multipliers), grammar }));
  const preset = presetChoice(grammar, need, (chosen) => {
    system.digits = new Set(chosen.digits);
    system.multipliers = new Set(chosen.multipliers);
    tiles.draw();
    changed();
  });
  const here = (change = {}) => systemLink(sorted(system.digits), sorted(system.multipliers), change.grammar ?? grammar, change.need ?? need);
  main.append(
    heading(title, TEXT),
    h("div", { class: "controls" }, preset.element,
      grammarChoice(grammar, (value) => { location.hash = here({ grammar: value }); }),
      needChoice(need, (value) => { location.hash = here({ need: value }); })),
    h("div", { class: "bench" },
      h("section", { class: "card", "aria-label": "Words" }, tiles.element, clearButton(clear)),
      h("section", { class: "card", "aria-label": "What it costs" }, errorBox, answerBox, place.element, launch)),
    numeralsBox);

  let asking = null, timer = 0;
  async function ask() {
    clearTimeout(timer);
    asking?.abort();
    const mine = asking = new AbortController();
    const began = performance.now();
    try {
      const parameters = { digits: sorted(system.digits), multipliers: sorted(system.multipliers), grammar, need };
      const answer = await get("api/system", parameters, mine.signal);
      if (mine !== asking) return;
      replace(errorBox);
      replace(answerBox, summary(answer));
      replace(numeralsBox, numeralsGrid(answer, LARGEST));
      tiles.markMissing(answer.missing);
      place.mark(answer);
      preset.mark(answer);
      answerBox.dataset.answered = here();
      answerBox.dataset.milliseconds = String(Math.round(performance.now() - began));
      announce(sentence(answer));
      // The proved optimum may still be looked for.
      if (!answer.complaint && !answer.optimum) timer = setTimeout(ask, AGAIN);
    } catch (error) {
      if (error.name !== "AbortError" && mine === asking) replace(errorBox, notice(error.message, "error"));
    }
  }
  function changed() {
    rewrite(here());
    ask();
  }
  function clear() {
    system.digits.clear();
    system.multipliers.clear();
    tiles.draw();
    changed();
  }
  changed();
  return () => { clearTimeout(timer); asking?.abort(); place.close(); };
}

function clearButton(onClick) {
  return h("p", { class: "row" },
    h("button", { type: "button", class: "quiet", onclick: onClick }, "Clear all words"),
    h("span", { class: "note" }, "Click: digit, then multiplier, then neither. Keys: arrows move, D and M switch a role, Delete clears."));
}
