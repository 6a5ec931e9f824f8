/** Two agents as the page's side has them: the kernel's memory, filled and read. */
import { needWeights } from "../engine/need.ts";
import type { Random } from "../engine/random.ts";
import { RequestError } from "../engine/system.ts";
import type { Competence, GameSettings, Said } from "./settings.ts";

/** The kernel in its two builds. */
export interface Kernels {
  readonly simd: Uint8Array<ArrayBuffer>;
  readonly scalar: Uint8Array<ArrayBuffer>;
}

/** What the kernel exports; `web/agents/kernel/index.ts` explains each. */
export interface Kernel {
  readonly memory: WebAssembly.Memory;
  readonly SIMD: WebAssembly.Global;
  readonly WINDOW: WebAssembly.Global;
  seed(a: number, b: number, c: number, d: number): void;
  make(range: number, symbols: number, embedding: number, hidden: number, games: number): void;
  options(
    speaker: number,
    lost: number,
    listener: number,
    rate: number,
    alpha: number,
    epsilon: number,
    effort: number,
  ): void;
  begin(systems: number, length: number): void;
  stride(): number;
  needPlace(): number;
  armTokensPlace(): number;
  armLengthsPlace(): number;
  batchPlace(which: number): number;
  wonPlace(): number;
  stepsPlayed(): number;
  value(arm: number): number;
  used(arm: number): number;
  place(who: number, what: number): number;
  hearTokens(games: number): void;
  hearMessages(games: number): void;
  gradients(games: number): void;
  learn(): void;
  play(count: number): number;
  best(arm: number): void;
}

/** The kernel with vectors where the browser has them, else the scalar one; a sentence where it has neither. */
export async function loadKernel(kernels: Kernels, simd = true): Promise<Kernel> {
  if (typeof WebAssembly === "undefined") {
    throw new RequestError("Agents need WebAssembly, which this browser does not have; everything else works.");
  }
  const bytes = simd && WebAssembly.validate(kernels.simd) ? kernels.simd : kernels.scalar;
  const { instance } = await WebAssembly.instantiate(bytes, { env: { abort: fail } });
  return instance.exports as unknown as Kernel;
}

function fail(): never {
  throw new Error("The agents' kernel has stopped.");
}

/** The parameters of an agent by name, with (rows, columns) as in Python. */
export interface Matrix {
  readonly name: "embedding" | "w_input" | "w_hidden" | "b_input" | "b_hidden" | "w_output" | "b_output";
  readonly rows: number;
  readonly columns: number;
  /** Floats before it in the vector of parameters, and from row to row. */
  readonly start: number;
  readonly stride: number;
}

const OPERATORS = ["+", "-", "*"];

/** A speaker and a listener who learn to talk about 1..upto. */
export class Pair {
  readonly kernel: Kernel;
  readonly upto: number;
  private readonly settings: GameSettings;
  private expressions: string[][][] = [];

  /** Untrained agents, drawn as PyTorch initialises such layers. `effort` is what a further symbol costs a score. */
  constructor(kernel: Kernel, settings: GameSettings, upto: number, effort: number, random: Random) {
    if (!Number.isInteger(settings.hidden) || settings.hidden < 4 || settings.hidden % 4) {
      throw new RequestError(`Agents have ${settings.hidden} hidden units; choose a multiple of four.`);
    }
    this.kernel = kernel;
    this.settings = settings;
    this.upto = upto;
    kernel.make(upto, upto + OPERATORS.length, settings.embedding, settings.hidden, settings.batch);
    const { speakerEntropy, lostEntropy, listenerEntropy, learningRate, alpha, epsilon } = settings;
    kernel.options(speakerEntropy, lostEntropy, listenerEntropy, learningRate, alpha, epsilon, effort);
    const bound = 1 / Math.sqrt(settings.hidden);
    for (const who of [0, 1]) {
      for (const { name, rows, columns, start, stride } of this.matrices(who)) {
        const weights = this.floats(kernel.place(who, 0));
        for (let i = 0; i < rows * columns; i++) {
          const drawn = name === "embedding" ? random.normal() : bound * (2 * random.next() - 1);
          weights[start + Math.floor(i / columns) * stride + (i % columns)] = drawn;
        }
      }
    }
    kernel.seed(random.bits(), random.bits(), random.bits(), random.bits());
  }

  /** Begins a round of talk with the expressions of one system or two, tokens at index number - 1. */
  begin(arms: string[][][], need: string): void {
    const { kernel, upto } = this;
    this.expressions = arms;
    kernel.begin(arms.length, Math.max(...arms.flat().map((each) => each.length)));
    const stride = kernel.stride();
    const tokens = new Int32Array(kernel.memory.buffer, kernel.armTokensPlace(), arms.length * upto * stride);
    const lengths = new Int32Array(kernel.memory.buffer, kernel.armLengthsPlace(), arms.length * upto);
    arms.flat().forEach((expression, row) => {
      lengths[row] = expression.length;
      expression.forEach((token, i) => {
        tokens[row * stride + i] = this.token(token);
      });
    });
    let sum = 0;
    const running = needWeights(need, upto).map((each) => {
      sum += each;
      return sum;
    });
    new Float64Array(kernel.memory.buffer, kernel.needPlace(), upto).set(running);
  }

  /** Plays so many steps; returns the games won. */
  play(steps: number): number {
    return this.kernel.play(steps);
  }

  /** Share of games won in the last 500 steps of the round. */
  won(): number {
    const window = Math.min(this.kernel.stepsPlayed(), this.kernel.WINDOW.value);
    const won = new Int32Array(this.kernel.memory.buffer, this.kernel.wonPlace(), window);
    return window ? won.reduce((sum, each) => sum + each, 0) / (window * this.settings.batch) : 0;
  }

  /** What both agents do with every number of an arm, from 1 up, if they take their likeliest symbols. */
  sayAll(arm: number): Said[] {
    const { kernel, upto } = this;
    kernel.best(arm);
    const stride = kernel.stride();
    const lengths = new Int32Array(kernel.memory.buffer, kernel.batchPlace(2), upto);
    const messages = new Int32Array(kernel.memory.buffer, kernel.batchPlace(3), upto * stride);
    const guesses = new Int32Array(kernel.memory.buffer, kernel.batchPlace(4), upto);
    const chances = new Float64Array(kernel.memory.buffer, kernel.batchPlace(5), upto);
    return this.expressions[arm].map((expression, i) => ({
      number: i + 1,
      expression: expression.join(" "),
      message: [...messages.subarray(i * stride, i * stride + lengths[i])],
      heard: guesses[i] + 1,
      probability: chances[i],
    }));
  }

  competence(arm: number, need: string): Competence {
    const said = this.sayAll(arm);
    const weights = needWeights(need, this.upto);
    const right = said.filter((each) => each.heard === each.number);
    return {
      accuracy: right.reduce((sum, each) => sum + weights[each.number - 1], 0),
      numbers: right.length,
      messages: new Set(said.map((each) => each.message.join(" "))).size,
    };
  }

  /** Where the matrices of an agent (0 the speaker, 1 the listener) lie in its vector of parameters. */
  matrices(who: number): Matrix[] {
    const { embedding, hidden } = this.settings;
    const symbols = this.upto + OPERATORS.length;
    const [alphabet, outputs] = who === 0 ? [symbols, symbols] : [symbols, this.upto];
    const start = (what: number) => this.kernel.place(who, what) / 4;
    const [gates, width] = [4 * hidden, this.kernel.place(who, 8)];
    return [
      { name: "embedding", rows: alphabet, columns: embedding, start: 0, stride: embedding },
      { name: "w_input", rows: embedding, columns: gates, start: start(2), stride: gates },
      { name: "w_hidden", rows: hidden, columns: gates, start: start(3), stride: gates },
      { name: "b_input", rows: 1, columns: gates, start: start(4), stride: gates },
      { name: "b_hidden", rows: 1, columns: gates, start: start(5), stride: gates },
      { name: "w_output", rows: hidden, columns: outputs, start: start(6), stride: width },
      { name: "b_output", rows: 1, columns: outputs, start: start(7), stride: width },
    ];
  }

  /** The kernel's memory from a place on. */
  floats(place: number): Float32Array {
    return new Float32Array(this.kernel.memory.buffer, place);
  }

  private token(text: string): number {
    const operator = OPERATORS.indexOf(text);
    return operator < 0 ? Number(text) - 1 : this.upto + operator;
  }
}
