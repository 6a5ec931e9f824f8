/** What a system costs: its size, its average complexity, and its gap to the proved frontier of that size. */
import optimaTable from "../data/optima.json" with { type: "json" };
import { type MinimalLanguage, minimalLanguage } from "./minimal.ts";
import { type NeedSpec, needWeights } from "./need.ts";
import { type GrammarName, type System, sizeOf } from "./system.ts";

/** One proved optimum: no system of disjoint digits and multipliers of that size is shorter on average. */
export interface Optimum {
  readonly size: number;
  readonly average: number;
  /** One system that attains it, as `parseSystem` reads it. */
  readonly system: string;
}

export interface Measures {
  readonly size: number;
  /** Need-weighted average complexity, in symbols; null where the range is not covered. */
  readonly average: number | null;
  /** The average above the proved optimum of that size; null where either is missing. */
  readonly gap: number | null;
}

interface OptimaTable {
  readonly [problem: string]: {
    readonly first: number;
    /** By size, from `first` up; null where it is not proved. */
    readonly averages: readonly (number | null)[];
    readonly systems: readonly (string | null)[];
  };
}

const OPTIMA = optimaTable as OptimaTable;

/** The proved optima by size, ascending; empty for a need, grammar or range that the table does not have. */
export function optima(need: NeedSpec = "power:2", grammar: GrammarName = "modified", upto = 99): Optimum[] {
  const found = OPTIMA[`${grammar} ${need} ${upto}`];
  if (!found) return [];
  return found.averages.flatMap((average, i) => {
    const system = found.systems[i];
    return average === null || system === null ? [] : [{ size: found.first + i, average, system }];
  });
}

/** The least average complexity of that size; larger than all words is as good as all words. Null where unknown. */
export function optimum(size: number, need: NeedSpec, grammar: GrammarName, upto: number): number | null {
  const found = OPTIMA[`${grammar} ${need} ${upto}`];
  return found?.averages[Math.min(size, upto) - found.first] ?? null;
}

/** Need-weighted average complexity of a language; null where it does not cover its range. */
export function averageOf(language: MinimalLanguage, need: NeedSpec): number | null {
  if (!language.covers) return null;
  const weights = needWeights(need, language.upto);
  let sum = 0;
  for (let n = language.upto; n >= 1; n--) sum += weights[n - 1] * (2 * language.least[n] - 1);
  return sum;
}

/** Size, average complexity and gap of a system. */
export function measure(system: System, need: NeedSpec = "power:2", upto = 99): Measures {
  return measureLanguage(minimalLanguage(system, upto), need);
}

/** The same of a language that is already there. */
export function measureLanguage(language: MinimalLanguage, need: NeedSpec = "power:2"): Measures {
  const { system, upto } = language;
  const size = sizeOf(system);
  const average = averageOf(language, need);
  const least = optimum(size, need, system.grammar, upto);
  return { size, average, gap: average === null || least === null ? null : rounded(average - least) };
}

/** An optimum's gap is 0, however its average was summed. */
function rounded(gap: number): number {
  return Math.abs(gap) < 1e-12 ? 0 : gap;
}
