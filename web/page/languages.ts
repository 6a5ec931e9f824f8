// Human languages: their words, where they lie, finding one.

import table from "../data/languages.json" with { type: "json" };
import type { Lexicon } from "./address.ts";
import { button, row } from "./controls.ts";
import { breathe, h } from "./dom.ts";
import { cost, describe, lexiconOf, parseSystem } from "./model.ts";
import type { Cloud } from "./plane.ts";

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

const ROWS: readonly Row[] = table.languages;
/** Names of the languages whose systems were checked by hand. */
export const CHECKED: readonly string[] = ROWS.slice(0, table.checked).map((row) => row.name);
/** Milliseconds at a stretch, so that the page never waits. */
const STRETCH = 8;

let measured: Promise<readonly Language[]> | null = null;

/** All languages whose words reach 99, measured a few at a time. */
export function languages(): Promise<readonly Language[]> {
  measured ??= (async () => {
    const found: Language[] = [];
    let end = performance.now() + STRETCH;
    for (const row of ROWS) {
      const language = measure(row);
      if (language) found.push(language);
      if (performance.now() < end) continue;
      await breathe();
      end = performance.now() + STRETCH;
    }
    return found;
  })();
  return measured;
}

/** How many languages a dot stands for at least, and how wide it is. */
const CROWDS: readonly [least: number, width: number][] = [
  [1, 5],
  [10, 8],
  [100, 13],
];

/** Languages as dots; where many lie on one another their dot is larger. */
export function crowds(all: readonly Language[], opacity: number): Cloud[] {
  const together = new Map<string, Language[]>();
  for (const each of all) {
    const here = `${each.size} ${each.average.toFixed(2)}`;
    together.set(here, [...(together.get(here) ?? []), each]);
  }
  return CROWDS.map(([least, width], i) => {
    const most = CROWDS[i + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    const found = [...together.values()].filter(({ length }) => length >= least && length < most);
    return {
      ...{ role: "human", width, opacity },
      places: found.map(([{ size, average }]) => ({ x: size, y: average })),
      name: (at) => {
        const [{ name, lexicon }, ...others] = found[at];
        return `${name}${others.length ? ` and ${others.length.toLocaleString("en")} more` : ""}: ${describe(lexicon)}`;
      },
    };
  });
}

/** One language by name, whatever its case and accents. */
export function language(name: string): Language | null {
  const wanted = plain(name);
  const row = ROWS.find((each) => plain(each.name) === wanted);
  return row ? measure(row) : null;
}

/** Names that contain what was typed, those that begin with it first. */
function search(all: readonly Language[], text: string, most = 8): Language[] {
  const wanted = plain(text);
  if (!wanted) return [];
  const found = all.filter((each) => plain(each.name).includes(wanted));
  const first = (each: Language): number =>
    plain(each.name) === wanted ? 0 : plain(each.name).startsWith(wanted) ? 1 : 2;
  return found.sort((a, b) => first(a) - first(b) || a.name.localeCompare(b.name)).slice(0, most);
}

/** A field in which a language is sought by name; what is found stands beneath it as buttons. Null: none is meant. */
export function languageFinder(choose: (found: Language | null) => void, label = "Find a language") {
  const found = h("div");
  const input = h("input", { type: "search", placeholder: "e.g. Basque", autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", async () => {
    const all = await languages();
    const text = input.value.trim();
    const hits = search(all, text);
    const none = `There is no “${text.slice(0, 40)}” among our ${all.length.toLocaleString("en")} languages. Try another spelling, or a related language.`;
    found.replaceChildren(
      text && !hits.length
        ? h("p", { class: "note" }, none)
        : row(...hits.map((hit) => button(hit.name, () => choose(hit)))),
    );
    const [only] = hits;
    choose(only && (hits.length === 1 || only.name.toLowerCase() === text.toLowerCase()) ? only : null);
  });
  return h("div", {}, h("label", { class: "field" }, label, input), found);
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();
}

type Measured = Omit<Language, "name" | "family">;

/** Half of the languages have the same words: each system is measured once. */
const known = new Map<string, Measured | null>();

function measure({ name, family, system }: Row): Language | null {
  let found = known.get(system);
  if (found === undefined) {
    found = measureSystem(system);
    known.set(system, found);
  }
  return found && { name, family, ...found };
}

function measureSystem(system: string): Measured | null {
  try {
    const lexicon = lexiconOf(parseSystem(system));
    const { size, average, gap } = cost(lexicon);
    return average === null || gap === null ? null : { system, lexicon, size, average, gap };
  } catch {
    return null;
  }
}
