// What happened in a round, in sentences; what is said for a number.

import type { Lexicon } from "./address.ts";
import type { RunRound, Said } from "./experiment.ts";
import { cost, decimals, type System } from "./model.ts";

interface Words {
  readonly digits: readonly number[];
  readonly multipliers: readonly number[];
}

/** Words for people: 7, ×12. */
export function list({ digits, multipliers }: Words): string {
  return [...digits.map(String), ...multipliers.map((each) => `×${each}`)].join(", ");
}

function without(one: Words, other: Words): Words {
  return {
    digits: one.digits.filter((each) => !other.digits.includes(each)),
    multipliers: one.multipliers.filter((each) => !other.multipliers.includes(each)),
  };
}

/** What is different between two systems: `add 7`, `drop ×12`, `7 becomes a base`. */
export function difference(before: Words, after: Words): string {
  const added = without(after, before);
  const dropped = without(before, after);
  const [plain] = added.digits;
  const [base] = added.multipliers;
  if (plain !== undefined && dropped.multipliers.includes(plain) && !added.multipliers.length)
    return `base ${plain} becomes a plain word`;
  if (base !== undefined && dropped.digits.includes(base) && !added.digits.length) return `${base} becomes a base`;
  const parts = [list(added) && `add ${list(added)}`, list(dropped) && `drop ${list(dropped)}`].filter(Boolean);
  return parts.join(" and ") || "nothing new";
}

function change(symbols: number, words: number): string {
  const length =
    Math.abs(symbols) < 0.005
      ? "as long on average"
      : `${decimals(Math.abs(symbols))} symbols ${symbols < 0 ? "shorter" : "longer"}`;
  const size =
    words === 0
      ? "as many words"
      : `${Math.abs(words)} word${Math.abs(words) === 1 ? "" : "s"} ${words > 0 ? "more" : "fewer"}`;
  return `${length}, ${size}`;
}

/** A round in a few sentences: what was proposed, who kept it and why; or what children heard, lost and invented. */
export function tell(round: RunRound, before: System | null): string[] {
  if (round.kind === "generation") return generation(round);
  if (round.round === 0 || !before) return ["The start. Press play, or step through one round after the other."];
  if (!round.proposal || !round.decision) return ["Nothing could be changed without losing a number."];
  const { proposal, decision } = round;
  const sentences = [
    `Proposed: ${difference(before, proposal.alternative)} (${change(proposal.deltaAverage, proposal.deltaSize)}).`,
    `${decision.accepted ? "Kept" : "Refused"}. ${decision.reason}`,
  ];
  if (round.talk) {
    const { numbers, accuracy } = round.talk;
    sentences.push(
      `The agents talk about 1 to 50. They now understand ${numbers} of these numbers, ${Math.round(100 * accuracy)} % of what is needed.`,
    );
  }
  return sentences;
}

/** Such as: a word for 7; words for 7, ×12. */
function words(some: Words): string {
  const all = list(some);
  return all && `${all.includes(",") ? "words" : "a word"} for ${all}`;
}

function generation(round: RunRound & { kind: "generation" }): string[] {
  if (!round.heard) return ["The first parents. Press play, or step through one generation after the other."];
  const heard = round.numbersHeard.filter(Boolean).length;
  const sentences = [`The children heard ${heard} different numbers.`];
  const lost = round.lost ? words(round.lost) : "";
  const restored = round.restored ? words(round.restored) : "";
  const invented = round.invented ? words(round.invented) : "";
  sentences.push(lost ? `Never heard, so forgotten: ${lost}.` : "No word was forgotten.");
  if (restored) sentences.push(`Not heard, but kept because numbers need it: ${restored}.`);
  if (invented) sentences.push(`Invented: ${invented}.`);
  return sentences;
}

const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";

/** A symbol of the agents as a syllable, so that messages can be read aloud. */
export function syllable(symbol: number): string {
  const at = symbol % (CONSONANTS.length * VOWELS.length);
  return CONSONANTS[at % CONSONANTS.length] + VOWELS[Math.floor(at / CONSONANTS.length)];
}

/** What is said for a number, and with agents what came of it. */
export function saying(n: number, lexicon: Lexicon, grammar: System["grammar"], said: Said | null): string[] {
  const costed = cost(lexicon, grammar);
  const text = costed.text(n);
  const symbols = costed.symbols(n);
  const first = text ? `${n} = ${text}` : `${n} cannot be said`;
  const lines = [first, text ? `${symbols} symbol${symbols === 1 ? "" : "s"}` : ""];
  if (said) {
    const right = said.heard === n;
    lines.push(
      `The speaker says “${said.message.map(syllable).join("-")}”. The listener understands ${said.heard}${right ? ": right" : ": wrong"} (${Math.round(100 * said.probability)} % sure of ${n}).`,
    );
  }
  return lines;
}
