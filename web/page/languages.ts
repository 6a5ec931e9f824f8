// Human languages: their words, where they lie, finding one.

import table from "../data/languages.json" with { type: "json" };
import type { Lexicon } from "./address.ts";
import { type Costed, cost, lexiconOf, parseSystem } from "./model.ts";

export interface Language {
  name: string;
  family: string;
  system: string;
  lexicon: Lexicon;
  size: number;
  average: number;
  gap: number;
}

interface Row {
  readonly name: string;
  readonly family: string;
  readonly system: string;
}

const ROWS: readonly Row[] = (table as { languages: readonly Row[] }).languages;
const BLOCK = 25;

let measured: Promise<readonly Language[]> | null = null;

/** All languages whose words reach 99, measured a few at a time so that the page never waits. */
export function languages(): Promise<readonly Language[]> {
  measured ??= (async () => {
    const found: Language[] = [];
    for (let i = 0; i < ROWS.length; i += BLOCK) {
      for (const row of ROWS.slice(i, i + BLOCK)) {
        const language = measure(row);
        if (language) found.push(language);
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return found;
  })();
  return measured;
}

/** One language by name, whatever its case and accents. */
export function language(name: string): Language | null {
  const wanted = plain(name);
  const row = ROWS.find((each) => plain(each.name) === wanted);
  return row ? measure(row) : null;
}

export function names(): string[] {
  return ROWS.map((row) => row.name);
}

/** Names that contain what was typed, those that begin with it first. */
export function search(all: readonly Language[], text: string, most = 8): Language[] {
  const wanted = plain(text);
  if (!wanted) return [];
  const found = all.filter((each) => plain(each.name).includes(wanted));
  const first = (each: Language): number =>
    plain(each.name) === wanted ? 0 : plain(each.name).startsWith(wanted) ? 1 : 2;
  return found.sort((a, b) => first(a) - first(b) || a.name.localeCompare(b.name)).slice(0, most);
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();
}

function measure({ name, family, system }: Row): Language | null {
  let lexicon: Lexicon;
  let costed: Costed;
  try {
    lexicon = lexiconOf(parseSystem(system));
    costed = cost(lexicon);
  } catch {
    return null;
  }
  const { size, average, gap } = costed;
  return average === null || gap === null ? null : { name, family, system, lexicon, size, average, gap };
}
