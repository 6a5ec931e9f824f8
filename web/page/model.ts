// What the page asks the engine about one lexicon: costs, numerals, the wall.

import {
  formatSystem,
  type GrammarName,
  type Measures,
  makeSystem,
  measureLanguage,
  minimalLanguage,
  type NeedSpec,
  type Optimum,
  optima,
  parseSystem,
  RequestError,
  STARTS,
  type System,
} from "../engine/index.ts";
import { LARGEST, type Lexicon } from "./address.ts";

export { formatSystem, type NeedSpec, type Optimum, optima, parseSystem, RequestError, STARTS, type System };

/** A lexicon with what it costs. Where it is no system, or does not reach 99, `average` is null and `problem` says why. */
export interface Costed extends Measures {
  lexicon: Lexicon;
  problem: string;
  /** The numbers that cannot be said. */
  unsaid: number[];
  /** A number as people read it, as in 5 × 10 − 3; empty where it cannot be said. */
  text: (n: number) => string;
  /** How many symbols it takes; 0 where it cannot be said. */
  symbols: (n: number) => number;
}

/** Signs as they are printed. */
export function pretty(expression: string): string {
  return expression.replaceAll("*", "×").replaceAll("-", "−");
}

export function cost(lexicon: Lexicon, grammar: GrammarName = "modified", need: NeedSpec = "power:2"): Costed {
  const size = lexicon.digits.length + lexicon.multipliers.length;
  const everything = Array.from({ length: LARGEST }, (_, i) => i + 1);
  let system: System;
  try {
    system = makeSystem(lexicon.digits, lexicon.multipliers, grammar);
  } catch {
    const problem = lexicon.multipliers.length
      ? "You need at least one plain word."
      : "You need at least one base: a word that multiplies.";
    const plain = new Set(lexicon.multipliers.length ? [] : lexicon.digits);
    return {
      ...{ lexicon, size, problem, average: null, gap: null },
      unsaid: everything.filter((n) => !plain.has(n)),
      text: (n) => (plain.has(n) ? String(n) : ""),
      symbols: (n) => Number(plain.has(n)),
    };
  }
  const language = minimalLanguage(system, LARGEST);
  const unsaid = language.missing;
  return {
    lexicon,
    ...measureLanguage(language, need),
    problem: unsaid.length
      ? `${unsaid.length === 1 ? "One number" : `${unsaid.length} numbers`} of 99 cannot be said, such as ${unsaid[0]}.`
      : "",
    unsaid,
    text: (n) => pretty(language.text(n) ?? ""),
    symbols: (n) => language.complexity(n) ?? 0,
  };
}

export function lexiconOf(system: System): Lexicon {
  return { digits: [...system.digits], multipliers: [...system.multipliers] };
}

/** The smallest base whose square lies above 99, else the largest: as docs/typology.md counts. */
export function baseOf({ multipliers }: Lexicon): number {
  return multipliers.find((each) => each * each > LARGEST) ?? Math.max(...multipliers);
}

/** A number of symbols for people. */
export function decimals(value: number | null, places = 2): string {
  if (value === null) return "–";
  const text = value.toFixed(places);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/** A word list for people: `1–5 and ×10`. */
export function describe({ digits, multipliers }: Lexicon): string {
  const runs = (set: readonly number[]): string[] => {
    const parts: string[] = [];
    for (let i = 0; i < set.length; ) {
      let j = i;
      while (set[j + 1] === set[j] + 1) j++;
      if (j - i > 1) parts.push(`${set[i]}–${set[j]}`);
      else for (let k = i; k <= j; k++) parts.push(String(set[k]));
      i = j + 1;
    }
    return parts;
  };
  const bases = multipliers.map((m) => `×${m}`);
  return [runs(digits).join(", "), bases.join(", ")].filter(Boolean).join(" and ") || "no words";
}
