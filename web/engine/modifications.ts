/** How a lexicon is modified: the paper's six modifications, two more, and which numeral each takes. */
import { minimalLanguage } from "./minimal.ts";
import type { Random } from "./random.ts";
import { GRAMMARS, RequestError, type System, wordsOf } from "./system.ts";

/** The paper's modifications m0 to m5; `m6` replaces a word and `m7` swaps two roles, which come with `any+`. */
export type Action = "m0" | "m1" | "m2" | "m3" | "m4" | "m5" | "m6" | "m7";

/** What a page calls each modification. */
export const ACTIONS: Readonly<Record<Action, string>> = {
  m0: "add a digit",
  m1: "add a multiplier",
  m2: "a multiplier becomes a digit",
  m3: "a digit becomes a multiplier",
  m4: "drop a digit",
  m5: "drop a multiplier",
  m6: "replace a word",
  m7: "swap two roles",
};

/**
 * Which numeral modifications take. `lowest`, `highest` and `highest-below-max` fill the lexicon in that order and move
 * and drop extremes, as the paper does; under `any` every modification draws its numeral, uniformly from all that it may
 * take; `any+` has m6 and m7 too.
 */
export type AddRule = "lowest" | "highest" | "highest-below-max" | "any" | "any+";

export const ADD_RULES: Readonly<Record<AddRule, string>> = {
  lowest: "the lowest numeral in neither set",
  highest: "the highest numeral in neither set",
  "highest-below-max": "the highest below the largest word",
  any: "any numeral",
  "any+": "any numeral, with replacing and swapping",
};

/** A system that one modification leads to. */
export interface Alternative {
  readonly action: Action;
  readonly system: System;
}

const PAPER: readonly Action[] = ["m0", "m1", "m2", "m3", "m4", "m5"];

/**
 * The distinct systems that one modification leads to and that cover 1..upto, in the order of the modifications.
 *
 * A modification that cannot apply or changes nothing is left out; of several with the same result the first is named.
 */
export function alternatives(system: System, upto: number, add: AddRule, random: Random): Alternative[] {
  const distinct: Alternative[] = [];
  for (const each of results(system, upto, add, random)) {
    const isKnown = sameWords(system, each.system) || distinct.some((other) => sameWords(other.system, each.system));
    if (!isKnown) distinct.push(each);
  }
  return distinct.filter((each) => minimalLanguage(each.system, upto).covers);
}

function sameWords(one: System, other: System): boolean {
  return sameSet(one.digits, other.digits) && sameSet(one.multipliers, other.multipliers);
}

function sameSet(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((word, i) => word === other[i]);
}

/** The numerals of 1..upto in neither set, ascending. */
export function freeNumerals(system: System, upto: number): number[] {
  const taken = new Uint8Array(upto + 1);
  for (const word of system.digits) taken[word] = 1;
  for (const word of system.multipliers) taken[word] = 1;
  const free: number[] = [];
  for (let n = 1; n <= upto; n++) if (!taken[n]) free.push(n);
  return free;
}

function* results(system: System, upto: number, add: AddRule, random: Random): Generator<Alternative> {
  const draws = add === "any" || add === "any+";
  const free = freeNumerals(system, upto);
  const picked = draws ? null : pick(system, free, add);
  for (const action of add === "any+" ? ([...PAPER, "m6", "m7"] as const) : PAPER) {
    const changes = draws ? choices(system, free, action) : extreme(system, picked, action);
    if (!changes.length) continue;
    const changed = apply(system, changes[draws ? random.below(changes.length) : 0]);
    if (changed) yield { action, system: changed };
  }
}

function pick(system: System, free: readonly number[], add: AddRule): number | null {
  if (add === "lowest") return free[0] ?? null;
  if (add === "highest") return free.at(-1) ?? null;
  if (add !== "highest-below-max") throw new RequestError(`There is no rule “${add}” for adding words.`);
  const largest = wordsOf(system).at(-1) ?? 0;
  return free.filter((n) => n < largest).at(-1) ?? null;
}

/** Words that leave and join the digits and the multipliers. */
interface Change {
  readonly fromDigits?: number;
  readonly toDigits?: number;
  readonly fromMultipliers?: number;
  readonly toMultipliers?: number;
}

/** What a modification does if it takes the numeral that is picked, or the highest or lowest word, as in the paper. */
function extreme({ digits, multipliers }: System, picked: number | null, action: Action): Change[] {
  const [lowest, highest, top] = [multipliers[0], multipliers.at(-1), digits.at(-1)];
  switch (action) {
    case "m0":
      return picked === null ? [] : [{ toDigits: picked }];
    case "m1":
      return picked === null ? [] : [{ toMultipliers: picked }];
    case "m2":
      return [{ fromMultipliers: lowest, toDigits: lowest }];
    case "m5":
      return highest === undefined ? [] : [{ fromMultipliers: highest }];
    default:
      if (top === undefined) return [];
      return [action === "m3" ? { fromDigits: top, toMultipliers: top } : { fromDigits: top }];
  }
}

/** Everything that a modification may do. */
function choices({ digits, multipliers }: System, free: readonly number[], action: Action): Change[] {
  switch (action) {
    case "m0":
      return free.map((n) => ({ toDigits: n }));
    case "m1":
      return free.map((n) => ({ toMultipliers: n }));
    case "m2":
      return multipliers.map((n) => ({ fromMultipliers: n, toDigits: n }));
    case "m3":
      return digits.map((n) => ({ fromDigits: n, toMultipliers: n }));
    case "m4":
      return digits.map((n) => ({ fromDigits: n }));
    case "m5":
      return multipliers.map((n) => ({ fromMultipliers: n }));
    case "m6":
      return [
        ...digits.flatMap((word) => free.map((n) => ({ fromDigits: word, toDigits: n }))),
        ...multipliers.flatMap((word) => free.map((n) => ({ fromMultipliers: word, toMultipliers: n }))),
      ];
    case "m7":
      return digits
        .filter((d) => !multipliers.includes(d))
        .flatMap((d) =>
          multipliers
            .filter((m) => !digits.includes(m))
            .map((m) => ({ fromDigits: d, toMultipliers: d, fromMultipliers: m, toDigits: m })),
        );
  }
}

/** The changed system, or null where the grammar does not allow it. */
function apply({ digits, multipliers, grammar }: System, change: Change): System | null {
  const changed = {
    digits: moved(digits, change.fromDigits, change.toDigits),
    multipliers: moved(multipliers, change.fromMultipliers, change.toMultipliers),
    grammar,
  };
  return changed.multipliers.length && (changed.digits.length || GRAMMARS[grammar].bare) ? changed : null;
}

/** A sorted set with one word less, or one more, or both. */
function moved(words: readonly number[], from: number | undefined, to: number | undefined): readonly number[] {
  const left = from === undefined ? words : words.filter((each) => each !== from);
  if (to === undefined || left.includes(to)) return left;
  const place = left.findIndex((each) => each > to);
  return place < 0 ? [...left, to] : [...left.slice(0, place), to, ...left.slice(place)];
}
