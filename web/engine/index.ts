/**
 * The engine of the playground: numeral systems, their minimal languages, Algorithm 1 without agents, and languages
 * that are passed on. Pure functions in the paper's words, without anything of a page; the same results as in Python.
 *
 *     const danish = parseSystem("1-12 | 10,20");
 *     minimalLanguage(danish, 99).text(47);           // "2 * 20 + 7"
 *     measure(danish).gap;
 *
 * What takes long (many runs, agents) is computed in a worker: see `../agents/index.ts`.
 */
export * from "./description.ts";
export * from "./evolution.ts";
export * from "./generations.ts";
export * from "./measures.ts";
export * from "./minimal.ts";
export * from "./modifications.ts";
export * from "./need.ts";
export * from "./random.ts";
export * from "./system.ts";
