/** Algorithm 1: a lexicon is modified, somebody decides, and what is chosen is kept. */
import { averageOf, type Measures, measureLanguage } from "./measures.ts";
import { minimalLanguage } from "./minimal.ts";
import { type Action, type AddRule, alternatives } from "./modifications.ts";
import type { NeedSpec } from "./need.ts";
import { Random, type RandomState } from "./random.ts";
import { formatSystem, type GrammarName, parseSystem, RequestError, type System, sizeOf } from "./system.ts";

/** Who decides without agents: a coin, who knows what is shorter, or the costs of words and symbols alone. */
export type SilentChooser = "drift" | "oracle" | "costs";

export interface EvolutionSettings {
  /** The first system, `DIGITS | MULTIPLIERS`; it must cover 1..gameUpto with words inside it. */
  start: string;
  grammar: GrammarName;
  /** Which free numeral is added: `any` draws every numeral, which favours nothing. */
  add: AddRule;
  /** What a word costs (a size of 1), and what a symbol of average length costs; for `costs` and agents. */
  word: number;
  effort: number;
  /** Standard deviation of what blurs a decision by `costs`. */
  noise: number;
  need: NeedSpec;
  /** Systems are measured on 1..upto, words and talk are about 1..gameUpto. */
  upto: number;
  gameUpto: number;
  seed: number;
}

export const EVOLUTION_DEFAULTS: EvolutionSettings = {
  start: "1,2,3,20,35,37,40,47,49 | 4,25,45",
  grammar: "modified",
  add: "lowest",
  word: 0,
  effort: 0,
  noise: 0,
  need: "power:2",
  upto: 99,
  gameUpto: 50,
  seed: 0,
};

/** What a round hands to the next; plain data, so that it can be kept and sent. */
export interface EvolutionState {
  readonly round: number;
  readonly system: System;
  readonly random: RandomState;
}

/** The modification that is tried in a round. */
export interface Proposal {
  readonly action: Action;
  readonly alternative: System;
  /** Alternative minus current: average complexity over 1..gameUpto, and size. */
  readonly deltaAverage: number;
  readonly deltaSize: number;
  /** The generator after the proposal was drawn. */
  readonly random: RandomState;
}

export interface Decision {
  readonly accepted: boolean;
  /** Why, in one plain sentence for the reader. */
  readonly reason: string;
}

/** What happened in a round. Round 0 is the start; where nothing could be modified, proposal and decision are null. */
export interface Round extends Measures {
  readonly round: number;
  readonly system: System;
  readonly proposal: Proposal | null;
  readonly decision: Decision | null;
}

/** The state before round 1; throws a `RequestError` if the start does not cover the game's range. */
export function startEvolution(settings: EvolutionSettings): EvolutionState {
  const system = checkedStart(settings.start, settings.grammar, settings.gameUpto);
  return { round: 0, system, random: new Random(settings.seed).save() };
}

/** The system that a start names, refused unless it covers 1..gameUpto with words inside it. */
export function checkedStart(start: string, grammar: GrammarName, gameUpto: number): System {
  const system = parseSystem(start, grammar);
  const [missing] = minimalLanguage(system, gameUpto).missing;
  if (missing !== undefined) {
    throw new RequestError(
      `The system ${formatSystem(system)} has no expression for ${missing}; a start must cover 1 to ${gameUpto}.`,
    );
  }
  return system;
}

/** Draws one of the possible modifications; null where none can be applied. */
export function propose(state: EvolutionState, settings: EvolutionSettings): Proposal | null {
  const random = new Random(state.random);
  const found = alternatives(state.system, settings.gameUpto, settings.add, random);
  if (!found.length) return null;
  const { action, system: alternative } = found[random.below(found.length)];
  const change = gameAverage(alternative, settings) - gameAverage(state.system, settings);
  const deltaAverage = Math.abs(change) > ROUNDING ? change : 0;
  const deltaSize = sizeOf(alternative) - sizeOf(state.system);
  return { action, alternative, deltaAverage, deltaSize, random: random.save() };
}

/** What a chooser that needs no agents decides; draws from `random` what it needs. */
export function decide(
  chooser: SilentChooser,
  proposal: Proposal,
  settings: EvolutionSettings,
  random: Random,
): Decision {
  return CHOOSERS[chooser](proposal, settings, random);
}

/** The state after a proposal was decided about; `random` is the generator as the decision left it. */
export function settle(state: EvolutionState, proposal: Proposal, decision: Decision, random: Random): EvolutionState {
  const system = decision.accepted ? proposal.alternative : state.system;
  return { round: state.round + 1, system, random: random.save() };
}

/** One whole round without agents: propose, decide, keep. */
export function step(
  state: EvolutionState,
  chooser: SilentChooser,
  settings: EvolutionSettings,
): { state: EvolutionState; round: Round } {
  const proposal = propose(state, settings);
  if (!proposal) {
    const after = { ...state, round: state.round + 1 };
    return { state: after, round: roundOf(after, settings, null, null) };
  }
  const random = new Random(proposal.random);
  const decision = decide(chooser, proposal, settings, random);
  const after = settle(state, proposal, decision, random);
  return { state: after, round: roundOf(after, settings, proposal, decision) };
}

/** The record of the state after a round (or, with nulls, of the start). */
export function roundOf(
  state: EvolutionState,
  settings: EvolutionSettings,
  proposal: Proposal | null,
  decision: Decision | null,
): Round {
  const measures = measureLanguage(minimalLanguage(state.system, settings.upto), settings.need);
  return { round: state.round, system: state.system, proposal, decision, ...measures };
}

/** Averages that differ by less are the same, summed in another order. */
const ROUNDING = 1e-12;

function gameAverage(system: System, settings: EvolutionSettings): number {
  return averageOf(minimalLanguage(system, settings.gameUpto), settings.need) ?? Number.POSITIVE_INFINITY;
}

const CHOOSERS: Record<SilentChooser, (proposal: Proposal, settings: EvolutionSettings, random: Random) => Decision> = {
  drift(_proposal, _settings, random) {
    const accepted = random.next() < 0.5;
    return { accepted, reason: accepted ? "The coin kept it." : "The coin refused it." };
  },
  oracle({ deltaAverage }) {
    const accepted = deltaAverage < 0;
    return { accepted, reason: accepted ? "It is shorter on average." : "It is not shorter on average." };
  },
  costs({ deltaAverage, deltaSize }, { effort, word, noise }, random) {
    let change = effort * deltaAverage + word * deltaSize;
    if (noise) change += noise * random.normal();
    const accepted = change < 0;
    return { accepted, reason: accepted ? "It costs less." : "It does not cost less." };
  },
};
