// Build a numeral system word by word and see at once what it costs.

import { get, snapshot } from "./api.js";
import { grammarChoice, needChoice } from "./controls.js";
import { announce, h, heading, notice, replace } from "./dom.js";
import { languageSearch } from "./languages.js";
import { launchForm } from "./launch.js";
import { numeralsGrid } from "./numerals.js";
import { Place } from "./place.js";
import { presetChoice } from "./presets.js";
import { Rival } from "./rival.js";
import { rewrite, step, systemLink } from "./route.js";
import { parseSet, sorted } from "./sets.js";
import { glance, sentence, summary } from "./summary.js";
import { Tiles } from "./tiles.js";

export const title = "The builder";
const TEXT =
  "Choose which numbers have a word of their own. Digits (blue) stand alone or are added; multipliers (orange) " +
  "are what one counts in, like ten in “three tens”. Every other number up to 99 is built from them as briefly as can be.";
const LARGEST = 99,
  AGAIN = 600;
const ENGLISH = { D: "1-9,11", M: "10" };

export function show(main, { fields, grammar, need }) {
  const system = systemIn(fields);
  const answerBox = h("div", { class: "answer" }, h("p", { class: "note" }, "Working it out …"));
  const numeralsBox = h("section", { class: "card", "aria-label": "Numerals" });
  const glanceBox = h("p", { class: "glance", "aria-hidden": "true" });
  const errorBox = h("div", {});
  const clearing = clearButtons(clear, (words) => take(words));
  const tiles = new Tiles(system, LARGEST, changed);
  const place = new Place(grammar, need);
  const launch = snapshot
    ? null
    : launchForm(() => ({ digits: sorted(system.digits), multipliers: sorted(system.multipliers), grammar }));
  const rival = new Rival(grammar, need, fields.get("beat"));
  const preset = presetChoice(grammar, need, (chosen, isLanguage) => take(chosen, isLanguage));
  const here = (change = {}) =>
    systemLink(sorted(system.digits), sorted(system.multipliers), change.grammar ?? grammar, change.need ?? need) +
    (rival.name ? `&beat=${encodeURIComponent(rival.name)}` : "");
  main.append(
    heading(title, TEXT),
    h(
      "div",
      { class: "controls" },
      preset.element,
      languageSearch((chosen) => take(chosen, true)),
      grammarChoice(grammar, (value) => {
        location.hash = here({ grammar: value });
      }),
      needChoice(need, (value) => {
        location.hash = here({ need: value });
      }),
    ),
    h(
      "div",
      { class: "bench" },
      h("section", { class: "card", "aria-label": "Words" }, tiles.element, clearing.element),
      h(
        "section",
        { class: "card", "aria-label": "What it costs" },
        errorBox,
        rival.element,
        answerBox,
        place.element,
        launch,
      ),
    ),
    numeralsBox,
    glanceBox,
  );

  let asking = null,
    timer = 0;
  async function ask() {
    clearTimeout(timer);
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    const began = performance.now();
    try {
      const parameters = { digits: sorted(system.digits), multipliers: sorted(system.multipliers), grammar, need };
      const answer = await get("api/system", parameters, mine.signal);
      if (mine !== asking) return;
      replace(errorBox);
      replace(answerBox, summary(answer));
      glanceBox.textContent = glance(answer);
      replace(numeralsBox, numeralsGrid(answer, LARGEST));
      tiles.markMissing(answer.missing);
      place.mark(answer);
      rival.mark(answer);
      preset.mark(answer);
      answerBox.dataset.answered = here();
      answerBox.dataset.milliseconds = String(Math.round(performance.now() - began));
      announce(sentence(answer));
      // The proved optimum may still be looked for.
      if (!answer.complaint && !answer.optimum) timer = setTimeout(ask, AGAIN);
    } catch (error) {
      if (error.name === "AbortError" || mine !== asking) return;
      // What is shown is of another system than the tiles.
      replace(errorBox, notice(error.message, "error"));
      replace(answerBox);
      replace(numeralsBox, h("p", { class: "note" }, "The numerals appear when they are known."));
      glanceBox.textContent = "";
    }
  }
  // Each edit is a step: the Back button takes it back.
  function changed() {
    clearing.forget();
    step(here());
    ask();
  }
  // Whoever takes a language goes on to beat it.
  /** @param {{ name?: string, digits: number[], multipliers: number[] }} words */
  function take({ name, digits, multipliers }, isLanguage = false) {
    if (isLanguage) rival.meet({ name, digits, multipliers });
    Object.assign(system, { digits: new Set(digits), multipliers: new Set(multipliers) });
    tiles.draw();
    changed();
  }
  function clear() {
    const before = { digits: [...system.digits], multipliers: [...system.multipliers] };
    take({ digits: [], multipliers: [] });
    clearing.offer(before);
  }
  // Back and forth, or a link to another system: only the words change.
  function update(route) {
    if (route.grammar !== grammar || route.need !== need) return false;
    Object.assign(system, systemIn(route.fields));
    rival.find(route.fields.get("beat"));
    tiles.draw();
    clearing.forget();
    ask();
    return true;
  }
  if (launch && fields.has("launch")) launch.open = true;
  rewrite(here());
  ask();
  return Object.assign(
    () => {
      clearTimeout(timer);
      asking?.abort();
      place.close();
    },
    { update },
  );
}

function systemIn(fields) {
  const empty = !fields.has("D") && !fields.has("M");
  const words = (name) => new Set(parseSet(empty ? ENGLISH[name] : fields.get(name), LARGEST));
  return { digits: words("D"), multipliers: words("M") };
}

// Clear all words, and put them back.
function clearButtons(onClear, onUndo) {
  let before = null;
  const back = h(
    "button",
    { type: "button", class: "undo", hidden: true, onclick: () => onUndo(before) },
    "Put them back",
  );
  const element = h(
    "p",
    { class: "row" },
    h("button", { type: "button", class: "quiet clear", onclick: onClear }, "Clear all words"),
    back,
    h(
      "span",
      { class: "note" },
      "Click or tap: digit, multiplier, both, neither. Keys: arrows move, D and M switch a role, Delete clears. Back undoes.",
    ),
  );
  return {
    element,
    offer(words) {
      before = words;
      back.hidden = words.digits.length + words.multipliers.length === 0;
    },
    forget() {
      before = null;
      back.hidden = true;
    },
  };
}
