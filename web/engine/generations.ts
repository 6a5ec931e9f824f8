/** Languages that are passed on by ideal learners: who hears a word knows it, who does not does not. */
import { checkedStart } from "./evolution.ts";
import { leastLeaves } from "./leaves.ts";
import { type Measures, measureLanguage } from "./measures.ts";
import { MinimalLanguage, minimalLanguage } from "./minimal.ts";
import { type NeedSpec, needWeights } from "./need.ts";
import { Random, type RandomState } from "./random.ts";
import { GRAMMARS, type GrammarName, makeSystem, type System } from "./system.ts";

export interface GenerationSettings {
  start: string;
  grammar: GrammarName;
  /** How many numbers a generation hears its parents say, drawn by need; or every number once. */
  bottleneck: number | "all";
  /** How many words a generation invents, on average. */
  invent: number;
  /** The share of multipliers among them. */
  multiplierShare: number;
  /** For which number a word is invented: by need times length less 1, or for each number alike. */
  coin: "need" | "uniform";
  /** How many times easier 5, 10 and 20, the numbers of hands and feet, are to invent: `body` in Python. */
  hands: number;
  need: NeedSpec;
  /** Systems are measured on 1..upto; words and talk are about 1..gameUpto. */
  upto: number;
  gameUpto: number;
  seed: number;
}

export const GENERATION_DEFAULTS: GenerationSettings = {
  start: "1,2,3,20,35,37,40,47,49 | 4,25,45",
  grammar: "modified",
  bottleneck: 200,
  invent: 0.5,
  multiplierShare: 0.2,
  coin: "need",
  hands: 1,
  need: "power:2",
  upto: 99,
  gameUpto: 50,
  seed: 0,
};

/** The numbers that hands and feet suggest. */
export const HANDS: readonly number[] = [5, 10, 20];

/** Words with their roles. */
export interface Words {
  readonly digits: readonly number[];
  readonly multipliers: readonly number[];
}

export interface GenerationState {
  readonly generation: number;
  readonly system: System;
  readonly random: RandomState;
}

/** What became of a lexicon in one generation; the words are null in generation 0. */
export interface Generation extends Measures {
  readonly generation: number;
  readonly system: System;
  /** How often each number was heard, from 1 up (index 0); empty in generation 0. */
  readonly numbersHeard: readonly number[];
  readonly heard: Words | null;
  /** Words of the parents that the generation does not know. */
  readonly lost: Words | null;
  /** Words that it did not hear and knows all the same, because the range cannot be said without them. */
  readonly restored: Words | null;
  readonly invented: Words | null;
}

/** The state before generation 1; throws a `RequestError` if the start does not cover the range of talk. */
export function startGenerations(settings: GenerationSettings): GenerationState {
  const system = checkedStart(settings.start, settings.grammar, settings.gameUpto);
  return { generation: 0, system, random: new Random(settings.seed).save() };
}

/** One generation: it hears its parents, knows what it heard, and may invent words. */
export function passOn(
  state: GenerationState,
  settings: GenerationSettings,
): { state: GenerationState; generation: Generation } {
  const random = new Random(state.random);
  const parents = lexiconOf(state.system, settings.gameUpto);
  const language = minimalLanguage(state.system, settings.gameUpto);
  const numbersHeard = hear(settings, random);
  const heard = emptyLexicon(settings.gameUpto);
  const use = emptyUse(settings.gameUpto);
  const need = needWeights(settings.need, settings.gameUpto);
  const last = emptyUse(settings.gameUpto);
  for (let n = 1; n <= settings.gameUpto; n++) {
    for (const { word, multiplier } of language.said(n)) {
      const role = multiplier ? 1 : 0;
      if (numbersHeard[n - 1]) heard[role][word] = 1;
      if (last[role][word] === n) continue; // a word that a number is said with twice is used once by it
      last[role][word] = n;
      use[role][word] += need[n - 1];
    }
  }
  const restored = restore(heard, parents, use, settings);
  const words = united(heard, restored);
  const lost = without(parents, words);
  const invented = emptyLexicon(settings.gameUpto);
  const count = Math.floor(settings.invent) + Number(random.next() < settings.invent - Math.floor(settings.invent));
  for (let i = 0; i < count; i++) {
    const coined = coin(words, settings, need, random);
    if (coined) invented[coined.role][coined.word] = 1;
  }
  const system = systemOf(words, settings.grammar);
  const after = { generation: state.generation + 1, system, random: random.save() };
  const told = { heard: wordsIn(heard), lost: wordsIn(lost), restored: wordsIn(restored), invented: wordsIn(invented) };
  return { state: after, generation: { ...generationOf(after, settings), numbersHeard, ...told } };
}

/** The record of a state of which nothing else is known, such as the start. */
export function generationOf(state: GenerationState, settings: GenerationSettings): Generation {
  const measures = measureLanguage(minimalLanguage(state.system, settings.upto), settings.need);
  const { generation, system } = state;
  return { generation, system, numbersHeard: [], heard: null, lost: null, restored: null, invented: null, ...measures };
}

/** The base of each number's expression, from 1 up: the multiplier of its outermost phrase, 0 for a bare digit. */
export function outerBases(system: System, upto: number): number[] {
  const language = minimalLanguage(system, upto);
  return Array.from({ length: upto }, (_, i) => {
    let head = language.expression(i + 1);
    if (head && head.operator !== "*" && head.left) head = head.left;
    if (!head) return 0;
    if (head.right) return head.right.value;
    return system.multipliers.includes(head.value) ? head.value : 0;
  });
}

/** Which numbers are digits (0) and which multipliers (1). */
type Lexicon = readonly [Uint8Array, Uint8Array];

function emptyLexicon(upto: number): Lexicon {
  return [new Uint8Array(upto + 1), new Uint8Array(upto + 1)];
}

function emptyUse(upto: number): readonly [Float64Array, Float64Array] {
  return [new Float64Array(upto + 1), new Float64Array(upto + 1)];
}

function lexiconOf(system: System, upto: number): Lexicon {
  const lexicon = emptyLexicon(upto);
  for (const word of system.digits) lexicon[0][word] = 1;
  for (const word of system.multipliers) lexicon[1][word] = 1;
  return lexicon;
}

function members(set: Uint8Array): number[] {
  const found: number[] = [];
  for (let n = 1; n < set.length; n++) if (set[n]) found.push(n);
  return found;
}

function wordsIn(lexicon: Lexicon): Words {
  return { digits: members(lexicon[0]), multipliers: members(lexicon[1]) };
}

function systemOf(lexicon: Lexicon, grammar: GrammarName): System {
  return makeSystem(members(lexicon[0]), members(lexicon[1]), grammar);
}

function united(one: Lexicon, other: Lexicon): Lexicon {
  return [one[0].map((each, i) => each | other[0][i]), one[1].map((each, i) => each | other[1][i])];
}

function without(one: Lexicon, other: Lexicon): Lexicon {
  return [one[0].map((each, i) => each & ~other[0][i]), one[1].map((each, i) => each & ~other[1][i])];
}

/** How often each number is heard, from 1 up. */
function hear({ bottleneck, need, gameUpto }: GenerationSettings, random: Random): number[] {
  if (bottleneck === "all") return new Array(gameUpto).fill(1);
  const counts: number[] = new Array(gameUpto).fill(0);
  const weights = needWeights(need, gameUpto);
  for (let i = 0; i < bottleneck; i++) {
    let ticket = random.next();
    let n = 0;
    while (n < gameUpto - 1 && ticket >= weights[n]) ticket -= weights[n++];
    counts[n]++;
  }
  return counts;
}

/** Gives back lost words, most used first, until the range is covered; digits and smaller ones first in a tie. */
function restore(
  heard: Lexicon,
  parents: Lexicon,
  use: readonly [Float64Array, Float64Array],
  settings: GenerationSettings,
): Lexicon {
  const known: Lexicon = [heard[0].slice(), heard[1].slice()];
  const restored = emptyLexicon(settings.gameUpto);
  while (!covers(known, settings)) {
    let best = -1;
    let found: { role: 0 | 1; word: number } | null = null;
    for (const role of [0, 1] as const) {
      for (let word = 1; word <= settings.gameUpto; word++) {
        if (parents[role][word] && !known[role][word] && use[role][word] > best) {
          best = use[role][word];
          found = { role, word };
        }
      }
    }
    if (!found) break;
    known[found.role][found.word] = 1;
    restored[found.role][found.word] = 1;
  }
  return restored;
}

function covers(lexicon: Lexicon, { grammar, gameUpto }: GenerationSettings): boolean {
  const [digits, multipliers] = [members(lexicon[0]), members(lexicon[1])];
  if (!multipliers.length || !(GRAMMARS[grammar].bare || digits.length)) return false;
  return new MinimalLanguage({ digits, multipliers, grammar }, gameUpto).covers;
}

/** Invents a word, in place: the role is drawn first, then a number that has no word in it. */
function coin(
  words: Lexicon,
  settings: GenerationSettings,
  need: Float64Array,
  random: Random,
): { role: 0 | 1; word: number } | null {
  const { grammar, gameUpto, hands } = settings;
  const role = random.next() < settings.multiplierShare ? 1 : 0;
  const levels = leastLeaves(members(words[0]), members(words[1]), GRAMMARS[grammar].bare, gameUpto);
  const weights = new Float64Array(gameUpto + 1);
  let total = 0;
  for (let n = 1; n <= gameUpto; n++) {
    if (words[role][n]) continue;
    weights[n] = settings.coin === "uniform" ? 1 : need[n - 1] * (levels[n] - 1);
    if (hands !== 1 && HANDS.includes(n)) weights[n] *= hands;
    total += weights[n];
  }
  let ticket = random.next() * total;
  let word = 0;
  for (let n = 1; n <= gameUpto && (word === 0 || ticket >= 0); n++) {
    if (weights[n] <= 0) continue;
    word = n;
    ticket -= weights[n];
  }
  if (!word) return null;
  words[role][word] = 1;
  return { role, word };
}
