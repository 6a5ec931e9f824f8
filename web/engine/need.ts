/** How often each number has to be communicated. */
import { RequestError } from "./system.ts";

/** A need that the page offers; `needWeights` also reads `power:A` and `exp:RATE` with other numbers. */
export type NeedSpec = "power:2" | "power:1" | "uniform" | (string & {});

/** The needs for which the table of optima has the proved frontier, with the page's label. */
export const NEEDS: readonly { readonly spec: NeedSpec; readonly label: string }[] = [
  { spec: "power:2", label: "small numbers, as in speech (1/n²)" },
  { spec: "power:1", label: "small numbers, less so (1/n)" },
  { spec: "uniform", label: "all numbers alike" },
];

const known = new Map<string, Float64Array>();

/** P(1), ..., P(upto) at index 0 on, adding up to 1. The array is shared: do not write to it. */
export function needWeights(spec: NeedSpec, upto: number): Float64Array {
  const key = `${spec}|${upto}`;
  const found = known.get(key);
  if (found) return found;
  const raw = Float64Array.from({ length: checkRange(upto) }, unnormalised(spec));
  // Smallest first, so that the sum is as exact as the 1e-12 that tests ask for, many times over.
  const total = raw.reduceRight((sum, each) => sum + each, 0);
  const weights = raw.map((each) => each / total);
  known.set(key, weights);
  return weights;
}

/** The range itself, if it is one that the engine works on. */
export function checkRange(upto: number): number {
  if (!Number.isInteger(upto) || upto < 1 || upto > 1000) {
    throw new RequestError(`The range is ${upto}; it must be an integer between 1 and 1000.`);
  }
  return upto;
}

function unnormalised(spec: NeedSpec): (_: unknown, i: number) => number {
  if (spec === "uniform") return () => 1;
  const match = /^(power|exp):([0-9.eE+-]+)$/.exec(spec);
  const parameter = Number(match?.[2]);
  if (match?.[1] === "power" && parameter >= 0 && parameter <= 100) return (_, i) => (i + 1) ** -parameter;
  if (match?.[1] === "exp" && parameter > 0 && parameter <= 100) return (_, i) => Math.exp(-parameter * i);
  throw new RequestError(`“${spec}” is not a need; write power:A, exp:RATE or uniform.`);
}
