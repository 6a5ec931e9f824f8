// The controls of the playground: where to start, who decides, what it costs, what children hear.

import { ADD, LARGEST_IN_RUNS, RUNS, readLexicon, SETTINGS, type Settings, WHO, writeLexicon } from "./address.ts";
import type { App } from "./app.ts";
import { button, row, segments, select, slider } from "./controls.ts";
import { h, write } from "./dom.ts";
import { CHECKED, language, languageFinder } from "./languages.ts";
import { describe, formatSystem, lexiconOf, parseSystem, STARTS } from "./model.ts";

const WHO_TEXT: Record<Settings["who"], [label: string, sentence: string]> = {
  drift: ["chance", "A coin decides about each change (drift)."],
  oracle: ["oracle", "Somebody who knows keeps every change that makes numbers shorter."],
  costs: ["prices", "A change is kept if it saves more than it costs."],
  agents: [
    "agents",
    "Two neural networks talk with the old words and the new, and keep what works better, less the prices below. A tab can carry one pair.",
  ],
  passing: ["passed on", "Nobody decides: children know the words that they heard."],
};
const NEED_TEXT: Record<Settings["need"], string> = {
  "power:2": "small ones most (1/n²)",
  "power:1": "small ones more (1/n)",
  uniform: "all alike",
};

const GRAMMAR_TEXT: Record<Settings["grammar"], string> = {
  modified: "the paper’s: ten is 1 × 10",
  hurford: "Hurford’s: a base can stand alone",
};
const price = (value: number): string => (value ? String(value) : "nothing");
type SliderName = "symbol" | "word" | "heard" | "invent" | "hands" | "steps" | "rounds";
/** What is set with a slider: its label, its places, and how a value is read out. */
const SLIDERS: readonly [SliderName, label: string, values: readonly number[], text: (value: number) => string][] = [
  ["symbol", "A symbol costs", [0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1], price],
  ["word", "A word costs", [0, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05], price],
  [
    "heard",
    "A child hears",
    [5, 10, 20, 50, 100, 200, 400, 1000, 2000, 5000, 20000],
    (value) => `${value.toLocaleString("en")} numbers`,
  ],
  ["invent", "A generation invents", [0, 0.1, 0.25, 0.5, 1, 2, 5], (value) => `${value} word${value === 1 ? "" : "s"}`],
  [
    "hands",
    "5, 10, 20 easier to invent",
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    (value) => (value === 1 ? "no" : `${value} times`),
  ],
  [
    "steps",
    "Agents talk in a round",
    [100, 200, 300, 500, 1000, 2000, 5000],
    (value) => `${value.toLocaleString("en")} steps`,
  ],
  ["rounds", "Rounds", [20, 40, 60, 100, 150, 200, 300], String],
];

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
  const fields = new Map(
    SLIDERS.map(([name, ...rest]) => [name, slider(...rest, (value) => changed({ [name]: value }))] as const),
  );
  const field = (...names: readonly SliderName[]) => names.map((name) => fields.get(name)?.element);
  const add = segments(
    "A new word may be",
    ADD.map((each) => [each, each === "any" ? "any number" : "the lowest free"] as const),
    (value) => changed({ add: value }),
  );
  const need = select("Which numbers are needed", NEED_TEXT, (value) => changed({ need: value }));
  const grammar = select("Grammar", GRAMMAR_TEXT, (value) => changed({ grammar: value }));
  const luck = button("Other luck", () => changed({ seed: 1 + Math.floor(Math.random() * 99_999) }));
  const seed = h("span", { class: "small" });
  const element = h(
    "section",
    { class: "panel settings", "aria-label": "Settings" },
    start.element,
    who.element,
    sentence,
    runs.element,
    field("symbol", "word", "heard", "invent", "hands"),
    add.element,
    field("steps"),
    need.element,
    h("details", {}, h("summary", {}, "More settings"), field("rounds"), grammar.element),
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
    const unread: Partial<Record<SliderName, boolean>> = {
      ...{ symbol: !pays, word: !pays },
      ...{ heard: !passing, invent: !passing, hands: !passing },
      steps: settings.who !== "agents",
    };
    for (const [name, { element, set }] of fields) {
      set(settings[name]);
      element.hidden = unread[name] ?? false;
    }
    add.set(settings.add);
    need.set(settings.need);
    grammar.set(settings.grammar);
    write(seed, `luck number ${settings.seed}`);
    add.element.hidden = passing;
  };
  return { element, show };
}

const MINE_VALUE = "mine";

/** Where to start: a start of the paper, a language, or one's own words. */
function startField(app: App, changed: (part: Partial<Settings>) => void): Panel {
  const other = h("option", { value: "other", hidden: true });
  const choice = h(
    "select",
    {},
    h("option", { value: MINE_VALUE }, "your own words (step 1)"),
    h(
      "optgroup",
      { label: "Starts of the paper" },
      STARTS.map((each, i) =>
        h("option", { value: i + 1 }, `start ${i + 1}: ${describe(lexiconOf(parseSystem(each)))}`),
      ),
    ),
    h(
      "optgroup",
      { label: "Languages" },
      CHECKED.map((each) => h("option", { value: each }, each)),
    ),
    other,
  );
  const text = h("p", { class: "note" });
  choice.addEventListener("change", () => {
    if (choice.value !== "other")
      changed({ start: choice.value === MINE_VALUE ? writeLexicon(app.mine.lexicon) : choice.value });
  });
  const finder = languageFinder((found) => found && changed({ start: found.name }));
  const show = ({ start, grammar, ...rest }: Settings): void => {
    const known = [...choice.options].find((each) => each !== other && each.value === start);
    other.hidden = Boolean(known);
    other.textContent = start;
    choice.value = known ? start : start === writeLexicon(app.mine.lexicon) ? MINE_VALUE : "other";
    write(text, describe(lexiconOf(parseSystem(startOf({ start, grammar, ...rest }).system, grammar))));
  };
  const find = h("details", {}, h("summary", {}, "Another language"), finder);
  return { element: h("div", {}, h("label", { class: "field" }, "Start with", choice), text, find), show };
}
