/**
 * For tests and measurements: `node tests/answers.ts FILE.json` answers the questions of a file, one JSON line each.
 *
 * Python asks what the engine finds of the same systems, states and weights, and compares.
 */
import { readFileSync } from "node:fs";
import { type Kernel, loadKernel, Pair } from "../agents/pair.ts";
import { GAME_DEFAULTS, type GameSettings } from "../agents/settings.ts";
import * as engine from "../engine/index.ts";
import { shippedKernels } from "./shipped.ts";

interface Question {
  ask: keyof typeof ANSWERS;
  [name: string]: unknown;
}

const ANSWERS = {
  /** Average, leaves and expressions of systems. */
  languages({ systems }: { systems: { system: string; grammar: engine.GrammarName; need: string; upto: number }[] }) {
    return systems.map(({ system, grammar, need, upto }) => {
      const language = engine.minimalLanguage(engine.parseSystem(system, grammar), upto);
      const numbers = Array.from({ length: upto }, (_, i) => i + 1);
      const searched = numbers.map((n) => language.levels.number[n]);
      if (numbers.some((n) => language.leaves(n) !== searched[n - 1])) throw new Error(`two levels of ${system}`);
      return {
        ...engine.measureLanguage(language, need),
        texts: numbers.map((n) => language.text(n)),
        tokens: language.tokens().map((each) => each.join(" ")),
        bases: language.covers ? engine.outerBases(language.system, upto) : null,
      };
    });
  },
  /** What the builder of an exported page shows. */
  descriptions({ asked, languages }: { asked: engine.Asked[]; languages: engine.Known[] }) {
    return asked.map((each) => engine.describeSystem(each, languages));
  },
  /** What modifications lead to, from recorded states; where they draw, everything that could be drawn. */
  alternatives({ states }: { states: { system: string; grammar: engine.GrammarName; upto: number; add: string }[] }) {
    return states.map(({ system, grammar, upto, add }) =>
      engine
        .alternatives(engine.parseSystem(system, grammar), upto, add as engine.AddRule, new engine.Random(1))
        .map((each) => [each.action, engine.formatSystem(each.system)]),
    );
  },
  /** How often each alternative is drawn under a rule that draws. */
  drawn({ system, upto, add, times }: { system: string; upto: number; add: engine.AddRule; times: number }) {
    const random = new engine.Random(7);
    const counts: Record<string, number> = {};
    for (let i = 0; i < times; i++) {
      for (const each of engine.alternatives(engine.parseSystem(system), upto, add, random)) {
        const key = `${each.action} ${engine.formatSystem(each.system)}`;
        counts[key] = (counts[key] ?? 0) + 1;
      }
    }
    return counts;
  },
  /** Sizes and gaps of generations of ideal learners, of chains one after the other. */
  generations({
    settings,
    chains,
    length,
    every,
  }: {
    settings: Partial<engine.GenerationSettings>;
    chains: number;
    length: number;
    every: number;
  }) {
    const found: { size: number; gap: number | null }[] = [];
    for (let seed = 0; seed < chains; seed++) {
      const asked = { ...engine.GENERATION_DEFAULTS, ...settings, seed };
      let state = engine.startGenerations(asked);
      for (let i = 1; i <= length; i++) {
        const passed = engine.passOn(state, asked);
        state = passed.state;
        if (i % every === 0) found.push({ size: passed.generation.size, gap: passed.generation.gap });
      }
    }
    return found;
  },
  /** Where runs without agents end. */
  ends({ settings, chooser, runs, rounds }: EndsQuestion) {
    return Array.from({ length: runs }, (_, seed) => {
      const asked = { ...engine.EVOLUTION_DEFAULTS, ...settings, seed };
      let state = engine.startEvolution(asked);
      for (let i = 0; i < rounds; i++) state = engine.step(state, chooser, asked).state;
      return engine.measure(state.system, asked.need, asked.upto);
    });
  },
  /** Gradients of both agents for batches, from given weights; by matrix, without padding. */
  async gradients({ options, upto, weights, expressions, batches, simd }: GradientsQuestion) {
    const settings = { ...GAME_DEFAULTS, ...options };
    const kernel = await loadKernel(shippedKernels(), simd);
    if (Boolean(kernel.SIMD.value) !== simd) throw new Error("this is the other kernel");
    const pair = new Pair(kernel, settings, upto, 0, new engine.Random(0));
    pair.begin([expressions], "uniform");
    setWeights(pair, weights);
    return batches.map((batch) => gradientsOf(pair, batch, settings.batch));
  },
  /** The share of games won in blocks of steps, for seeds, and the steps a second. */
  async curves({ options, upto, start, need, seeds, steps, block, simd = true }: CurvesQuestion) {
    const said = [engine.minimalLanguage(engine.parseSystem(start), upto).tokens()];
    const settings = { ...GAME_DEFAULTS, ...options };
    const began = performance.now();
    const curves: number[][] = [];
    const numbers: number[] = [];
    for (let seed = 0; seed < seeds; seed++) {
      const pair = new Pair(await loadKernel(shippedKernels(), simd), settings, upto, 0, new engine.Random(seed));
      pair.begin(said, need);
      const won: number[] = [];
      for (let i = 0; i < steps; i += block) won.push(pair.play(block) / (block * settings.batch));
      curves.push(won);
      numbers.push(pair.competence(0, need).numbers);
    }
    return { curves, numbers, stepsPerSecond: (1000 * seeds * steps) / (performance.now() - began) };
  },
};

interface EndsQuestion {
  settings: Partial<engine.EvolutionSettings>;
  chooser: engine.SilentChooser;
  runs: number;
  rounds: number;
}

type Weights = Record<string, number[]>;

interface Batch {
  numbers: number[];
  messages: number[][];
  guesses: number[];
}

interface GradientsQuestion {
  options: Partial<GameSettings>;
  upto: number;
  /** For the speaker and the listener: each matrix row by row. */
  weights: [Weights, Weights];
  expressions: string[][];
  batches: Batch[];
  simd: boolean;
}

interface CurvesQuestion {
  options: Partial<GameSettings>;
  upto: number;
  start: string;
  need: string;
  seeds: number;
  steps: number;
  block: number;
  simd?: boolean;
}

function setWeights(pair: Pair, weights: [Weights, Weights]): void {
  weights.forEach((given, who) => {
    const floats = pair.floats(pair.kernel.place(who, 0));
    for (const { name, columns, start, stride } of pair.matrices(who)) {
      given[name].forEach((each, i) => {
        floats[start + Math.floor(i / columns) * stride + (i % columns)] = each;
      });
    }
  });
}

function gradientsOf(pair: Pair, batch: Batch, games: number): Weights[] {
  const { kernel, upto } = pair;
  const stride = kernel.stride();
  const ints = (which: number, size: number) => new Int32Array(kernel.memory.buffer, kernel.batchPlace(which), size);
  const armTokens = new Int32Array(kernel.memory.buffer, kernel.armTokensPlace(), upto * stride);
  const armLengths = new Int32Array(kernel.memory.buffer, kernel.armLengthsPlace(), upto);
  const rewards = new Float64Array(kernel.memory.buffer, kernel.batchPlace(5), games);
  batch.numbers.forEach((number, game) => {
    ints(0, games)[game] = number;
    ints(1, games * stride).set(armTokens.subarray(number * stride, (number + 1) * stride), game * stride);
    ints(2, games)[game] = armLengths[number];
    ints(3, games * stride).set(batch.messages[game], game * stride);
    ints(4, games)[game] = batch.guesses[game];
    rewards[game] = Number(batch.guesses[game] === number);
  });
  kernel.hearTokens(games);
  kernel.hearMessages(games);
  kernel.gradients(games);
  return [0, 1].map((who) => readMatrices(pair, kernel, who));
}

function readMatrices(pair: Pair, kernel: Kernel, who: number): Weights {
  const floats = pair.floats(kernel.place(who, 1));
  return Object.fromEntries(
    pair
      .matrices(who)
      .map(({ name, rows, columns, start, stride }) => [
        name,
        Array.from(
          { length: rows * columns },
          (_, i) => floats[start + Math.floor(i / columns) * stride + (i % columns)],
        ),
      ]),
  );
}

for (const question of JSON.parse(readFileSync(process.argv[2], "utf8")) as Question[]) {
  const answer = ANSWERS[question.ask] as (question: unknown) => unknown;
  console.log(JSON.stringify(await answer(question)));
}
