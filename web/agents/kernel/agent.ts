/**
 * An agent: an embedding, an LSTM over the prefix tree of a batch, an output layer as a policy, and Adam.
 *
 * Strings that begin alike share their nodes, as in Python. Nodes are numbered level by level, so a level is a run of
 * rows and parents come before their children. Gates are in PyTorch's order: input, forget, cell, output.
 */
import { activate, adam, add, deactivate, exponentials, forward, LANES, toInputs, toWeights } from "./vectors";

/** `size` rounded up to whole vectors. */
@inline
function padded(size: i32): i32 {
  return (size + LANES - 1) & -LANES;
}

/** Zeros for so many numbers of four bytes. */
export function room(size: i32): usize {
  const bytes = <usize>size << 2;
  const place = heap.alloc(bytes);
  memory.fill(place, 0, bytes);
  return place;
}

@inline
export function int(base: usize, index: i32): i32 {
  return load<i32>(base + (<usize>index << 2));
}

@inline
export function setInt(base: usize, index: i32, value: i32): void {
  store<i32>(base + (<usize>index << 2), value);
}

@unmanaged
export class Agent {
  alphabet: i32;
  embedding: i32;
  hidden: i32;
  gates: i32;
  outputs: i32;
  /** Outputs, padded. */
  width: i32;
  /** Parameters as one vector, its gradient and Adam's moments; `size` floats each. */
  size: i32;
  value: usize;
  gradient: usize;
  mean: usize;
  square: usize;
  /** Powers of Adam's two rates of decay. */
  decay1: f64;
  decay2: f64;
  /** Where each matrix begins in the vector, in bytes. */
  wInput: usize;
  wHidden: usize;
  bInput: usize;
  bHidden: usize;
  wOutput: usize;
  bOutput: usize;
  /** The prefix tree: room for `games` strings of `length`. */
  games: i32;
  length: i32;
  parent: usize;
  symbol: usize;
  starts: usize;
  levels: i32;
  node: usize;
  child: usize;
  /** What the LSTM remembers, a row a node. */
  gate: usize;
  cell: usize;
  squashed: usize;
  state: usize;
  previous: usize;
  dHidden: usize;
  dCell: usize;
  slot: usize;
  used: usize;
  inUse: i32;
  embedded: usize;
  dEmbedded: usize;
  table: usize;
  zero: usize;
  waste: usize;
  /** The policy, a row for each state in which the agent acts. */
  row: usize;
  acts: usize;
  probability: usize;
  logarithm: usize;
  cumulative: usize;
  pull: usize;
  entropy: usize;
  dState: usize;
}

/** An agent whose every parameter is zero. */
export function makeAgent(alphabet: i32, embedding: i32, hidden: i32, outputs: i32): Agent {
  const agent = changetype<Agent>(heap.alloc(offsetof<Agent>()));
  memory.fill(changetype<usize>(agent), 0, offsetof<Agent>());
  agent.alphabet = alphabet;
  agent.embedding = embedding;
  agent.hidden = hidden;
  agent.gates = 4 * hidden;
  agent.outputs = outputs;
  agent.width = padded(outputs);
  let floats = padded(alphabet * embedding);
  agent.wInput = <usize>floats << 2;
  floats += embedding * agent.gates;
  agent.wHidden = <usize>floats << 2;
  floats += hidden * agent.gates;
  agent.bInput = <usize>floats << 2;
  floats += agent.gates;
  agent.bHidden = <usize>floats << 2;
  floats += agent.gates;
  agent.wOutput = <usize>floats << 2;
  floats += hidden * agent.width;
  agent.bOutput = <usize>floats << 2;
  floats += agent.width;
  agent.size = floats;
  agent.value = room(floats);
  agent.gradient = room(floats);
  agent.mean = room(floats);
  agent.square = room(floats);
  agent.decay1 = 1;
  agent.decay2 = 1;
  return agent;
}

/** Makes room for batches of `games` strings of up to `length` symbols; what was there for larger ones is kept. */
export function makeRoom(agent: Agent, games: i32, length: i32): void {
  if (games <= agent.games && length <= agent.length) return;
  games = max(games, agent.games);
  length = max(length, agent.length);
  const nodes = games * length;
  agent.games = games;
  agent.length = length;
  agent.parent = room(nodes);
  agent.symbol = room(nodes);
  agent.starts = room(length + 1);
  agent.levels = 0;
  agent.node = room(nodes);
  agent.child = room((nodes + 1) * agent.alphabet);
  memory.fill(agent.child, 0xff, <usize>((nodes + 1) * agent.alphabet) << 2);
  agent.gate = room(nodes * agent.gates);
  agent.cell = room(nodes * agent.hidden);
  agent.squashed = room(nodes * agent.hidden);
  agent.state = room(nodes * agent.hidden);
  agent.previous = room(nodes * agent.hidden);
  agent.dHidden = room(nodes * agent.hidden);
  agent.dCell = room(nodes * agent.hidden);
  agent.slot = room(agent.alphabet);
  memory.fill(agent.slot, 0xff, <usize>agent.alphabet << 2);
  agent.used = room(agent.alphabet);
  agent.inUse = 0;
  agent.embedded = room(agent.alphabet * agent.embedding);
  agent.dEmbedded = room(agent.alphabet * agent.embedding);
  agent.table = room(agent.alphabet * agent.gates);
  agent.zero = room(agent.hidden);
  agent.waste = room(agent.hidden);
  agent.row = room(nodes);
  memory.fill(agent.row, 0xff, <usize>nodes << 2);
  agent.acts = room(nodes * agent.hidden);
  agent.probability = room(nodes * agent.width);
  agent.logarithm = room(nodes * agent.width);
  agent.cumulative = room(2 * nodes * agent.outputs);
  agent.pull = room(nodes * agent.width);
  agent.entropy = room(2 * nodes);
  agent.dState = room(nodes * agent.hidden);
}

/** The number of nodes of the tree. */
@inline
export function nodesOf(agent: Agent): i32 {
  return int(agent.starts, agent.levels);
}

/** The node of the prefix of a game's string that ends at a position. */
@inline
export function nodeOf(agent: Agent, game: i32, position: i32): i32 {
  return int(agent.node, game * agent.length + position);
}

/** Makes the prefix tree of `strings` (games, stride), of which `lengths` symbols count. */
export function grow(agent: Agent, strings: usize, stride: i32, lengths: usize, games: i32): void {
  for (let node = 0; node < nodesOf(agent); node++) {
    setInt(agent.child, (int(agent.parent, node) + 1) * agent.alphabet + int(agent.symbol, node), -1);
  }
  let count = 0;
  let level = 0;
  while (true) {
    setInt(agent.starts, level, count);
    for (let game = 0; game < games; game++) {
      if (int(lengths, game) <= level) continue;
      const above = level > 0 ? nodeOf(agent, game, level - 1) + 1 : 0;
      const symbol = int(strings, game * stride + level);
      const place = above * agent.alphabet + symbol;
      let node = int(agent.child, place);
      if (node < 0) {
        node = count++;
        setInt(agent.child, place, node);
        setInt(agent.parent, node, above - 1);
        setInt(agent.symbol, node, symbol);
      }
      setInt(agent.node, game * agent.length + level, node);
    }
    if (int(agent.starts, level) == count) break;
    level++;
    if (level == stride) {
      setInt(agent.starts, level, count);
      break;
    }
  }
  agent.levels = level;
}

@inline
function at(base: usize, row: i32, width: i32): usize {
  return base + (<usize>(row * width) << 2);
}

/** The input side (embedding, its weights, both biases) as one row of gates for each symbol in use. */
function tabulate(agent: Agent): void {
  const gates = agent.gates;
  const embedding = agent.embedding;
  let count = 0;
  for (let i = 0; i < agent.inUse; i++) setInt(agent.slot, int(agent.used, i), -1);
  for (let node = 0, last = nodesOf(agent); node < last; node++) {
    const symbol = int(agent.symbol, node);
    if (int(agent.slot, symbol) >= 0) continue;
    setInt(agent.slot, symbol, count);
    setInt(agent.used, count, symbol);
    memory.copy(at(agent.embedded, count, embedding), at(agent.value, symbol, embedding), <usize>embedding << 2);
    memory.copy(at(agent.table, count, gates), agent.value + agent.bInput, <usize>gates << 2);
    add(agent.value + agent.bHidden, at(agent.table, count, gates), gates);
    count++;
  }
  agent.inUse = count;
  forward(agent.embedded, agent.value + agent.wInput, agent.table, embedding, gates, 0, count);
}

/** Runs the LSTM over every node of the tree. */
export function think(agent: Agent): void {
  tabulate(agent);
  const gates = agent.gates;
  const hidden = agent.hidden;
  const bytes = <usize>hidden << 2;
  for (let level = 0; level < agent.levels; level++) {
    const first = int(agent.starts, level);
    const last = int(agent.starts, level + 1);
    for (let node = first; node < last; node++) {
      const input = at(agent.table, int(agent.slot, int(agent.symbol, node)), gates);
      memory.copy(at(agent.gate, node, gates), input, <usize>gates << 2);
      if (level > 0) {
        memory.copy(at(agent.previous, node, hidden), at(agent.state, int(agent.parent, node), hidden), bytes);
      }
    }
    // Level 0 starts from a zero state: only the nodes below it need the recurrent product.
    if (level > 0) forward(agent.previous, agent.value + agent.wHidden, agent.gate, hidden, gates, first, last);
    for (let node = first; node < last; node++) {
      const before = level > 0 ? at(agent.cell, int(agent.parent, node), hidden) : agent.zero;
      activate(
        at(agent.gate, node, gates),
        before,
        at(agent.cell, node, hidden),
        at(agent.squashed, node, hidden),
        at(agent.state, node, hidden),
        hidden,
      );
    }
  }
}

/** Gradients of everything but the output layer, from `dHidden`. */
export function backThink(agent: Agent): void {
  const gates = agent.gates;
  const hidden = agent.hidden;
  const nodes = nodesOf(agent);
  memory.fill(agent.dCell, 0, <usize>(nodes * hidden) << 2);
  for (let level = agent.levels - 1; level >= 0; level--) {
    const first = int(agent.starts, level);
    const last = int(agent.starts, level + 1);
    for (let node = first; node < last; node++) {
      const parent = int(agent.parent, node);
      deactivate(
        at(agent.gate, node, gates),
        level > 0 ? at(agent.cell, parent, hidden) : agent.zero,
        at(agent.squashed, node, hidden),
        at(agent.dHidden, node, hidden),
        at(agent.dCell, node, hidden),
        level > 0 ? at(agent.dCell, parent, hidden) : agent.waste,
        hidden,
      );
    }
    if (level == 0) break;
    // `state` is no longer needed and takes the products; `previous` still is, for the weights.
    toInputs(agent.gate, agent.value + agent.wHidden, agent.state, hidden, gates, first, last);
    for (let node = first; node < last; node++) {
      add(at(agent.state, node, hidden), at(agent.dHidden, int(agent.parent, node), hidden), hidden);
    }
  }
  const below = agent.levels > 0 ? int(agent.starts, 1) : 0;
  toWeights(agent.previous, agent.gate, agent.gradient + agent.wHidden, hidden, gates, below, nodes);
  untabulate(agent, nodes);
}

/** Gradients of the input side, from those of the gates. */
function untabulate(agent: Agent, nodes: i32): void {
  const gates = agent.gates;
  const embedding = agent.embedding;
  const count = agent.inUse;
  memory.fill(agent.table, 0, <usize>(count * gates) << 2);
  for (let node = 0; node < nodes; node++) {
    add(at(agent.gate, node, gates), at(agent.table, int(agent.slot, int(agent.symbol, node)), gates), gates);
  }
  const bias = agent.gradient + agent.bInput;
  memory.fill(bias, 0, <usize>gates << 2);
  for (let row = 0; row < count; row++) add(at(agent.table, row, gates), bias, gates);
  memory.copy(agent.gradient + agent.bHidden, bias, <usize>gates << 2);
  toWeights(agent.embedded, agent.table, agent.gradient + agent.wInput, embedding, gates, 0, count);
  toInputs(agent.table, agent.value + agent.wInput, agent.dEmbedded, embedding, gates, 0, count);
  memory.fill(agent.gradient, 0, agent.wInput);
  for (let row = 0; row < count; row++) {
    const target = at(agent.gradient, int(agent.used, row), embedding);
    memory.copy(target, at(agent.dEmbedded, row, embedding), <usize>embedding << 2);
  }
}

/** Fills the distributions of the first `rows` states in which the agent acts. */
export function policy(agent: Agent, rows: i32): void {
  const width = agent.width;
  const outputs = agent.outputs;
  for (let row = 0; row < rows; row++) {
    memory.copy(at(agent.logarithm, row, width), agent.value + agent.bOutput, <usize>width << 2);
  }
  forward(agent.acts, agent.value + agent.wOutput, agent.logarithm, agent.hidden, width, 0, rows);
  for (let row = 0; row < rows; row++) {
    normalise(
      at(agent.logarithm, row, width),
      at(agent.probability, row, width),
      agent.cumulative + (<usize>(row * outputs) << 3),
      outputs,
    );
  }
  memory.fill(agent.pull, 0, <usize>(rows * width) << 2);
  memory.fill(agent.entropy, 0, <usize>rows << 3);
}

/** One row: logits to log-probabilities, probabilities and their running sums. */
function normalise(logarithm: usize, probability: usize, cumulative: usize, outputs: i32): void {
  const end = <usize>outputs << 2;
  let largest = load<f32>(logarithm);
  for (let j: usize = 4; j < end; j += 4) largest = max(largest, load<f32>(logarithm + j));
  exponentials(logarithm, largest, probability, outputs);
  let total: f64 = 0;
  for (let j: usize = 0; j < end; j += 4) {
    total += <f64>load<f32>(probability + j);
    store<f64>(cumulative + 2 * j, total);
  }
  const shift = <f32>(<f64>largest + Math.log(total));
  const scale = <f32>(1 / total);
  for (let j: usize = 0; j < end; j += 4) {
    store<f32>(logarithm + j, load<f32>(logarithm + j) - shift);
    store<f32>(probability + j, load<f32>(probability + j) * scale);
  }
  // Padding takes part in products: it must stay zero.
  for (let j = end; j & 15; j += 4) store<f32>(probability + j, 0);
}

/** The output that a uniform number in [0, 1) falls on in a row of the policy. */
export function drawn(agent: Agent, row: i32, uniform: f64): i32 {
  return inverted(agent.cumulative + (<usize>(row * agent.outputs) << 3), agent.outputs, uniform);
}

/** The place that a uniform number falls on, by inverting running sums. */
export function inverted(cumulative: usize, size: i32, uniform: f64): i32 {
  const last = size - 1;
  const threshold = uniform * load<f64>(cumulative + (<usize>last << 3));
  let index = 0;
  while (index < last && load<f64>(cumulative + (<usize>index << 3)) <= threshold) index++;
  return index;
}

/** The likeliest output of a row of the policy. */
export function likeliest(agent: Agent, row: i32): i32 {
  const base = at(agent.probability, row, agent.width);
  let best = 0;
  for (let j = 1; j < agent.outputs; j++) {
    if (load<f32>(base + (<usize>j << 2)) > load<f32>(base + (<usize>best << 2))) best = j;
  }
  return best;
}

/** Credits an output of a row with a reward, and the row with a weight of its entropy. */
export function credit(agent: Agent, row: i32, output: i32, reward: f32, entropy: f64): void {
  const place = at(agent.pull, row, agent.width) + (<usize>output << 2);
  store<f32>(place, load<f32>(place) + reward);
  const weight = agent.entropy + (<usize>row << 3);
  store<f64>(weight, load<f64>(weight) + entropy);
}

/** Gradients of the output layer and of the states: of the mean of -reward log p(taken) - weight x entropy. */
export function backPolicy(agent: Agent, rows: i32, games: i32): void {
  const width = agent.width;
  const hidden = agent.hidden;
  const scale = <f32>(1.0 / <f64>games);
  for (let row = 0; row < rows; row++) {
    const weight = <f32>(load<f64>(agent.entropy + (<usize>row << 3)) / <f64>games);
    logitGradient(
      at(agent.logarithm, row, width),
      at(agent.probability, row, width),
      at(agent.pull, row, width),
      agent.outputs,
      scale,
      weight,
    );
  }
  toInputs(agent.probability, agent.value + agent.wOutput, agent.dState, hidden, width, 0, rows);
  toWeights(agent.acts, agent.probability, agent.gradient + agent.wOutput, hidden, width, 0, rows);
  const bias = agent.gradient + agent.bOutput;
  memory.fill(bias, 0, <usize>width << 2);
  for (let row = 0; row < rows; row++) add(at(agent.probability, row, width), bias, width);
}

/** One row: probabilities to gradients of the logits. */
function logitGradient(
  logarithm: usize,
  probability: usize,
  pull: usize,
  outputs: i32,
  scale: f32,
  weight: f32,
): void {
  const end = <usize>outputs << 2;
  let total: f32 = 0;
  let entropy: f32 = 0;
  for (let j: usize = 0; j < end; j += 4) {
    total += load<f32>(pull + j);
    entropy -= load<f32>(probability + j) * load<f32>(logarithm + j);
  }
  for (let j: usize = 0; j < end; j += 4) {
    const p = load<f32>(probability + j);
    const slope = scale * (total * p - load<f32>(pull + j)) + weight * p * (load<f32>(logarithm + j) + entropy);
    store<f32>(probability + j, slope);
  }
}

/** One step of Adam with PyTorch's defaults. */
export function improve(agent: Agent, learningRate: f64): void {
  agent.decay1 *= 0.9;
  agent.decay2 *= 0.999;
  const rate = <f32>(learningRate / (1 - agent.decay1));
  const scale = <f32>(1 / Math.sqrt(1 - agent.decay2));
  adam(agent.value, agent.gradient, agent.mean, agent.square, agent.size, rate, scale);
}
