/** What the builder of the explorer shows of a system, for pages without its server; the same answer as `api/system`. */
import { averageOf, optima } from "./measures.ts";
import { type MinimalLanguage, minimalLanguage } from "./minimal.ts";
import { GRAMMARS, type GrammarName, makeSystem, parseSet, parseSystem, RequestError } from "./system.ts";

/** A language as `api/languages` has it; `checked` by hand. */
export interface Known {
  readonly name: string;
  readonly digits: string;
  readonly multipliers: string;
  readonly upto: number | null;
  readonly checked: boolean;
}

interface Lexicon {
  readonly digits: readonly number[];
  readonly multipliers: readonly number[];
  readonly alike: readonly Known[];
}

export interface Asked {
  readonly digits: readonly number[];
  readonly multipliers: readonly number[];
  readonly grammar: string;
  readonly need: string;
}

const UPTO = 99;
const NEAREST = 5;
const MOST_NAMED = 4;

/** The description of a system, or null where this engine does not know its grammar; `languages` are those known. */
export function describeSystem(asked: Asked, languages: readonly Known[]): object | null {
  if (!Object.hasOwn(GRAMMARS, asked.grammar)) return null;
  const grammar = asked.grammar as GrammarName;
  const [digits, multipliers] = [ascending(asked.digits), ascending(asked.multipliers)];
  const size = digits.length + multipliers.length;
  const found = nearest(digits, multipliers, languages);
  const answer = {
    ...{ digits, multipliers, grammar, need: asked.need, size },
    ...{ complaint: null, average_complexity: null, gap: null, missing: [], numerals: [], optimum: null },
    nearest: found.map(({ distance, lexicon }) => ({ distance, ...named(lexicon) })),
    speakers: found[0]?.distance === 0 ? found[0].lexicon.alike.length : 0,
  };
  try {
    const language = minimalLanguage(makeSystem(digits, multipliers, grammar), UPTO);
    const average = averageOf(language, asked.need);
    const best = optima(asked.need, grammar, UPTO).find((each) => each.size === Math.min(size, UPTO));
    const system = best && parseSystem(best.system, grammar);
    return {
      ...answer,
      average_complexity: average,
      gap: average === null || !best ? null : average - best.average,
      missing: language.missing,
      numerals: numerals(language),
      optimum: system
        ? {
            ...{ proved: true, average_complexity: best.average, lower_bound: best.average },
            ...{ digits: system.digits, multipliers: system.multipliers },
          }
        : null,
    };
  } catch (error) {
    if (error instanceof RequestError) return { ...answer, complaint: error.message };
    throw error;
  }
}

function numerals(language: MinimalLanguage): object[] {
  return Array.from({ length: UPTO }, (_, i) => i + 1)
    .filter((number) => language.leaves(number))
    .map((number) => ({
      number,
      expression: language.text(number),
      complexity: language.complexity(number),
      ties: language.ties(number),
    }));
}

/**
 * The lexicons of languages that differ least: words to add or to take away, a change of role counting twice. Of several
 * that differ as little those come first that were checked by hand, then those of most languages.
 */
function nearest(
  digits: number[],
  multipliers: number[],
  languages: readonly Known[],
): { distance: number; lexicon: Lexicon }[] {
  const apart = (one: readonly number[], other: readonly number[]): number =>
    one.filter((word) => !other.includes(word)).length + other.filter((word) => !one.includes(word)).length;
  return lexicons(languages)
    .map((lexicon) => ({
      distance: apart(digits, lexicon.digits) + apart(multipliers, lexicon.multipliers),
      lexicon,
    }))
    .sort((a, b) => a.distance - b.distance) // which is stable
    .slice(0, NEAREST);
}

const grouped = new WeakMap<readonly Known[], Lexicon[]>();

/** The lexicons that languages have, those checked by hand and those of many languages first. */
function lexicons(languages: readonly Known[]): Lexicon[] {
  const known = grouped.get(languages);
  if (known) return known;
  const found = new Map<string, Known[]>();
  for (const each of languages) {
    const words = `${each.digits}|${each.multipliers}`;
    found.set(words, [...(found.get(words) ?? []), each]);
  }
  const order = ([one]: Known[], [other]: Known[]): number => (one.name < other.name ? -1 : 1);
  const sorted = [...found.values()].sort(
    (a, b) => Number(b[0].checked) - Number(a[0].checked) || b.length - a.length || order(a, b),
  );
  const made = sorted.map((alike) => ({
    digits: parseSet(alike[0].digits),
    multipliers: parseSet(alike[0].multipliers),
    alike,
  }));
  grouped.set(languages, made);
  return made;
}

/** A lexicon by the names of some that have it, those checked by hand if there are any. */
function named({ digits, multipliers, alike }: Lexicon): object {
  const checked = alike.filter((each) => each.checked).slice(0, MOST_NAMED);
  const names = (checked.length ? checked : alike.slice(0, 1)).map((each) => each.name);
  return { name: names.join(", "), others: alike.length - names.length, upto: alike[0].upto, digits, multipliers };
}

function ascending(words: readonly number[]): number[] {
  return [...new Set(words.map(Number))].sort((a, b) => a - b);
}
