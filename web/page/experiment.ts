// Runs under way: what the worker tells is kept, so that a cursor can go back and forth.

import { RUN_DEFAULTS, type RunRound, type RunSettings, type Runs, type Said, startRuns } from "../agents/index.ts";
import type { Settings } from "./address.ts";
import { onceAFrame } from "./dom.ts";
import type { Place } from "./plane.ts";

export type { RunRound, Said };

/** Over all runs, round by round: the median gap, and where four fifths of the runs are. */
export interface Summary {
  middle: number[];
  low: number[];
  high: number[];
}

/** A round of a run that is only one of many: where it was. */
export interface Spot {
  size: number;
  average: number | null;
  gap: number | null;
}

export interface News {
  /** Something new can be drawn; once a frame at most, however many runs tell. */
  update: () => void;
  /** Everything that was asked for is there. */
  idle?: () => void;
  error: (sentence: string) => void;
  /** Every round of every run, once. */
  each?: (round: RunRound) => void;
  progress?: (text: string, share: number) => void;
}

/** What the engine is asked for, from the settings of the page and the lexicon that `start` means. */
export function runSettings(settings: Settings, start: string): RunSettings {
  return {
    ...RUN_DEFAULTS,
    start,
    mover: settings.who === "passing" ? "passing-on" : settings.who,
    grammar: settings.grammar,
    need: settings.need,
    add: settings.add,
    word: settings.who === "costs" || settings.who === "agents" ? settings.word : 0,
    effort: settings.who === "costs" || settings.who === "agents" ? settings.symbol : 0,
    bottleneck: settings.heard,
    invent: settings.invent,
    hands: settings.hands,
    seed: settings.seed,
    game: { ...RUN_DEFAULTS.game, steps: settings.steps },
  };
}

export const NOTHING: Summary = { middle: [], low: [], high: [] };

export class Experiment {
  /** The first run, round by round. */
  readonly rounds: RunRound[] = [];
  /** All runs, the first included: `spots[run][round]`. */
  readonly spots: Spot[][];
  /** With agents: what was said after each round. */
  readonly said: Said[][] = [];
  private readonly update: () => void;
  private readonly known: Summary = { middle: [], low: [], high: [] };
  private readonly runs: Runs;
  private until = 0;
  private ended = false;

  constructor(
    readonly settings: RunSettings,
    readonly count: number,
    private readonly news: News,
  ) {
    this.update = onceAFrame(() => {
      if (!this.ended) news.update();
    });
    this.spots = Array.from({ length: count }, () => []);
    this.runs = startRuns(settings, {
      runs: count,
      onRounds: (run, rounds) => {
        if (this.ended) return;
        for (const round of rounds) {
          this.spots[run].push({ size: round.size, average: round.average, gap: round.gap });
          this.news.each?.(round);
        }
        if (run === 0) this.rounds.push(...rounds);
        this.update();
      },
      onProgress: ({ round, done, steps, won, stepsPerSecond }) => {
        // The last news of a round may come when the next has already its turn.
        const text = `Round ${Math.min(round, this.until)}: ${done.toLocaleString("en")} of ${steps.toLocaleString("en")} steps, ${Math.round(100 * won)} % of games won, ${Math.round(stepsPerSecond).toLocaleString("en")} steps a second`;
        this.news.progress?.(text, done / Math.max(steps, 1));
      },
      onIdle: () => this.rest(),
      onError: (sentence) => {
        if (!this.ended) this.news.error(sentence);
      },
    });
  }

  /** How many rounds every run has finished. */
  get done(): number {
    return Math.min(...this.spots.map((spots) => spots.length)) - 1;
  }

  /** The rounds that every run has finished; each is summed up once. */
  get summary(): Summary {
    const { middle, low, high } = this.known;
    for (let round = middle.length; round <= this.done; round++) {
      const gaps = this.spots.map((spots) => spots[round].gap ?? 0).sort((a, b) => a - b);
      middle.push(between(gaps, 0.5));
      low.push(between(gaps, 0.1));
      high.push(between(gaps, 0.9));
    }
    return this.known;
  }

  get talks(): boolean {
    return this.settings.mover === "agents";
  }

  /** Compute up to this round. Agents go round by round, so that what they say can be kept. */
  compute(until: number): void {
    this.until = until;
    if (this.done < until) this.runs.play(this.talks ? this.done + 1 : until);
  }

  pause(): void {
    this.until = 0;
    this.runs.pause();
  }

  stop(): void {
    this.ended = true;
    this.runs.stop();
  }

  private async rest(): Promise<void> {
    if (this.ended) return;
    if (this.talks) {
      const at = this.done;
      try {
        const said = await this.runs.sayAll();
        if (this.ended) return;
        this.said[at] = said;
        this.update();
      } catch {
        // What they said is lost, and only that: the run goes on.
      }
      if (this.done < this.until) {
        this.runs.play(this.done + 1);
        return;
      }
    }
    this.news.idle?.();
  }
}

/** Where a run was, as places on the map. */
export function places(spots: readonly { size: number; average: number | null }[]): Place[] {
  return spots.flatMap(({ size, average }) => (average === null ? [] : [{ x: size, y: average }]));
}

/** The value below which a share of the numbers lies. */
export function quantile(values: readonly number[], share: number): number {
  return between(
    [...values].sort((a, b) => a - b),
    share,
  );
}

function between(sorted: readonly number[], share: number): number {
  if (!sorted.length) return Number.NaN;
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}
