// The same settings for the lab: a command, and lines of Python.

import type { Settings } from "./address.ts";

const CHOOSERS: Record<Exclude<Settings["who"], "passing">, string> = {
  drift: "drift",
  oracle: "shorter",
  costs: "law",
  agents: "bandit",
};
/** Agents who go on trying where they are not understood, and who learn the first language for so many steps. */
const LOST_ENTROPY = 0.03;
const PRETRAINING = 2000;

export interface Recipe {
  command: string;
  python: string;
  /** What is not the same there. */
  note: string;
}

type Value = string | number;

/** Fields that both take, by the names of Python; the game's own are under `game.`. */
function fields(settings: Settings, start: string): [name: string, value: Value][] {
  const found: [string, Value][] = [
    ["start", start],
    ["rounds", settings.rounds],
  ];
  if (settings.grammar !== "modified") found.push(["grammar", settings.grammar]);
  if (settings.need !== "power:2") found.push(["need", settings.need]);
  if (settings.who === "passing") {
    found.push(["bottleneck", String(settings.heard)], ["invent", settings.invent]);
    if (settings.hands !== 1 && settings.invent) found.push(["body", settings.hands]);
    return found;
  }
  found.push(["choose", CHOOSERS[settings.who]], ["add", settings.add]);
  if (settings.who === "agents")
    found.push(["steps", settings.steps], ["pretraining", PRETRAINING], ["game.lost_entropy", LOST_ENTROPY]);
  if (settings.who === "agents" || settings.who === "costs") {
    if (settings.word) found.push(["word", settings.word]);
    if (settings.symbol) found.push(["game.effort", settings.symbol]);
  }
  return found;
}

const quoted = (value: Value): string => (typeof value === "number" ? String(value) : `"${value}"`);
const shell = (value: Value): string => (/^[\w.:+-]+$/.test(String(value)) ? String(value) : `"${value}"`);

/** The recipe for settings whose start is the lexicon or the number of the paper's start. */
export function recipe(settings: Settings, start: string): Recipe {
  const many = settings.runs > 1;
  const all = fields(settings, start);
  const verb = settings.who === "passing" ? "generations" : "evolve";
  const options = all.map(([name, value]) => `--${name.replaceAll("_", "-")} ${shell(value)}`).join(" ");
  const one = `ishango ${verb} ${options}`;
  const command = many
    ? `for seed in $(seq ${settings.seed} ${settings.seed + settings.runs - 1}); do\n  ${one} --seed $seed --out out/run-$seed\ndone`
    : `${one} --seed ${settings.seed} --out out/run-${settings.seed}`;
  const game = all
    .filter(([name]) => name.startsWith("game."))
    .map(([name, value]) => `"${name.slice(5)}": ${quoted(value)}`);
  const plain = all.filter(([name]) => !name.startsWith("game.")).map(([name, value]) => `${name}=${quoted(value)}`);
  if (game.length) plain.push(`game={${game.join(", ")}}`);
  const seeds = many ? `range(${settings.seed}, ${settings.seed + settings.runs})` : `[${settings.seed}]`;
  const python =
    settings.who === "passing"
      ? `from ishango.generations import GenerationOptions, play_chain\n\nfor seed in ${seeds}:\n    options = GenerationOptions(${plain.join(", ")}, seed=seed)\n    digits, multipliers = play_chain(options)[-1]\n    print(seed, digits.nonzero()[0], multipliers.nonzero()[0])`
      : `import ishango\n\nfor seed in ${seeds}:\n    run = ishango.evolve(${plain.map((each) => each.replace(/^start=/, "")).join(", ")}, seed=seed)\n    print(run.to_frame()[["round", "size", "gap"]].tail(1))`;
  const free =
    settings.who === "costs" && !settings.word && !settings.symbol
      ? " With both prices at zero the command refuses: nothing could decide."
      : "";
  return {
    command,
    python,
    note: `The same settings, not the same random numbers: each run turns out a little different there.${free}`,
  };
}
