/**
 * Runs in a worker: many at once, or one in which two neural agents learn to talk, without a stutter on the page.
 *
 *     const runs = startRuns({ ...RUN_DEFAULTS, mover: "drift", seed: 7 }, {
 *       runs: 200,
 *       onRounds: (run, rounds) => draw(run, rounds),   // each run's rounds in order, round 0 first
 *       onError: (sentence) => show(sentence),
 *     });
 *     runs.play(100);          // goes on until every run has round 100; again, until round 200 with play(200)
 *     runs.pause();
 *     runs.step();             // one more round of every run
 *     await runs.say(47);      // with agents: what they say for 47 now
 *     runs.stop();             // ends the worker
 *
 * The worker is made from code inside the page, so that it works from a file address. Where there are no workers the
 * same code computes on the page's own thread, a few milliseconds at a time. Where agents cannot run because the browser
 * has no WebAssembly, `onError` gets the sentence.
 */
import type { Progress, RunRound, RunSettings, Said } from "./settings.ts";

export * from "./settings.ts";

export interface RunEvents {
  /** How many runs; each has its own seed, `settings.seed` and up. With agents 1 is what a browser can do. */
  runs: number;
  /** News of a run: rounds that were finished since the last news, in order. Batched, a few times a second. */
  onRounds: (run: number, rounds: readonly RunRound[]) => void;
  /** While agents talk. */
  onProgress?: (progress: Progress) => void;
  /** All runs have reached the round that `play` or `step` asked for, or were paused. */
  onIdle?: () => void;
  /** One sentence that a visitor can read; the runs have ended. */
  onError: (sentence: string) => void;
}

/** Runs under way. */
export interface Runs {
  /** Goes on until every run has finished this round. `delay` waits so many milliseconds between rounds, to watch. */
  play(until: number, delay?: number): void;
  /** Stops as soon as possible, also amid a round of talk, which `play` or `step` then takes up again. */
  pause(): void;
  /** One more round of every run. */
  step(): void;
  /** What agents say for a number now, and what is understood; rejects without agents. */
  say(number: number): Promise<Said>;
  /** The same for every number from 1 up. */
  sayAll(): Promise<Said[]>;
  /** Ends everything; no event follows. */
  stop(): void;
}

/** Starts runs; they report round 0 at once and then wait for `play` or `step`. */
export function startRuns(settings: RunSettings, events: RunEvents): Runs {
  throw new Error(`not built yet: ${settings.mover}, ${events.runs}`);
}
