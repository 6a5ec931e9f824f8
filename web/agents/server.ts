/** What computes runs, in a worker or, where there is none, on the page's thread: a slice at a time. */
import {
  type Decision,
  type EvolutionState,
  type Proposal,
  propose,
  roundOf,
  type SilentChooser,
  settle,
  startEvolution,
  step,
} from "../engine/evolution.ts";
import { type GenerationState, generationOf, passOn, startGenerations } from "../engine/generations.ts";
import { minimalLanguage } from "../engine/minimal.ts";
import { Random } from "../engine/random.ts";
import { RequestError, type System, sizeOf } from "../engine/system.ts";
import { type Kernels, loadKernel, Pair } from "./pair.ts";
import type { Progress, RunRound, RunSettings, Said } from "./settings.ts";

/** What the page asks for. */
export type Request =
  | { type: "start"; settings: RunSettings; runs: number; kernels: Kernels | null }
  | { type: "play"; until: number; delay: number }
  | { type: "step" }
  | { type: "pause" }
  | { type: "say"; id: number };

/** What it is told. */
export type Answer =
  | { type: "rounds"; news: { run: number; rounds: RunRound[] }[] }
  | { type: "progress"; progress: Progress }
  | { type: "idle" }
  | { type: "error"; sentence: string }
  | { type: "said"; id: number; said: Said[] | null };

/** The most runs at once; each pair of agents takes some megabytes. */
export const MOST_RUNS = 1000;
export const MOST_PAIRS = 8;
/** Milliseconds between two pieces of news from agents, and between two deliveries of rounds: a page draws each. */
const NEWS = 250;
const DELIVERY = 100;

/** One run: `work` goes on for a few milliseconds and returns a round if one was finished. */
interface Run {
  readonly round: number;
  begin(): RunRound | null;
  work(milliseconds: number): RunRound | null;
  say?(): Said[];
  progress?(): Omit<Progress, "run"> | null;
}

/** Where a run was, and nothing of how it came there: what is not read need not be copied to the page's thread. */
function brief(round: RunRound): RunRound {
  if (round.kind === "round") return { ...round, proposal: null, decision: null };
  return { ...round, numbersHeard: [], heard: null, lost: null, restored: null, invented: null };
}

/** Makes a handler of requests that sends its answers; `slice` is how many milliseconds it computes at a stretch. */
export function serve(send: (answer: Answer) => void, slice: number): (request: Request) => void {
  let runs: Run[] = [];
  let until = 0;
  let delay = 0;
  let playing = false;
  let pumping = false;
  let ready: Promise<void> = Promise.resolve();
  let news: RunRound[][] = [];
  let delivered = 0;

  async function start({ settings, runs: count, kernels }: Extract<Request, { type: "start" }>): Promise<void> {
    const most = settings.mover === "agents" ? MOST_PAIRS : MOST_RUNS;
    if (!Number.isInteger(count) || count < 1 || count > most) {
      throw new RequestError(`${count} runs cannot be made; choose 1 to ${most}.`);
    }
    const made: Run[] = [];
    for (let i = 0; i < count; i++) made.push(await makeRun({ ...settings, seed: settings.seed + i }, kernels));
    runs = made;
    news = runs.map((run) => {
      const first = run.begin();
      return first ? [first] : [];
    });
    deliver();
  }

  function deliver(): void {
    const found = news.map((rounds, run) => ({ run, rounds })).filter((each) => each.rounds.length);
    if (found.length) send({ type: "rounds", news: found });
    news = runs.map(() => []);
    delivered = performance.now();
  }

  function pump(): void {
    pumping = false;
    if (!playing) return;
    const end = performance.now() + slice;
    let passed = false;
    try {
      do {
        const round = Math.min(...runs.map((run) => run.round));
        passed = round >= until;
        if (passed) break;
        runs.forEach((run, i) => {
          if (run.round !== round || performance.now() >= end) return;
          const done = run.work(end - performance.now());
          if (done) news[i].push(i ? brief(done) : done);
        });
      } while (!delay && performance.now() < end);
    } catch (error) {
      playing = false;
      send({ type: "error", sentence: sentenceOf(error) });
      return;
    }
    const finished = Math.min(...runs.map((run) => run.round)) >= until;
    const isNew = news.some((rounds) => rounds.length);
    if (passed || finished || delay || performance.now() - delivered > DELIVERY) deliver();
    runs.forEach((run, i) => {
      const progress = run.progress?.();
      if (progress) send({ type: "progress", progress: { ...progress, run: i } });
    });
    if (passed || finished) {
      playing = false;
      send({ type: "idle" });
    } else {
      go(delay && isNew ? delay : 0);
    }
  }

  function go(after: number): void {
    if (pumping) return;
    pumping = true;
    setTimeout(pump, after);
  }

  function play(round: number, wait: number): void {
    until = round;
    delay = wait;
    playing = true;
    go(0);
  }

  return (request) => {
    if (request.type === "start") {
      ready = start(request).catch((error) => send({ type: "error", sentence: sentenceOf(error) }));
      return;
    }
    void ready.then(() => {
      if (!runs.length) return;
      if (request.type === "play") play(request.until, request.delay);
      else if (request.type === "step") play(Math.min(...runs.map((run) => run.round)) + 1, 0);
      else if (request.type === "say") send({ type: "said", id: request.id, said: runs[0].say?.() ?? null });
      else if (playing) {
        playing = false;
        deliver();
        send({ type: "idle" });
      }
    });
  };
}

function sentenceOf(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return `The run has failed (${error instanceof Error ? error.message : error}); reload the page to start again.`;
}

async function makeRun(settings: RunSettings, kernels: Kernels | null): Promise<Run> {
  if (settings.mover === "passing-on") return new Chain(settings);
  if (settings.mover !== "agents") return new Silent(settings, settings.mover);
  if (!kernels) throw new RequestError("The agents are missing from this page; load it again.");
  return new Talking(settings, await loadKernel(kernels));
}

/** Algorithm 1 without agents. */
class Silent implements Run {
  private readonly settings: RunSettings;
  private readonly chooser: SilentChooser;
  private state: EvolutionState;

  constructor(settings: RunSettings, chooser: SilentChooser) {
    this.settings = settings;
    this.chooser = chooser;
    this.state = startEvolution(settings);
  }

  get round(): number {
    return this.state.round;
  }

  begin(): RunRound {
    return { ...roundOf(this.state, this.settings, null, null), kind: "round", talk: null };
  }

  work(): RunRound {
    const { state, round } = step(this.state, this.chooser, this.settings);
    this.state = state;
    return { ...round, kind: "round", talk: null };
  }
}

/** A language that is passed on. */
class Chain implements Run {
  private readonly settings: RunSettings;
  private state: GenerationState;

  constructor(settings: RunSettings) {
    this.settings = settings;
    this.state = startGenerations(settings);
  }

  get round(): number {
    return this.state.generation;
  }

  begin(): RunRound {
    return { ...generationOf(this.state, this.settings), kind: "generation", round: 0 };
  }

  work(): RunRound {
    const { state, generation } = passOn(this.state, this.settings);
    this.state = state;
    return { ...generation, kind: "generation", round: state.generation };
  }
}

/** Algorithm 1 with agents; round 0 is what they learn of the start before the first modification. */
class Talking implements Run {
  private readonly settings: RunSettings;
  private readonly pair: Pair;
  private state: EvolutionState;
  private proposal: Proposal | null = null;
  private finished = -1;
  private talking = false;
  private done = 0;
  /** The arm whose system is the current one. */
  private arm = 0;
  private chunk = 1;
  private sinceNews = { steps: 0, won: 0, began: performance.now() };

  constructor(settings: RunSettings, kernel: Awaited<ReturnType<typeof loadKernel>>) {
    this.settings = settings;
    this.state = startEvolution(settings);
    const random = new Random(settings.seed).spawn();
    this.pair = new Pair(kernel, settings.game, settings.gameUpto, settings.effort, random);
    this.talk([this.state.system]);
  }

  /** Round 0 is finished only when agents have talked about the start. */
  get round(): number {
    return this.finished;
  }

  begin(): null {
    return null;
  }

  work(milliseconds: number): RunRound | null {
    if (!this.talking) this.propose();
    const steps = this.finished < 0 ? this.settings.game.pretraining : this.settings.game.steps;
    const end = performance.now() + milliseconds;
    while (this.talking && this.done < steps && performance.now() < end) {
      const began = performance.now();
      const count = Math.min(this.chunk, steps - this.done);
      this.sinceNews.won += this.pair.play(count);
      this.sinceNews.steps += count;
      this.done += count;
      // Some five milliseconds between two looks at the clock.
      if (count === this.chunk)
        this.chunk = performance.now() - began < 5 ? this.chunk * 2 : Math.max(1, this.chunk >> 1);
    }
    return this.talking && this.done < steps ? null : this.settle();
  }

  say(): Said[] {
    return this.pair.sayAll(this.arm);
  }

  progress(): Omit<Progress, "run"> | null {
    const { steps, won, began } = this.sinceNews;
    const seconds = (performance.now() - began) / 1000;
    if (!steps || seconds * 1000 < NEWS) return null;
    this.sinceNews = { steps: 0, won: 0, began: performance.now() };
    return {
      round: this.finished + 1,
      done: this.done,
      steps: this.finished < 0 ? this.settings.game.pretraining : this.settings.game.steps,
      won: won / (steps * this.settings.game.batch),
      competence: this.pair.competence(this.arm, this.settings.need),
      stepsPerSecond: steps / seconds,
    };
  }

  private talk(systems: readonly System[]): void {
    const said = systems.map((system) => minimalLanguage(system, this.settings.gameUpto).tokens());
    this.pair.begin(said, this.settings.need);
    this.talking = true;
    this.arm = 0;
    this.done = 0;
  }

  private propose(): void {
    this.proposal = propose(this.state, this.settings);
    if (this.proposal) this.talk([this.state.system, this.proposal.alternative]);
  }

  /** Keeps the system of the higher value, less what its words cost; a tie keeps the current one. */
  private settle(): RunRound {
    const { settings, state, proposal, pair } = this;
    const talked = this.talking;
    this.talking = false;
    this.finished++;
    let decision: Decision | null = null;
    if (proposal) {
      decision = this.decided(state.system, proposal.alternative);
      this.state = settle(state, proposal, decision, new Random(proposal.random));
      this.arm = Number(decision.accepted);
    } else if (this.finished > 0) {
      this.state = { ...state, round: this.finished };
    }
    const arms = proposal ? [0, 1] : [0];
    const talk = talked && {
      q: arms.map((arm) => pair.kernel.value(arm)),
      uses: arms.map((arm) => pair.kernel.used(arm)),
      won: pair.won(),
      ...pair.competence(this.arm, settings.need),
    };
    return { ...roundOf(this.state, settings, proposal, decision), kind: "round", talk: talk || null };
  }

  private decided(current: System, alternative: System): Decision {
    const [now, then] = [current, alternative].map(
      (system, arm) => this.pair.kernel.value(arm) - this.settings.word * sizeOf(system),
    );
    const accepted = then > now;
    const scores = `${then.toFixed(2)} against ${now.toFixed(2)}`.replaceAll("-", "−");
    const reason = accepted ? `The agents did better with it (${scores}).` : `They did no better with it (${scores}).`;
    return { accepted, reason };
  }
}
