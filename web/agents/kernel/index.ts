/**
 * The signalling game: a speaker and a listener, REINFORCE with entropy, Adam, and the bandit between two systems.
 *
 * The page's side writes what a game is about into this module's memory and calls `play`; the parts of a step are
 * exported too, so that tests can compare gradients with Python on batches of their own.
 */
import {
  Agent,
  backPolicy,
  backThink,
  credit,
  drawn,
  grow,
  improve,
  int,
  inverted,
  likeliest,
  makeAgent,
  makeRoom,
  nodeOf,
  nodesOf,
  policy,
  room,
  setInt,
  think,
} from "./agent";

/** Whether this build uses vectors. */
export const SIMD: bool = ASC_FEATURE_SIMD;
/** Steps at the end of a round of which the games won are remembered. */
export const WINDOW: i32 = 500;

let upto: i32 = 0;
let batch: i32 = 0;
let longest: i32 = 0;
let arms: i32 = 0;
let speaker: Agent = changetype<Agent>(0);
let listener: Agent = changetype<Agent>(0);

// A batch, as arrays of int32; rewards are float64.
let numbers: usize = 0;
let tokens: usize = 0;
let lengths: usize = 0;
let messages: usize = 0;
let guesses: usize = 0;
let rewards: usize = 0;
// The expressions of the arms, (arms, range, longest) and (arms, range), and running sums of the need.
let armTokens: usize = 0;
let armLengths: usize = 0;
let need: usize = 0;
// A round: the bandit's values, uses, steps, and games won in each of the last steps.
const q: usize = memory.data(16);
const uses: usize = memory.data(8);
let won: usize = 0;
let steps: i32 = 0;

let speakerEntropy: f64 = 0;
let lostEntropy: f64 = 0;
let listenerEntropy: f64 = 0.1;
let learningRate: f64 = 0.002;
let alpha: f64 = 0.1;
let epsilon: f64 = 0.2;
let effort: f64 = 0;

// sfc32, as on the page's side.
let s0: u32 = 0;
let s1: u32 = 0;
let s2: u32 = 0;
let s3: u32 = 0;

export function seed(a: u32, b: u32, c: u32, d: u32): void {
  s0 = a;
  s1 = b;
  s2 = c;
  s3 = d;
}

function bits(): u32 {
  const sum = s0 + s1 + s3;
  s3++;
  s0 = s1 ^ (s1 >> 9);
  s1 = s2 + (s2 << 3);
  s2 = rotl<u32>(s2, 21) + sum;
  return sum;
}

function random(): f64 {
  const high = <f64>(bits() >> 5);
  return (high * 67108864 + <f64>(bits() >> 6)) / 9007199254740992;
}

/** Makes two agents whose parameters are zero; sizes as `GameSettings` has them. */
export function make(range: i32, symbols: i32, embedding: i32, hidden: i32, games: i32): void {
  upto = range;
  batch = games;
  speaker = makeAgent(range + 3, embedding, hidden, symbols);
  listener = makeAgent(symbols, embedding, hidden, range);
  const most = max(games, range);
  numbers = room(most);
  lengths = room(most);
  guesses = room(most);
  rewards = room(2 * most);
  need = room(2 * range);
  won = room(WINDOW);
  armLengths = room(2 * range);
}

export function options(
  speakerWeight: f64,
  lostWeight: f64,
  listenerWeight: f64,
  rate: f64,
  banditRate: f64,
  greed: f64,
  cost: f64,
): void {
  speakerEntropy = speakerWeight;
  lostEntropy = lostWeight;
  listenerEntropy = listenerWeight;
  learningRate = rate;
  alpha = banditRate;
  epsilon = greed;
  effort = cost;
}

/** Begins a round with so many systems, whose longest expression has so many tokens. */
export function begin(systems: i32, length: i32): void {
  arms = systems;
  const games = max(batch, upto);
  if (length > longest) {
    longest = (length + 7) & -8;
    tokens = room(games * longest);
    messages = room(games * longest);
    armTokens = room(2 * upto * longest);
    makeRoom(speaker, games, longest);
    makeRoom(listener, games, longest);
  }
  store<f64>(q, 0);
  store<f64>(q, 0, 8);
  store<i32>(uses, 0);
  store<i32>(uses, 0, 4);
  steps = 0;
}

// Where the page's side reads and writes.
export function stride(): i32 {
  return longest;
}
export function needPlace(): usize {
  return need;
}
export function armTokensPlace(): usize {
  return armTokens;
}
export function armLengthsPlace(): usize {
  return armLengths;
}
export function batchPlace(which: i32): usize {
  if (which == 0) return numbers;
  if (which == 1) return tokens;
  if (which == 2) return lengths;
  if (which == 3) return messages;
  if (which == 4) return guesses;
  return rewards;
}
export function wonPlace(): usize {
  return won;
}
export function stepsPlayed(): i32 {
  return steps;
}
export function value(arm: i32): f64 {
  return load<f64>(q + (<usize>arm << 3));
}
export function used(arm: i32): i32 {
  return int(uses, arm);
}
/** An agent (0 the speaker, 1 the listener): its parameters, its gradient, or the bytes before one of its matrices. */
export function place(who: i32, what: i32): usize {
  const agent = who == 0 ? speaker : listener;
  if (what == 0) return agent.value;
  if (what == 1) return agent.gradient;
  if (what == 2) return agent.wInput;
  if (what == 3) return agent.wHidden;
  if (what == 4) return agent.bInput;
  if (what == 5) return agent.bHidden;
  if (what == 6) return agent.wOutput;
  if (what == 7) return agent.bOutput;
  return <usize>agent.width;
}

/** Looks the expression of a game's number up. */
function look(game: i32, arm: i32, number: i32): void {
  setInt(numbers, game, number);
  setInt(lengths, game, int(armLengths, arm * upto + number));
  const source = armTokens + (<usize>((arm * upto + number) * longest) << 2);
  memory.copy(tokens + (<usize>(game * longest) << 2), source, <usize>longest << 2);
}

/** The speaker reads the tokens of so many games, and acts after each. */
export function hearTokens(games: i32): void {
  grow(speaker, tokens, longest, lengths, games);
  think(speaker);
  const nodes = nodesOf(speaker);
  memory.copy(speaker.acts, speaker.state, <usize>(nodes * speaker.hidden) << 2);
  policy(speaker, nodes);
}

/** The listener reads the messages, and acts after the last symbol. */
export function hearMessages(games: i32): void {
  grow(listener, messages, longest, lengths, games);
  think(listener);
  const bytes = <usize>listener.hidden << 2;
  memory.fill(listener.row, 0xff, <usize>nodesOf(listener) << 2);
  let rows = 0;
  for (let game = 0; game < games; game++) {
    const node = nodeOf(listener, game, int(lengths, game) - 1);
    if (int(listener.row, node) >= 0) continue;
    setInt(listener.row, node, rows);
    memory.copy(listener.acts + <usize>rows * bytes, listener.state + <usize>node * bytes, bytes);
    rows++;
  }
  policy(listener, rows);
}

@inline
function listenerRow(game: i32): i32 {
  return int(listener.row, nodeOf(listener, game, int(lengths, game) - 1));
}

function sampleMessages(games: i32): void {
  for (let game = 0; game < games; game++) {
    for (let position = 0, last = int(lengths, game); position < last; position++) {
      setInt(messages, game * longest + position, drawn(speaker, nodeOf(speaker, game, position), random()));
    }
  }
}

function sampleGuesses(games: i32): void {
  for (let game = 0; game < games; game++) {
    const guess = drawn(listener, listenerRow(game), random());
    setInt(guesses, game, guess);
    store<f64>(rewards + (<usize>game << 3), guess == int(numbers, game) ? 1 : 0);
  }
}

/** Gradients of both agents for the batch as it stands. */
export function gradients(games: i32): void {
  let rows = 0;
  for (let game = 0; game < games; game++) {
    const reward = <f32>load<f64>(rewards + (<usize>game << 3));
    const lost = int(guesses, game) != int(numbers, game);
    const entropy = speakerEntropy + (lost ? lostEntropy : 0);
    for (let position = 0, last = int(lengths, game); position < last; position++) {
      credit(speaker, nodeOf(speaker, game, position), int(messages, game * longest + position), reward, entropy);
    }
    const row = listenerRow(game);
    rows = max(rows, row + 1);
    credit(listener, row, int(guesses, game), reward, listenerEntropy);
  }
  backPolicy(listener, rows, games);
  const bytes = <usize>listener.hidden << 2;
  for (let node = 0, last = nodesOf(listener); node < last; node++) {
    const row = int(listener.row, node);
    const target = listener.dHidden + <usize>node * bytes;
    if (row < 0) memory.fill(target, 0, bytes);
    else memory.copy(target, listener.dState + <usize>row * bytes, bytes);
  }
  backThink(listener);
  const nodes = nodesOf(speaker);
  backPolicy(speaker, nodes, games);
  memory.copy(speaker.dHidden, speaker.dState, <usize>nodes * bytes);
  backThink(speaker);
}

/** Adam for both agents. */
export function learn(): void {
  improve(listener, learningRate);
  improve(speaker, learningRate);
}

/** The arm with more; a coin decides between equals. */
function prefer(first: f64, second: f64): i32 {
  if (first == second) return random() < 0.5 ? 0 : 1;
  return first > second ? 0 : 1;
}

/** The arm of a step: with probability epsilon the one of higher value, otherwise the less used one. */
function choose(): i32 {
  if (arms == 1) return 0;
  if (1 - epsilon <= random()) return prefer(load<f64>(q), load<f64>(q, 8));
  return prefer(-(<f64>int(uses, 0)), -(<f64>int(uses, 1)));
}

/** Plays so many steps of the round and learns from each; returns the games won. */
export function play(count: i32): i32 {
  let total = 0;
  for (let t = 0; t < count; t++) {
    const arm = choose();
    for (let game = 0; game < batch; game++) look(game, arm, inverted(need, upto, random()));
    hearTokens(batch);
    sampleMessages(batch);
    hearMessages(batch);
    sampleGuesses(batch);
    gradients(batch);
    learn();
    let right = 0;
    let symbols = 0;
    for (let game = 0; game < batch; game++) {
      right += int(guesses, game) == int(numbers, game) ? 1 : 0;
      symbols += int(lengths, game) - 1;
    }
    const score = (<f64>right - effort * <f64>symbols) / <f64>batch;
    const place = q + (<usize>arm << 3);
    store<f64>(place, load<f64>(place) + alpha * (score - load<f64>(place)));
    setInt(uses, arm, int(uses, arm) + 1);
    setInt(won, steps % WINDOW, right);
    steps++;
    total += right;
  }
  return total;
}

/** Lets both agents take their likeliest symbols for every number of an arm; the batch then has messages and guesses. */
export function best(arm: i32): void {
  for (let number = 0; number < upto; number++) look(number, arm, number);
  hearTokens(upto);
  for (let game = 0; game < upto; game++) {
    for (let position = 0, last = int(lengths, game); position < last; position++) {
      setInt(messages, game * longest + position, likeliest(speaker, nodeOf(speaker, game, position)));
    }
  }
  hearMessages(upto);
  for (let game = 0; game < upto; game++) {
    const row = listenerRow(game);
    setInt(guesses, game, likeliest(listener, row));
    const right = listener.probability + (<usize>(row * listener.width + game) << 2);
    store<f64>(rewards + (<usize>game << 3), <f64>load<f32>(right));
  }
}
