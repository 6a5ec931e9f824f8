/** What a run is asked for, and what it tells: plain data that goes to the worker and back. */
import { EVOLUTION_DEFAULTS, type EvolutionSettings, type Round } from "../engine/evolution.ts";
import { GENERATION_DEFAULTS, type Generation, type GenerationSettings } from "../engine/generations.ts";

/** Who moves a lexicon: a coin, an oracle, costs, two agents who talk, or nobody, as the language is passed on. */
export type Mover = "drift" | "oracle" | "costs" | "agents" | "passing-on";

/** The signalling game of two agents; defaults are those of `ishango evolve`, but for `lostEntropy` and `steps`. */
export interface GameSettings {
  embedding: number;
  hidden: number;
  /** Games in a step. */
  batch: number;
  learningRate: number;
  speakerEntropy: number;
  /** Further entropy of the speaker in lost games: it keeps trying other messages. .03 is the preset `able`. */
  lostEntropy: number;
  listenerEntropy: number;
  /** The bandit: learning rate of its values, and how often it takes the arm of the higher value. */
  alpha: number;
  epsilon: number;
  /** Steps of talk in a round, and before the first round. */
  steps: number;
  pretraining: number;
}

export const GAME_DEFAULTS: GameSettings = {
  embedding: 5,
  hidden: 100,
  batch: 32,
  learningRate: 0.002,
  speakerEntropy: 0,
  lostEntropy: 0.03,
  listenerEntropy: 0.1,
  alpha: 0.1,
  epsilon: 0.2,
  steps: 500,
  pretraining: 2000,
};

/** Everything that determines a run. Run i of several has the seed `seed + i`. */
export interface RunSettings extends EvolutionSettings, Omit<GenerationSettings, "seed"> {
  mover: Mover;
  game: GameSettings;
}

export const RUN_DEFAULTS: RunSettings = {
  ...GENERATION_DEFAULTS,
  ...EVOLUTION_DEFAULTS,
  mover: "drift",
  game: GAME_DEFAULTS,
};

/** How well two agents talk about 1..gameUpto if both take their likeliest symbols. */
export interface Competence {
  /** Need-weighted share of numbers understood. */
  readonly accuracy: number;
  /** How many numbers are understood, and how many different messages there are for them. */
  readonly numbers: number;
  readonly messages: number;
}

/** What agents say of a number, symbols from 0, and what the listener makes of it. */
export interface Said {
  readonly number: number;
  /** What the speaker reads, as in `4 * 10 + 7`. */
  readonly expression: string;
  readonly message: readonly number[];
  readonly heard: number;
  /** The listener's probability of the right number. */
  readonly probability: number;
}

/** A round in which agents talked: the two systems' values for the bandit, how often each was used, games won. */
export interface Talk extends Competence {
  /** [current, alternative]; one value where only the start was talked about. */
  readonly q: readonly number[];
  readonly uses: readonly number[];
  /** Share of games won in the last 500 steps. */
  readonly won: number;
}

/** What happened in round n of a run: a round of Algorithm 1 or a generation, with the talk if agents decided. */
export type RunRound =
  | (Round & { readonly kind: "round"; readonly talk: Talk | null })
  | (Generation & { readonly kind: "generation"; readonly round: number });

/** Where a run is while agents talk: news several times a second, between two rounds. */
export interface Progress {
  readonly run: number;
  readonly round: number;
  /** Steps of this round that are done, of how many. */
  readonly done: number;
  readonly steps: number;
  /** Share of games won in the steps since the last news. */
  readonly won: number;
  readonly competence: Competence;
  readonly stepsPerSecond: number;
}
