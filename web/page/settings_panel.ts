// The controls of the playground: where to start, who decides, what it costs, what children hear.

import {
  ADD,
  GRAMMARS,
  LARGEST_IN_RUNS,
  NEEDS,
  RUNS,
  readLexicon,
  SETTINGS,
  type Settings,
  WHO,
  writeLexicon,
} from "./address.ts";
import type { App } from "./app.ts";
import { button, row, segments, slider } from "./controls.ts";
import { h, write } from "./dom.ts";
import { CHECKED, language, languageFinder } from "./languages.ts";
import { describe, formatSystem, lexiconOf, parseSystem, STARTS } from "./model.ts";

const WHO_TEXT: Record<Settings["who"], [label: string, sentence: string]> = {
  drift: ["drift", "Chance: a coin decides about each change."],
  oracle: ["oracle", "Somebody who knows keeps every change that makes numbers shorter."],
  costs: ["costs", "A change is kept if it saves more than it costs."],
  agents: ["agents", "Two neural networks talk with the old words and the new, and keep what works better."],
  passing: ["passed on", "Nobody decides: children know the words that they heard."],
};
const NEED_TEXT: Record<Settings["need"], string> = {
  "power:2": "small ones most (1/n²)",
  "power:1": "small ones more (1/n)",
  uniform: "all alike",
};

function beyond(word: number): string {
  return `In runs words go up to ${LARGEST_IN_RUNS}, and this start has one for ${word}. Start 1 of the paper is used.`;
}

/** The lexicon that a start means, or a sentence that says why there is none. */
export function startOf(settings: Settings): { system: string; error: string } {
  const { start } = settings;
  if (/^[1-8]$/.test(start)) return { system: STARTS[Number(start) - 1], error: "" };
  const lexicon = readLexicon(start);
  const largest = lexicon ? Math.max(...lexicon.digits, ...lexicon.multipliers) : 0;
  if (lexicon && largest > LARGEST_IN_RUNS) return { system: STARTS[0], error: beyond(largest) };
  if (lexicon) {
    try {
      return { system: formatSystem(parseSystem(writeLexicon(lexicon), settings.grammar)), error: "" };
    } catch (problem) {
      const why = problem instanceof Error ? problem.message : String(problem);
      return { system: STARTS[0], error: `${why} Start 1 of the paper is used.` };
    }
  }
  const found = language(start);
  const most = found ? Math.max(...found.lexicon.digits, ...found.lexicon.multipliers) : 0;
  if (found && most > LARGEST_IN_RUNS) return { system: STARTS[0], error: beyond(most) };
  if (found) return { system: found.system, error: "" };
  return {
    system: STARTS[0],
    error: `There is no language “${start.slice(0, 40)}” here; start 1 of the paper is used. Choose one from the list, or write a lexicon such as 1-9 | 10.`,
  };
}

export interface Panel {
  element: HTMLElement;
  show: (settings: Settings) => void;
}

export function settingsPanel(app: App, changed: (part: Partial<Settings>) => void): Panel {
  const who = segments(
    "Who decides?",
    WHO.map((each) => [each, WHO_TEXT[each][0]] as const),
    (value) => changed({ who: value, ...(value === "agents" ? { runs: 1 } : {}) }),
  );
  const sentence = h("p", { class: "note" });
  const start = startField(app, changed);
  const runs = segments(
    "How many runs?",
    RUNS.map((each) => [String(each), String(each)] as const),
    (value) => changed({ runs: Number(value) as Settings["runs"] }),
  );
  const symbol = slider("A symbol costs", [0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1], price, (value) =>
    changed({ symbol: value }),
  );
  const word = slider("A word costs", [0, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05], price, (value) =>
    changed({ word: value }),
  );
  const heard = slider(
    "A child hears",
    [5, 10, 20, 50, 100, 200, 400, 1000, 2000, 5000, 20000],
    (value) => `${value.toLocaleString("en")} numbers`,
    (value) => changed({ heard: value }),
  );
  const invent = slider(
    "A generation invents",
    [0, 0.1, 0.25, 0.5, 1, 2, 5],
    (value) => `${value} word${value === 1 ? "" : "s"}`,
    (value) => changed({ invent: value }),
  );
  const hands = slider(
    "5, 10, 20 easier to invent",
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    (value) => (value === 1 ? "no" : `${value} times`),
    (value) => changed({ hands: value }),
  );
  const add = segments(
    "A new word may be",
    ADD.map((each) => [each, each === "any" ? "any number" : "the lowest free"] as const),
    (value) => changed({ add: value }),
  );
  const steps = slider(
    "Agents talk in a round",
    [100, 200, 300, 500, 1000, 2000, 5000],
    (value) => `${value.toLocaleString("en")} steps`,
    (value) => changed({ steps: value }),
  );
  const rounds = slider("Rounds", [20, 40, 60, 100, 150, 200, 300], String, (value) => changed({ rounds: value }));
  const need = h(
    "select",
    { onchange: () => changed({ need: need.value as Settings["need"] }) },
    NEEDS.map((each) => h("option", { value: each }, NEED_TEXT[each])),
  );
  const grammar = h(
    "select",
    { onchange: () => changed({ grammar: grammar.value as Settings["grammar"] }) },
    GRAMMARS.map((each) =>
      h(
        "option",
        { value: each },
        each === "modified" ? "the paper’s: ten is 1 × 10" : "Hurford’s: a base can stand alone",
      ),
    ),
  );
  const luck = button("Other luck", () => changed({ seed: 1 + Math.floor(Math.random() * 99_999) }));
  const seed = h("span", { class: "small" });
  const element = h(
    "section",
    { class: "panel", "aria-label": "Settings" },
    start.element,
    who.element,
    sentence,
    runs.element,
    symbol.element,
    word.element,
    heard.element,
    invent.element,
    hands.element,
    add.element,
    steps.element,
    h("label", { class: "field" }, "Which numbers are needed", need),
    h(
      "details",
      {},
      h("summary", {}, "More settings"),
      rounds.element,
      h("label", { class: "field" }, "Grammar", grammar),
    ),
    row(luck, seed),
    row(
      button("Usual settings", () =>
        changed({ ...SETTINGS, start: app.state.settings.start, who: app.state.settings.who }),
      ),
    ),
  );
  const show = (settings: Settings): void => {
    const passing = settings.who === "passing";
    const pays = settings.who === "costs" || settings.who === "agents";
    start.show(settings);
    who.set(settings.who);
    write(sentence, WHO_TEXT[settings.who][1]);
    runs.set(String(settings.runs));
    // One pair of agents is all that a tab can carry.
    for (const each of RUNS) runs.disable(String(each), settings.who === "agents" && each > 1);
    symbol.set(settings.symbol);
    word.set(settings.word);
    heard.set(settings.heard);
    invent.set(settings.invent);
    hands.set(settings.hands);
    add.set(settings.add);
    steps.set(settings.steps);
    rounds.set(settings.rounds);
    need.value = settings.need;
    grammar.value = settings.grammar;
    write(seed, `luck number ${settings.seed}`);
    for (const each of [symbol, word]) each.element.hidden = !pays;
    for (const each of [heard, invent, hands]) each.element.hidden = !passing;
    add.element.hidden = passing;
    steps.element.hidden = settings.who !== "agents";
  };
  return { element, show };
}

function price(value: number): string {
  return value ? String(value) : "nothing";
}

const MINE_VALUE = "mine";

/** Where to start: a start of the paper, a language, or one's own words. */
function startField(app: App, changed: (part: Partial<Settings>) => void): Panel {
  const other = h("option", { value: "other", hidden: true });
  const select = h(
    "select",
    {},
    h("option", { value: MINE_VALUE }, "your own words (step 1)"),
    h(
      "optgroup",
      { label: "Starts of the paper" },
      STARTS.map((_, i) => h("option", { value: i + 1 }, `start ${i + 1}`)),
    ),
    h(
      "optgroup",
      { label: "Languages" },
      CHECKED.map((each) => h("option", { value: each }, each)),
    ),
    other,
  );
  const text = h("p", { class: "note" });
  select.addEventListener("change", () => {
    if (select.value !== "other")
      changed({ start: select.value === MINE_VALUE ? writeLexicon(app.mine.lexicon) : select.value });
  });
  const finder = languageFinder(({ name }) => changed({ start: name }));
  const show = ({ start, grammar, ...rest }: Settings): void => {
    const known = [...select.options].find((each) => each !== other && each.value === start);
    other.hidden = Boolean(known);
    other.textContent = start;
    select.value = known ? start : start === writeLexicon(app.mine.lexicon) ? MINE_VALUE : "other";
    write(text, describe(lexiconOf(parseSystem(startOf({ start, grammar, ...rest }).system, grammar))));
  };
  const find = h("details", {}, h("summary", {}, "Another language"), finder.element);
  return { element: h("div", {}, h("label", { class: "field" }, "Start with", select), text, find), show };
}
