/** What a numeral system is: digits, multipliers, and the grammar that combines them. */

/** A request that cannot be met; the message is one sentence for the person who made it. */
export class RequestError extends Error {}

/** The paper's grammar, Phrase = Num * M, and Hurford's, in which a multiplier alone is a phrase too. */
export type GrammarName = "modified" | "hurford";

export interface Grammar {
  readonly name: GrammarName;
  readonly label: string;
  /** Whether a multiplier may stand alone, as a numeral and as a phrase that heads sums and differences. */
  readonly bare: boolean;
}

export const GRAMMARS: Readonly<Record<GrammarName, Grammar>> = {
  modified: { name: "modified", label: "modified (the paper’s)", bare: false },
  hurford: { name: "hurford", label: "Hurford’s", bare: true },
};

/** Digits D and multipliers M, sorted and without repetitions. Make one with `makeSystem` or `parseSystem`. */
export interface System {
  readonly digits: readonly number[];
  readonly multipliers: readonly number[];
  readonly grammar: GrammarName;
}

/** The largest word that is accepted. */
export const LARGEST_WORD = 10_000;

/** A system of these words; throws a `RequestError` where the grammar does not allow it. */
export function makeSystem(
  digits: Iterable<number>,
  multipliers: Iterable<number>,
  grammar: GrammarName = "modified",
): System {
  if (!Object.hasOwn(GRAMMARS, grammar)) {
    throw new RequestError(`There is no grammar “${grammar}”; choose modified or hurford.`);
  }
  const system = { digits: sorted(digits), multipliers: sorted(multipliers), grammar };
  if (!system.multipliers.length) {
    throw new RequestError("A numeral system needs at least one multiplier; the set given is empty.");
  }
  if (!system.digits.length && !GRAMMARS[grammar].bare) {
    throw new RequestError("The modified grammar needs at least one digit; only Hurford’s allows none.");
  }
  return system;
}

/** Reads `DIGITS | MULTIPLIERS`, as in `1-9,11 | 10`. */
export function parseSystem(text: string, grammar: GrammarName = "modified"): System {
  const parts = text.split("|");
  if (parts.length !== 2) {
    throw new RequestError(`“${short(text)}” is not a numeral system; write DIGITS | MULTIPLIERS as in 1-9,11 | 10.`);
  }
  return makeSystem(parseSet(parts[0]), parseSet(parts[1]), grammar);
}

/** Writes a system the way `parseSystem` reads it. */
export function formatSystem(system: System): string {
  return `${formatSet(system.digits)} | ${formatSet(system.multipliers)}`;
}

/** Reads a set of words such as `1-9,11`; `none` is the empty set. */
export function parseSet(text: string): number[] {
  const trimmed = text.trim();
  if (trimmed === "none") return [];
  if (!trimmed) {
    throw new RequestError("A set of words is missing; write it as in 1-9,11 or, for the empty set, none.");
  }
  return sorted(trimmed.split(",").flatMap((part) => parseStretch(part.trim(), trimmed)));
}

/** Writes a sorted set; three or more in a row become a stretch. */
export function formatSet(words: readonly number[]): string {
  const stretches: number[][] = [];
  for (const word of words) {
    const last = stretches.at(-1);
    if (last && last.at(-1) === word - 1) last.push(word);
    else stretches.push([word]);
  }
  const texts = stretches.map((each) => (each.length > 2 ? `${each[0]}-${each.at(-1)}` : each.join(",")));
  return texts.join(",") || "none";
}

/** |D| + |M|: a word in both sets counts twice. */
export function sizeOf(system: System): number {
  return system.digits.length + system.multipliers.length;
}

/** The distinct words of both sets, ascending. */
export function wordsOf(system: System): number[] {
  return sorted([...system.digits, ...system.multipliers]);
}

/** Whether two systems have the same words under the same grammar. */
export function sameSystem(one: System, other: System): boolean {
  return one.grammar === other.grammar && formatSystem(one) === formatSystem(other);
}

/** The paper's eight starts: random systems off the frontier that cover 1 to 50; `STARTS[0]` is its number 1. */
export const STARTS: readonly string[] = [
  "1,2,3,20,35,37,40,47,49 | 4,25,45",
  "1,4,7,8,15 | 10,33",
  "1,20,25,28,31,39,41,45 | 2,3,4,15",
  "1,4,19,21,39,40,45,47,49 | 3,5,8,10,18,23,28,30,37,42,43,48",
  "1,2,3,4,5,10,20,30,35,40,47,49 | 6,11,13,15,45,50",
  "1,2,35,37,40,47,49 | 3,5,10,20,30,40",
  "1,4,12 | 9,25",
  "1,4,17,22,49 | 9,10,25,28,31,41,45",
];

function sorted(words: Iterable<number>): number[] {
  return [...new Set([...words].map(checked))].sort((a, b) => a - b);
}

function checked(word: number): number {
  if (!Number.isInteger(word) || word < 1 || word > LARGEST_WORD) {
    throw new RequestError(`The word ${word} is not allowed; words are integers from 1 to ${LARGEST_WORD}.`);
  }
  return word;
}

function parseStretch(part: string, text: string): number[] {
  const match = /^([0-9]+)(?:-([0-9]+))?$/.exec(part);
  if (!match) {
    throw new RequestError(
      `“${short(part)}” in “${short(text)}” is not a word or a stretch of words; use positive integers as in 1-9,11.`,
    );
  }
  const [first, last] = [checked(Number(match[1])), checked(Number(match[2] ?? match[1]))];
  if (first > last) {
    throw new RequestError(`The stretch ${part} runs backwards; write the smaller word first: ${last}-${first}.`);
  }
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
