// Everything that is seen, to and from the address. What cannot be read is replaced and said, never thrown.

export const WHO = ["drift", "oracle", "costs", "agents", "passing"] as const;
export type Who = (typeof WHO)[number];
export const RUNS = [1, 20, 200] as const;
export const ADD = ["any", "lowest"] as const;
export const NEEDS = ["power:2", "power:1", "uniform"] as const;
export const GRAMMARS = ["modified", "hurford"] as const;
export const SPEEDS = [1, 2, 5, 20] as const;
export const GUESSES = ["agents", "chance", "both", "neither"] as const;

export const LARGEST = 99;
export const LARGEST_WORD = 99;
/** Runs are about the numbers from 1 to this, as in Python. */
export const LARGEST_IN_RUNS = 50;
export const MOST_ROUNDS = 300;
export const MOST_SEED = 999_999;

/** Two sets of numbers: those that are words, and those that multiply. */
export interface Lexicon {
  digits: number[];
  multipliers: number[];
}

/** The settings of the playground; a run is a pure function of them. */
export interface Settings {
  start: string;
  who: Who;
  grammar: (typeof GRAMMARS)[number];
  need: (typeof NEEDS)[number];
  add: (typeof ADD)[number];
  word: number;
  symbol: number;
  heard: number;
  invent: number;
  hands: number;
  steps: number;
  rounds: number;
  seed: number;
  runs: (typeof RUNS)[number];
}

/** All that is seen: the settings, the cursor, and what somebody did in the story. */
export interface State {
  view: "story" | "playground";
  step: number;
  mine: Lexicon;
  guess: "" | (typeof GUESSES)[number];
  /** The steps whose answer has been shown. */
  shown: string;
  settings: Settings;
  round: number;
  number: number;
  speed: (typeof SPEEDS)[number];
}

export const SETTINGS: Settings = {
  start: "1",
  who: "passing",
  grammar: "modified",
  need: "power:2",
  add: "any",
  word: 0.01,
  symbol: 0.2,
  heard: 200,
  invent: 0.5,
  hands: 1,
  steps: 500,
  rounds: 100,
  seed: 1,
  runs: 1,
};

export const MINE: Lexicon = { digits: [1, 2, 4, 5, 7], multipliers: [10] };

export const STATE: State = {
  view: "story",
  step: 1,
  mine: MINE,
  guess: "",
  shown: "",
  settings: SETTINGS,
  round: 0,
  number: 47,
  speed: 5,
};

/** Numbers as in `1-5,7`; an empty set is written `none`. */
export function writeSet(numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let first = 0; first < sorted.length; ) {
    let last = first;
    while (sorted[last + 1] === (sorted[last] ?? 0) + 1) last++;
    parts.push(
      last === first ? `${sorted[first]}` : `${sorted[first]}${last === first + 1 ? "," : "-"}${sorted[last]}`,
    );
    first = last + 1;
  }
  return parts.join(",") || "none";
}

/** The set that was written, or null if nobody could mean that. */
export function readSet(text: string): number[] | null {
  if (text === "none" || text === "") return [];
  if (text.length > 400) return null;
  const numbers = new Set<number>();
  for (const part of text.split(",")) {
    const found = /^([0-9]{1,3})(?:-([0-9]{1,3}))?$/.exec(part.trim());
    if (!found) return null;
    const first = Number(found[1]);
    const last = Number(found[2] ?? found[1]);
    if (first < 1 || last > LARGEST_WORD || last < first) return null;
    for (let n = first; n <= last; n++) numbers.add(n);
  }
  return [...numbers].sort((a, b) => a - b);
}

/** A lexicon as in `1-9 | 10`, as the command line writes it. */
export function writeLexicon({ digits, multipliers }: Lexicon): string {
  return `${writeSet(digits)} | ${writeSet(multipliers)}`;
}

/** The lexicon that was written, or null. */
export function readLexicon(text: string): Lexicon | null {
  const [first, second, ...more] = text.split("|");
  if (first === undefined || second === undefined || more.length) return null;
  const digits = readSet(first.trim());
  const multipliers = readSet(second.trim());
  return digits && multipliers ? { digits, multipliers } : null;
}

interface Field<T> {
  key: string;
  read: (text: string) => T | null;
  write: (value: T) => string;
  allowed: string;
}

function number(key: string, least: number, most: number, whole = true): Field<number> {
  return {
    key,
    read: (text) => {
      const value = /^[0-9.]{1,12}$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most && (!whole || Number.isInteger(value)) ? value : null;
    },
    write: (value) => String(value),
    allowed: `${whole ? "a whole number" : "a number"} from ${least} to ${most.toLocaleString("en")}`,
  };
}

function choice<T extends string | number>(key: string, values: readonly T[]): Field<T> {
  return {
    key,
    read: (text) => values.find((value) => String(value) === text) ?? null,
    write: (value) => String(value),
    allowed: values.filter((value) => value !== "").join(", "),
  };
}

const start: Field<string> = {
  key: "start",
  // A start of the paper, a lexicon, or the name of a language; whether there is such a language the page tells.
  read: (text) => (/^[1-8]$/.test(text) || readLexicon(text) || /^[\p{L}][^|<>&]{0,79}$/u.test(text) ? text : null),
  write: (value) => value,
  allowed: "1 to 8, a language, or a lexicon such as 1-9 | 10",
};
const lexicon: Field<Lexicon> = {
  key: "mine",
  read: readLexicon,
  write: writeLexicon,
  allowed: "numbers from 1 to 99, such as 1-9 | 10",
};

const shown: Field<string> = {
  key: "shown",
  read: (text) => (/^[1-8]{0,8}$/.test(text) ? text : null),
  write: (value) => value,
  allowed: "numbers of steps, such as 345",
};

const FIELDS = {
  start,
  who: choice("who", WHO),
  grammar: choice("grammar", GRAMMARS),
  need: choice("need", NEEDS),
  add: choice("add", ADD),
  word: number("word", 0, 0.05, false),
  symbol: number("symbol", 0, 1, false),
  heard: number("heard", 1, 20_000),
  invent: number("invent", 0, 5, false),
  hands: number("hands", 1, 1000),
  steps: number("steps", 1, 5000),
  rounds: number("rounds", 1, MOST_ROUNDS),
  seed: number("seed", 0, MOST_SEED),
  runs: choice("runs", RUNS),
} satisfies { [K in keyof Settings]: Field<Settings[K]> };

const SEEN = {
  view: choice("view", ["story", "playground"] as const),
  step: number("step", 1, 8),
  mine: lexicon,
  guess: choice("guess", ["", ...GUESSES] as const),
  shown,
  round: number("round", 0, MOST_ROUNDS),
  number: number("n", 1, LARGEST),
  speed: choice("speed", SPEEDS),
} satisfies { [K in Exclude<keyof State, "settings">]: Field<State[K]> };

/** The state of an address, and a sentence for each part of it that could not be read. */
export function readAddress(hash: string): { state: State; problems: string[] } {
  const problems: string[] = [];
  const given = new URLSearchParams(hash.replace(/^#/, "").slice(0, 4000));
  const taken = new Set<string>();
  const read = <T>(field: Field<T>, usual: T): T => {
    taken.add(field.key);
    const text = given.get(field.key);
    if (text === null) return usual;
    const value = field.read(text);
    if (value !== null) return value;
    problems.push(
      `The address has ${field.key} = “${text.slice(0, 40)}”, but it takes ${field.allowed}. The usual value is used instead.`,
    );
    return usual;
  };
  const each = <S extends object>(fields: { [K in keyof S]?: unknown }, usual: S): S => {
    const values = { ...usual };
    for (const key of Object.keys(fields) as (keyof S)[])
      values[key] = read(fields[key] as Field<S[keyof S]>, usual[key]);
    return values;
  };
  const settings = each(FIELDS, SETTINGS);
  const state = { ...each(SEEN, STATE as Omit<State, "settings">), settings } as State;
  for (const key of given.keys()) {
    if (!taken.has(key) && key.length > 0)
      problems.push(`The address has “${key.slice(0, 40)}”, which means nothing here and is ignored.`);
  }
  if (settings.who === "agents" && settings.runs > 1) {
    problems.push(`The address asks for ${settings.runs} runs, but a tab can carry one pair of agents: one is run.`);
    settings.runs = 1;
  }
  if (state.round > settings.rounds) {
    problems.push(`The address has round = “${state.round}”, but there are ${settings.rounds}: the last is shown.`);
    state.round = settings.rounds;
  }
  return { state, problems };
}

/** The shortest address that shows this state: what has its usual value is left out. */
export function writeAddress(state: State): string {
  const parts = new URLSearchParams();
  const add = <T>(field: Field<T>, value: T, usual: T): void => {
    if (field.write(value) !== field.write(usual)) parts.set(field.key, field.write(value));
  };
  for (const key of Object.keys(SEEN) as (keyof typeof SEEN)[])
    add(SEEN[key] as Field<unknown>, state[key], STATE[key]);
  for (const key of Object.keys(FIELDS) as (keyof Settings)[]) {
    add(FIELDS[key] as Field<unknown>, state.settings[key], SETTINGS[key]);
  }
  const text = parts.toString().replaceAll("%2C", ",").replaceAll("%7C", "|").replaceAll("%3A", ":");
  return text ? `#${text}` : "#";
}
