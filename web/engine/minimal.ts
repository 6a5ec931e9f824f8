/**
 * The minimal language of a system: for every number of the range an expression of least complexity.
 *
 * Of several shortest expressions the canonical one is the first that the search meets, as in Python: digits, then
 * multipliers where they are numerals, ascending; at each further level the numbers of the level before in the order of
 * their discovery times the multipliers ascending; then every phrase, shorter ones first, plus and minus every number
 * that completes the level.
 */
import { leastLeaves } from "./leaves.ts";
import { checkRange } from "./need.ts";
import { GRAMMARS, RequestError, type System } from "./system.ts";

export type Operator = "+" | "-" | "*";

/** A word, or two expressions joined by an operator. */
export interface Expression {
  readonly value: number;
  readonly leaves: number;
  readonly operator: Operator | null;
  readonly left: Expression | null;
  readonly right: Expression | null;
}

/** One leaf of an expression: the word, and whether it stands there as a multiplier. */
export interface Leaf {
  readonly word: number;
  readonly multiplier: boolean;
}

/**
 * For each value 1..limit the level (leaves) at which it was first found as a number and as a phrase, 0 if it was not,
 * and both in the order of discovery.
 */
export interface Levels {
  readonly number: Int32Array;
  readonly numberRank: Int32Array;
  readonly phrase: Int32Array;
  readonly phraseRank: Int32Array;
  readonly phrases: Int32Array;
  /** How many numbers of the range were not found. */
  readonly uncovered: number;
}

/** The largest value that a part of an expression may have: 2N + 2 for a range 1..N, as in the published work. */
export function valueLimit(upto: number): number {
  return 2 * upto + 2;
}

/** Searches the values 1..limit, level by level, until 1..upto is covered or nothing new can come. */
export function fillLevels(
  digits: readonly number[],
  multipliers: readonly number[],
  bare: boolean,
  upto: number,
  limit: number = valueLimit(upto),
): Levels {
  const number = new Int32Array(limit + 1);
  const numberRank = new Int32Array(limit + 1);
  const phrase = new Int32Array(limit + 1);
  const phraseRank = new Int32Array(limit + 1);
  const numbers = new Int32Array(limit);
  const phrases = new Int32Array(limit);
  // numbers[numberStart[k]] up to numberStart[k + 1] were first found at level k; level 0 is empty.
  const numberStart = [0, 0];
  const phraseStart = [0, 0];
  let nNumbers = 0;
  let nPhrases = 0;
  let uncovered = upto;
  const foundNumber = (value: number, level: number): void => {
    number[value] = level;
    numberRank[value] = nNumbers;
    numbers[nNumbers++] = value;
    if (value <= upto) uncovered--;
  };
  const foundPhrase = (value: number, level: number): void => {
    phrase[value] = level;
    phraseRank[value] = nPhrases;
    phrases[nPhrases++] = value;
  };
  for (const digit of digits) foundNumber(digit, 1);
  if (bare) {
    for (const multiplier of multipliers) {
      foundPhrase(multiplier, 1);
      if (number[multiplier] === 0) foundNumber(multiplier, 1);
    }
  }
  numberStart.push(nNumbers);
  phraseStart.push(nPhrases);
  let level = 1;
  for (let lastNew = 1; uncovered > 0 && level < 2 * lastNew; ) {
    level++;
    const before = nNumbers + nPhrases;
    for (let i = numberStart[level - 1]; i < numberStart[level]; i++) {
      for (const multiplier of multipliers) {
        const value = numbers[i] * multiplier;
        if (value > limit || phrase[value] > 0) continue;
        foundPhrase(value, level);
        if (number[value] === 0) foundNumber(value, level);
      }
    }
    for (let x = 1; x < level; x++) {
      const first = numberStart[level - x];
      const last = numberStart[level - x + 1];
      for (let i = phraseStart[x]; i < phraseStart[x + 1]; i++) {
        const head = phrases[i];
        for (let j = first; j < last; j++) {
          const rest = numbers[j];
          const sum = head + rest;
          if (sum <= limit && number[sum] === 0) foundNumber(sum, level);
          const difference = head - rest;
          if (difference > 0 && number[difference] === 0) foundNumber(difference, level);
        }
      }
    }
    numberStart.push(nNumbers);
    phraseStart.push(nPhrases);
    if (nNumbers + nPhrases > before) lastNew = level;
  }
  return { number, numberRank, phrase, phraseRank, phrases: phrases.slice(0, nPhrases), uncovered };
}

/** The last languages: a run asks for the same ones again and again. (A WeakMap keeps the garbage collector busy.) */
const recent: MinimalLanguage[] = [];
const RECENT = 16;
const MOST_TIES = 1e12;
let oldest = 0;

/** The minimal language of a system over 1..upto; throws a `RequestError` if a word lies above the range. */
export function minimalLanguage(system: System, upto = 99): MinimalLanguage {
  for (const each of recent) if (each.system === system && each.upto === upto) return each;
  const found = searched(system, upto);
  recent[oldest] = found;
  oldest = (oldest + 1) % RECENT;
  return found;
}

function searched(system: System, upto: number): MinimalLanguage {
  checkRange(upto);
  const largest = Math.max(system.digits.at(-1) ?? 0, system.multipliers.at(-1) ?? 0);
  if (largest > upto) {
    throw new RequestError(`The word ${largest} lies above the range ${upto}; leave it out or use a larger range.`);
  }
  return new MinimalLanguage(system, upto);
}

/** The numbers 1..upto with their least complexity and canonical expression. */
export class MinimalLanguage {
  readonly system: System;
  readonly upto: number;
  /** The least leaves of each number, at its own index; 0 where nothing expresses it. */
  readonly least: ArrayLike<number>;
  private filled: Levels | null = null;
  private readonly numbers: (Expression | undefined)[] = [];
  private readonly heads: (Expression | undefined)[] = [];
  private readonly counts = new Map<number, number>();

  constructor(system: System, upto: number) {
    this.system = system;
    this.upto = upto;
    this.least = leastLeaves(system.digits, system.multipliers, GRAMMARS[system.grammar].bare, upto);
  }

  /** The search behind expressions; who only asks for lengths does without. */
  get levels(): Levels {
    const { digits, multipliers, grammar } = this.system;
    this.filled ??= fillLevels(digits, multipliers, GRAMMARS[grammar].bare, this.upto);
    return this.filled;
  }

  /** Whether every number of the range has an expression. */
  get covers(): boolean {
    for (let n = 1; n <= this.upto; n++) if (!this.least[n]) return false;
    return true;
  }

  /** The numbers of the range that have no expression, ascending. */
  get missing(): number[] {
    return this.range().filter((n) => !this.least[n]);
  }

  /** The least words that express the number; 0 where nothing does. */
  leaves(number: number): number {
    return number >= 1 && number <= this.upto ? this.least[number] : 0;
  }

  /** The least symbols that express the number, operators included; null where nothing does. */
  complexity(number: number): number | null {
    const leaves = this.leaves(number);
    return leaves ? 2 * leaves - 1 : null;
  }

  /** The canonical expression of least complexity; null where there is none. */
  expression(number: number): Expression | null {
    return this.leaves(number) ? this.numberAt(number) : null;
  }

  /** That expression for people, as in `(1 * 10 + 2) * 3`; null where there is none. */
  text(number: number): string | null {
    const found = this.expression(number);
    return found && expressionText(found);
  }

  /** How many distinct expressions have the least complexity; beyond 10^12 as many. 0 where there is none. */
  ties(number: number): number {
    return this.leaves(number) ? this.tiesOf(number, false) : 0;
  }

  /** The words that the number is said with, from left to right, each with its role. */
  said(number: number): Leaf[] {
    const found: Leaf[] = [];
    const expression = this.expression(number);
    if (expression) this.addLeaves(expression, false, found);
    return found;
  }

  /**
   * Each number's expression as agents read it, infix without brackets, at index number - 1; empty where there is none.
   *
   * Two numbers may come to share a string. Then, numbers ascending, each takes its first top-level alternative whose
   * string no smaller number has.
   */
  tokens(): string[][] {
    const taken = new Set<string>();
    return this.range().map((n) => {
      const canonical = this.expression(n);
      if (!canonical) return [];
      let found = infix(canonical);
      if (taken.has(found.join(" "))) {
        for (const other of this.ways(n, this.levels.number[n], false)) {
          const string = infix(other);
          if (!taken.has(string.join(" "))) {
            found = string;
            break;
          }
        }
      }
      taken.add(found.join(" "));
      return found;
    });
  }

  /** The ties of a number or a phrase: the products of those of the parts, summed over its ways. */
  private tiesOf(value: number, isPhrase: boolean): number {
    const key = 2 * value + Number(isPhrase);
    let count = this.counts.get(key);
    if (count === undefined) {
      count = 0;
      const level = isPhrase ? this.levels.phrase[value] : this.levels.number[value];
      for (const { operator, left, right } of this.ways(value, level, isPhrase)) {
        if (!left || !right) continue;
        const ofLeft = this.tiesOf(left.value, operator !== "*");
        count = Math.min(MOST_TIES, count + ofLeft * (operator === "*" ? 1 : this.tiesOf(right.value, false)));
      }
      count ||= 1;
      this.counts.set(key, count);
    }
    return count;
  }

  private range(): number[] {
    return Array.from({ length: this.upto }, (_, i) => i + 1);
  }

  private numberAt(value: number): Expression {
    this.numbers[value] ??= this.first(value, this.levels.number[value], false);
    return this.numbers[value];
  }

  private phraseAt(value: number): Expression {
    this.heads[value] ??= this.first(value, this.levels.phrase[value], true);
    return this.heads[value];
  }

  private first(value: number, level: number, isPhrase: boolean): Expression {
    for (const way of this.ways(value, level, isPhrase)) return way;
    return word(value);
  }

  /** Every top-level way to make a value at its least level, in the order in which the search meets them. */
  private *ways(value: number, level: number, isPhrase: boolean): Generator<Expression> {
    if (level < 2) return;
    const { number, numberRank, phrase, phrases } = this.levels;
    const factors: number[] = [];
    for (const m of this.system.multipliers) if (value % m === 0 && number[value / m] === level - 1) factors.push(m);
    if (factors.length > 1) factors.sort((a, b) => numberRank[value / a] - numberRank[value / b]);
    for (const m of factors) yield join("*", this.numberAt(value / m), word(m));
    if (isPhrase) return;
    for (const head of phrases) {
      const rest = Math.abs(value - head);
      if (rest && number[rest] > 0 && number[rest] + phrase[head] === level) {
        yield join(head < value ? "+" : "-", this.phraseAt(head), this.numberAt(rest));
      }
    }
  }

  private addLeaves({ left, right, operator, value }: Expression, heads: boolean, found: Leaf[]): void {
    if (!left || !right) {
      found.push({ word: value, multiplier: heads || !this.system.digits.includes(value) });
      return;
    }
    this.addLeaves(left, operator !== "*", found);
    if (operator === "*") found.push({ word: right.value, multiplier: true });
    else this.addLeaves(right, false, found);
  }
}

/** The expression that is a single word. */
export function word(value: number): Expression {
  return { value, leaves: 1, operator: null, left: null, right: null };
}

/** Infix for people: brackets where readers could disagree on the value. */
export function expressionText(expression: Expression): string {
  const { operator, left, right, value } = expression;
  if (!operator || !left || !right) return String(value);
  return `${part(left, operator, false)} ${operator} ${part(right, operator, true)}`;
}

function part(expression: Expression, above: Operator, onTheRight: boolean): string {
  const text = expressionText(expression);
  const { operator } = expression;
  if (!operator) return text;
  const free = above === "*" ? !onTheRight && operator === "*" : operator === "*" || (onTheRight && above === "+");
  return free ? text : `(${text})`;
}

function join(operator: Operator, left: Expression, right: Expression): Expression {
  const value =
    operator === "*" ? left.value * right.value : left.value + (operator === "+" ? right.value : -right.value);
  return { value, leaves: left.leaves + right.leaves, operator, left, right };
}

function infix({ operator, left, right, value }: Expression): string[] {
  return operator && left && right ? [...infix(left), operator, ...infix(right)] : [String(value)];
}
