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

import { kernels } from "kernels";
import source from "worker-source";
import type { Kernels } from "./pair.ts";
import { type Answer, type Request, serve } from "./server.ts";
import type { Progress, RunRound, RunSettings, Said } from "./settings.ts";

export * from "./settings.ts";

export interface RunEvents {
  /** How many runs; each has its own seed, `settings.seed` and up. With agents 1 is what a browser can do. */
  runs: number;
  /**
   * News of a run: rounds that were finished since the last news, in order. Batched, a few times a second. Of runs but
   * the first (0) only where they were is told, not what was proposed, heard or lost.
   */
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

/** Starts runs; they report round 0 at once (agents, when they have talked about the start) and wait for `play`. */
export function startRuns(settings: RunSettings, events: RunEvents): Runs {
  let stopped = false;
  let asked = 0;
  const waiting = new Map<number, (said: Said[] | null) => void>();
  const hear = (answer: Answer): void => {
    if (stopped) return;
    if (answer.type === "rounds") for (const { run, rounds } of answer.news) events.onRounds(run, rounds);
    else if (answer.type === "progress") events.onProgress?.(answer.progress);
    else if (answer.type === "idle") events.onIdle?.();
    else if (answer.type === "error") events.onError(answer.sentence);
    else {
      waiting.get(answer.id)?.(answer.said);
      waiting.delete(answer.id);
    }
  };
  const server = connect(hear);
  const sayAll = async (): Promise<Said[]> => {
    const id = ++asked;
    const said = await new Promise<Said[] | null>((resolve) => {
      waiting.set(id, resolve);
      server.send({ type: "say", id });
    });
    if (!said) throw new Error("Nobody talks in these runs.");
    return said;
  };
  const needed: Kernels | null = settings.mover === "agents" ? kernels() : null;
  server.send({ type: "start", settings, runs: events.runs, kernels: needed });
  return {
    play: (until, delay = 0) => server.send({ type: "play", until, delay }),
    pause: () => server.send({ type: "pause" }),
    step: () => server.send({ type: "step" }),
    say: async (number) => {
      const found = (await sayAll())[number - 1];
      if (!found) throw new Error(`Nobody talks about ${number} in these runs.`);
      return found;
    },
    sayAll,
    stop: () => {
      stopped = true;
      server.end();
    },
  };
}

interface Server {
  send(request: Request): void;
  end(): void;
}

/** Milliseconds at a stretch: in a worker nobody waits, on the page's thread no frame may be late. */
const SLICE = 8;

/** A worker made of the page's own code; where that is not allowed, the same code on this thread. */
function connect(hear: (answer: Answer) => void): Server {
  try {
    return inWorker(hear);
  } catch {
    return onThisThread(hear);
  }
}

function onThisThread(hear: (answer: Answer) => void): Server {
  const handle = serve(hear, SLICE);
  return { send: handle, end: () => handle({ type: "pause" }) };
}

function inWorker(hear: (answer: Answer) => void): Server {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(address);
  const asked: Request[] = [];
  let answered = false;
  let instead: Server | null = null;
  worker.onmessage = (event: MessageEvent<Answer>) => {
    answered = true;
    hear(event.data);
  };
  // Some browsers refuse a worker only after it was made: then it has answered nothing, and all is asked again here.
  worker.onerror = (event) => {
    if (answered) {
      hear({ type: "error", sentence: `The run has failed (${event.message}).` });
      return;
    }
    worker.terminate();
    instead ??= onThisThread(hear);
    for (const request of asked.splice(0)) instead.send(request);
  };
  return {
    send: (request) => {
      if (!answered && !instead) asked.push(request);
      if (instead) instead.send(request);
      else worker.postMessage(request);
    },
    end: () => {
      instead?.end();
      worker.terminate();
      URL.revokeObjectURL(address);
    },
  };
}
