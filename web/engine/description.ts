/** What the builder of the explorer shows of a system, for pages without its server; the same answer as `api/system`. */
import { averageOf, optima } from "./measures.ts";
import { type MinimalLanguage, minimalLanguage } from "./minimal.ts";
import { GRAMMARS, type GrammarName, makeSystem, parseSystem, RequestError } from "./system.ts";

export interface Lexicon {
  readonly name: string;
  readonly digits: readonly number[];
  readonly multipliers: readonly number[];
}

export interface Asked {
  readonly digits: readonly number[];
  readonly multipliers: readonly number[];
  readonly grammar: string;
  readonly need: string;
}

const UPTO = 99;
const NEAREST = 5;

/** The description of a system, or null where this engine does not know its grammar; `languages` are those known. */
export function describeSystem(asked: Asked, languages: readonly Lexicon[]): object | null {
  if (!Object.hasOwn(GRAMMARS, asked.grammar)) return null;
  const grammar = asked.grammar as GrammarName;
  const [digits, multipliers] = [ascending(asked.digits), ascending(asked.multipliers)];
  const size = digits.length + multipliers.length;
  const answer = {
    ...{ digits, multipliers, grammar, need: asked.need, size },
    ...{ complaint: null, average_complexity: null, gap: null, missing: [], numerals: [], optimum: null },
    nearest: nearest(digits, multipliers, languages),
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

/** The languages whose lexicon differs least: words to add or to take away, a change of role counting twice. */
function nearest(digits: number[], multipliers: number[], languages: readonly Lexicon[]): object[] {
  const apart = (one: readonly number[], other: readonly number[]): number =>
    one.filter((word) => !other.includes(word)).length + other.filter((word) => !one.includes(word)).length;
  return languages
    .map((each) => ({ distance: apart(digits, each.digits) + apart(multipliers, each.multipliers), ...each }))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, NEAREST);
}

function ascending(words: readonly number[]): number[] {
  return [...new Set(words.map(Number))].sort((a, b) => a - b);
}
