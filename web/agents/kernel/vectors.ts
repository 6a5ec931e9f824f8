/**
 * Formulas and products over rows of float32, four lanes at a time; without SIMD the same, one by one.
 *
 * Weights lie as (inputs, outputs) with rows padded to whole vectors, so one copy serves all three products of a layer.
 * A tile keeps its sums in registers: two rows by four vectors, which are eight sums and six operands.
 */

/** Floats in a vector. */
export const LANES: i32 = 4;

const LOG2_E: f32 = 1.4426950408889634;
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.1219444e-4;
const ROUND: f32 = 12582912.0;
const C3: f32 = 1.6666665459e-1;
const C4: f32 = 4.1665795894e-2;
const C5: f32 = 8.3334519073e-3;
const C6: f32 = 1.3981999507e-3;
const C7: f32 = 1.98756915e-4;

@inline
function vplus(a: v128, b: v128): v128 {
  return f32x4.add(a, b);
}

@inline
function vtimes(a: v128, b: v128): v128 {
  return f32x4.mul(a, b);
}

@inline
function vsplat(x: f32): v128 {
  return f32x4.splat(x);
}

/** e^x by the polynomial of Cephes, as in Python, for x clipped to [-87, 87]. */
export function exp1(x: f32): f32 {
  x = min<f32>(max<f32>(x, -87.0), 87.0);
  const k = x * LOG2_E + ROUND - ROUND;
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let p = r * C7 + C6;
  p = p * r + C5;
  p = p * r + C4;
  p = p * r + C3;
  p = p * r + <f32>0.5;
  return (p * r * r + (r + <f32>1)) * reinterpret<f32>((<i32>k + 127) << 23);
}

@inline
function exp4(value: v128): v128 {
  const x = f32x4.min(f32x4.max(value, vsplat(-87.0)), vsplat(87.0));
  const k = f32x4.sub(vplus(vtimes(x, vsplat(LOG2_E)), vsplat(ROUND)), vsplat(ROUND));
  const r = f32x4.sub(f32x4.sub(x, vtimes(k, vsplat(LN2_HIGH))), vtimes(k, vsplat(LN2_LOW)));
  let p = vplus(vtimes(r, vsplat(C7)), vsplat(C6));
  p = vplus(vtimes(p, r), vsplat(C5));
  p = vplus(vtimes(p, r), vsplat(C4));
  p = vplus(vtimes(p, r), vsplat(C3));
  p = vplus(vtimes(p, r), vsplat(0.5));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(k), i32x4.splat(127)), 23);
  return vtimes(vplus(vtimes(vtimes(p, r), r), vplus(r, vsplat(1))), power);
}

@inline
function logistic4(x: v128): v128 {
  return f32x4.div(vsplat(1), vplus(exp4(f32x4.neg(x)), vsplat(1)));
}

@inline
function tanh4(x: v128): v128 {
  return f32x4.sub(f32x4.div(vsplat(2), vplus(exp4(vtimes(x, vsplat(-2))), vsplat(1))), vsplat(1));
}

@inline
function logistic1(x: f32): f32 {
  return <f32>1 / (exp1(-x) + <f32>1);
}

@inline
function tanh1(x: f32): f32 {
  return <f32>2 / (exp1(x * <f32>-2) + <f32>1) - <f32>1;
}

/** target = e^(source - zero), `size` elements, rounded up to whole vectors. */
export function exponentials(source: usize, zero: f32, target: usize, size: i32): void {
  if (ASC_FEATURE_SIMD) {
    for (let j = 0; j < size; j += LANES) {
      v128.store(target + (<usize>j << 2), exp4(f32x4.sub(v128.load(source + (<usize>j << 2)), vsplat(zero))));
    }
  } else {
    for (let j = 0; j < size; j++) {
      store<f32>(target + (<usize>j << 2), exp1(load<f32>(source + (<usize>j << 2)) - zero));
    }
  }
}

/** One node of an LSTM: gates (4 hidden), input, forget, cell, output, from sums to values; its new states. */
export function activate(gates: usize, before: usize, cell: usize, squashed: usize, hidden: usize, size: i32): void {
  const row = <usize>size << 2;
  for (let j: usize = 0; j < row; j += ASC_FEATURE_SIMD ? 16 : 4) {
    if (ASC_FEATURE_SIMD) {
      const i = logistic4(v128.load(gates + j));
      const f = logistic4(v128.load(gates + row + j));
      const g = tanh4(v128.load(gates + 2 * row + j));
      const o = logistic4(v128.load(gates + 3 * row + j));
      const c = vplus(vtimes(f, v128.load(before + j)), vtimes(i, g));
      const s = tanh4(c);
      v128.store(gates + j, i);
      v128.store(gates + row + j, f);
      v128.store(gates + 2 * row + j, g);
      v128.store(gates + 3 * row + j, o);
      v128.store(cell + j, c);
      v128.store(squashed + j, s);
      v128.store(hidden + j, vtimes(o, s));
    } else {
      const i = logistic1(load<f32>(gates + j));
      const f = logistic1(load<f32>(gates + row + j));
      const g = tanh1(load<f32>(gates + 2 * row + j));
      const o = logistic1(load<f32>(gates + 3 * row + j));
      const c = f * load<f32>(before + j) + i * g;
      const s = tanh1(c);
      store<f32>(gates + j, i);
      store<f32>(gates + row + j, f);
      store<f32>(gates + 2 * row + j, g);
      store<f32>(gates + 3 * row + j, o);
      store<f32>(cell + j, c);
      store<f32>(squashed + j, s);
      store<f32>(hidden + j, o * s);
    }
  }
}

/** The same backward: gates from values to gradients of their sums; adds to the parent's `dBefore`. */
export function deactivate(
  gates: usize,
  before: usize,
  squashed: usize,
  dHidden: usize,
  dCell: usize,
  dBefore: usize,
  size: i32,
): void {
  const row = <usize>size << 2;
  for (let j: usize = 0; j < row; j += ASC_FEATURE_SIMD ? 16 : 4) {
    if (ASC_FEATURE_SIMD) {
      const one = vsplat(1);
      const i = v128.load(gates + j);
      const f = v128.load(gates + row + j);
      const g = v128.load(gates + 2 * row + j);
      const o = v128.load(gates + 3 * row + j);
      const s = v128.load(squashed + j);
      const dh = v128.load(dHidden + j);
      const dc = vplus(v128.load(dCell + j), vtimes(vtimes(dh, o), f32x4.sub(one, vtimes(s, s))));
      v128.store(dBefore + j, vplus(v128.load(dBefore + j), vtimes(dc, f)));
      v128.store(gates + j, vtimes(vtimes(vtimes(dc, g), i), f32x4.sub(one, i)));
      v128.store(gates + row + j, vtimes(vtimes(vtimes(dc, v128.load(before + j)), f), f32x4.sub(one, f)));
      v128.store(gates + 2 * row + j, vtimes(vtimes(dc, i), f32x4.sub(one, vtimes(g, g))));
      v128.store(gates + 3 * row + j, vtimes(vtimes(vtimes(dh, s), o), f32x4.sub(one, o)));
    } else {
      const i = load<f32>(gates + j);
      const f = load<f32>(gates + row + j);
      const g = load<f32>(gates + 2 * row + j);
      const o = load<f32>(gates + 3 * row + j);
      const s = load<f32>(squashed + j);
      const dh = load<f32>(dHidden + j);
      const dc = load<f32>(dCell + j) + dh * o * (<f32>1 - s * s);
      store<f32>(dBefore + j, load<f32>(dBefore + j) + dc * f);
      store<f32>(gates + j, dc * g * i * (<f32>1 - i));
      store<f32>(gates + row + j, dc * load<f32>(before + j) * f * (<f32>1 - f));
      store<f32>(gates + 2 * row + j, dc * i * (<f32>1 - g * g));
      store<f32>(gates + 3 * row + j, dh * s * o * (<f32>1 - o));
    }
  }
}

/** target += source, `size` elements. */
export function add(source: usize, target: usize, size: i32): void {
  const end = <usize>size << 2;
  let j: usize = 0;
  if (ASC_FEATURE_SIMD) {
    for (; j + 16 <= end; j += 16) v128.store(target + j, vplus(v128.load(target + j), v128.load(source + j)));
  }
  for (; j < end; j += 4) store<f32>(target + j, load<f32>(target + j) + load<f32>(source + j));
}

/** y[i] += x[i] w for rows first <= i < last.   x: (rows, inputs), w: (inputs, outputs), y: (rows, outputs). */
export function forward(x: usize, w: usize, y: usize, inputs: i32, outputs: i32, first: i32, last: i32): void {
  const xRow = <usize>inputs << 2;
  const yRow = <usize>outputs << 2;
  for (let i = first; i < last; ) {
    const two = i + 1 < last;
    const x0 = x + <usize>i * xRow;
    const y0 = y + <usize>i * yRow;
    if (ASC_FEATURE_SIMD) {
      if (two) products(x0, xRow, 4, w, yRow, y0, yRow, inputs, outputs, true);
      else productsOfOne(x0, 4, w, yRow, y0, inputs, outputs, true);
      i += two ? 2 : 1;
    } else {
      plainProducts(x0, 4, w, yRow, y0, inputs, outputs);
      i++;
    }
  }
}

/** dw = sum of x[i]^T dy[i] over rows first <= i < last. */
export function toWeights(x: usize, dy: usize, dw: usize, inputs: i32, outputs: i32, first: i32, last: i32): void {
  const xRow = <usize>inputs << 2;
  const yRow = <usize>outputs << 2;
  const x0 = x + <usize>first * xRow;
  const dy0 = dy + <usize>first * yRow;
  const depth = last - first;
  for (let k = 0; k < inputs; ) {
    const place = dw + <usize>k * yRow;
    const column = x0 + (<usize>k << 2);
    if (ASC_FEATURE_SIMD) {
      const two = k + 1 < inputs;
      if (two) products(column, 4, xRow, dy0, yRow, place, yRow, depth, outputs, false);
      else productsOfOne(column, xRow, dy0, yRow, place, depth, outputs, false);
      k += two ? 2 : 1;
    } else {
      memory.fill(place, 0, yRow);
      plainProducts(column, xRow, dy0, yRow, place, depth, outputs);
      k++;
    }
  }
}

/** dx[i] = dy[i] w^T for rows first <= i < last. */
export function toInputs(dy: usize, w: usize, dx: usize, inputs: i32, outputs: i32, first: i32, last: i32): void {
  const xRow = <usize>inputs << 2;
  const yRow = <usize>outputs << 2;
  for (let i = first; i < last; ) {
    const two = ASC_FEATURE_SIMD && i + 1 < last;
    const dy0 = dy + <usize>i * yRow;
    const dx0 = dx + <usize>i * xRow;
    let k = 0;
    if (ASC_FEATURE_SIMD) {
      if (two) for (; k + 4 <= inputs; k += 4) dots(dy0, yRow, w + <usize>k * yRow, dx0 + (<usize>k << 2), xRow, outputs);
    }
    for (; k < inputs; k++) {
      store<f32>(dx0 + (<usize>k << 2), dot(dy0, w + <usize>k * yRow, outputs));
      if (two) store<f32>(dx0 + xRow + (<usize>k << 2), dot(dy0 + yRow, w + <usize>k * yRow, outputs));
    }
    i += two ? 2 : 1;
  }
}

/** Two rows of C (+)= A B, summed over `depth`; A is read by strides, so also transposed. */
function products(
  a: usize,
  aRow: usize,
  aStep: usize,
  b: usize,
  bRow: usize,
  c: usize,
  cRow: usize,
  depth: i32,
  outputs: i32,
  accumulate: bool,
): void {
  const end = <usize>outputs << 2;
  let j: usize = 0;
  for (; j + 64 <= end; j += 64) {
    let p = a;
    let q = b + j;
    let s00 = vsplat(0);
    let s01 = vsplat(0);
    let s02 = vsplat(0);
    let s03 = vsplat(0);
    let s10 = vsplat(0);
    let s11 = vsplat(0);
    let s12 = vsplat(0);
    let s13 = vsplat(0);
    for (let d = 0; d < depth; d++) {
      const a0 = v128.load_splat<f32>(p);
      const a1 = v128.load_splat<f32>(p + aRow);
      let right = v128.load(q);
      s00 = vplus(s00, vtimes(a0, right));
      s10 = vplus(s10, vtimes(a1, right));
      right = v128.load(q, 16);
      s01 = vplus(s01, vtimes(a0, right));
      s11 = vplus(s11, vtimes(a1, right));
      right = v128.load(q, 32);
      s02 = vplus(s02, vtimes(a0, right));
      s12 = vplus(s12, vtimes(a1, right));
      right = v128.load(q, 48);
      s03 = vplus(s03, vtimes(a0, right));
      s13 = vplus(s13, vtimes(a1, right));
      p += aStep;
      q += bRow;
    }
    const c0 = c + j;
    const c1 = c0 + cRow;
    if (accumulate) {
      s00 = vplus(s00, v128.load(c0));
      s01 = vplus(s01, v128.load(c0, 16));
      s02 = vplus(s02, v128.load(c0, 32));
      s03 = vplus(s03, v128.load(c0, 48));
      s10 = vplus(s10, v128.load(c1));
      s11 = vplus(s11, v128.load(c1, 16));
      s12 = vplus(s12, v128.load(c1, 32));
      s13 = vplus(s13, v128.load(c1, 48));
    }
    v128.store(c0, s00);
    v128.store(c0, s01, 16);
    v128.store(c0, s02, 32);
    v128.store(c0, s03, 48);
    v128.store(c1, s10);
    v128.store(c1, s11, 16);
    v128.store(c1, s12, 32);
    v128.store(c1, s13, 48);
  }
  for (; j < end; j += 16) {
    let p = a;
    let q = b + j;
    let s0 = vsplat(0);
    let s1 = vsplat(0);
    for (let d = 0; d < depth; d++) {
      const right = v128.load(q);
      s0 = vplus(s0, vtimes(v128.load_splat<f32>(p), right));
      s1 = vplus(s1, vtimes(v128.load_splat<f32>(p + aRow), right));
      p += aStep;
      q += bRow;
    }
    if (accumulate) {
      s0 = vplus(s0, v128.load(c + j));
      s1 = vplus(s1, v128.load(c + cRow + j));
    }
    v128.store(c + j, s0);
    v128.store(c + cRow + j, s1);
  }
}

/** The same for the one row that may remain. */
function productsOfOne(
  a: usize,
  aStep: usize,
  b: usize,
  bRow: usize,
  c: usize,
  depth: i32,
  outputs: i32,
  accumulate: bool,
): void {
  const end = <usize>outputs << 2;
  let j: usize = 0;
  for (; j + 64 <= end; j += 64) {
    let p = a;
    let q = b + j;
    let s0 = vsplat(0);
    let s1 = vsplat(0);
    let s2 = vsplat(0);
    let s3 = vsplat(0);
    for (let d = 0; d < depth; d++) {
      const left = v128.load_splat<f32>(p);
      s0 = vplus(s0, vtimes(left, v128.load(q)));
      s1 = vplus(s1, vtimes(left, v128.load(q, 16)));
      s2 = vplus(s2, vtimes(left, v128.load(q, 32)));
      s3 = vplus(s3, vtimes(left, v128.load(q, 48)));
      p += aStep;
      q += bRow;
    }
    if (accumulate) {
      s0 = vplus(s0, v128.load(c + j));
      s1 = vplus(s1, v128.load(c + j, 16));
      s2 = vplus(s2, v128.load(c + j, 32));
      s3 = vplus(s3, v128.load(c + j, 48));
    }
    v128.store(c + j, s0);
    v128.store(c + j, s1, 16);
    v128.store(c + j, s2, 32);
    v128.store(c + j, s3, 48);
  }
  for (; j < end; j += 16) {
    let p = a;
    let q = b + j;
    let s = vsplat(0);
    for (let d = 0; d < depth; d++) {
      s = vplus(s, vtimes(v128.load_splat<f32>(p), v128.load(q)));
      p += aStep;
      q += bRow;
    }
    v128.store(c + j, accumulate ? vplus(s, v128.load(c + j)) : s);
  }
}

/** One row of C += A B without vectors. */
function plainProducts(a: usize, aStep: usize, b: usize, bRow: usize, c: usize, depth: i32, outputs: i32): void {
  const end = <usize>outputs << 2;
  for (let d = 0; d < depth; d++) {
    const left = load<f32>(a + <usize>d * aStep);
    const q = b + <usize>d * bRow;
    for (let j: usize = 0; j < end; j += 4) store<f32>(c + j, load<f32>(c + j) + left * load<f32>(q + j));
  }
}

/** Two rows by four columns of C = A B^T: dot products over `outputs`, a multiple of four. */
function dots(a: usize, aRow: usize, b: usize, c: usize, cRow: usize, outputs: i32): void {
  const end = a + (<usize>outputs << 2);
  let q = b;
  let s00 = vsplat(0);
  let s01 = vsplat(0);
  let s02 = vsplat(0);
  let s03 = vsplat(0);
  let s10 = vsplat(0);
  let s11 = vsplat(0);
  let s12 = vsplat(0);
  let s13 = vsplat(0);
  for (let p = a; p < end; p += 16) {
    const a0 = v128.load(p);
    const a1 = v128.load(p + aRow);
    let right = v128.load(q);
    s00 = vplus(s00, vtimes(a0, right));
    s10 = vplus(s10, vtimes(a1, right));
    right = v128.load(q + aRow);
    s01 = vplus(s01, vtimes(a0, right));
    s11 = vplus(s11, vtimes(a1, right));
    right = v128.load(q + 2 * aRow);
    s02 = vplus(s02, vtimes(a0, right));
    s12 = vplus(s12, vtimes(a1, right));
    right = v128.load(q + 3 * aRow);
    s03 = vplus(s03, vtimes(a0, right));
    s13 = vplus(s13, vtimes(a1, right));
    q += 16;
  }
  v128.store(c, gathered(s00, s01, s02, s03));
  v128.store(c + cRow, gathered(s10, s11, s12, s13));
}

/** The sums of the lanes of four vectors, side by side. */
@inline
function gathered(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = vplus(v128.shuffle<f32>(a, b, 0, 1, 4, 5), v128.shuffle<f32>(a, b, 2, 3, 6, 7));
  const cd = vplus(v128.shuffle<f32>(c, d, 0, 1, 4, 5), v128.shuffle<f32>(c, d, 2, 3, 6, 7));
  return vplus(v128.shuffle<f32>(ab, cd, 0, 2, 4, 6), v128.shuffle<f32>(ab, cd, 1, 3, 5, 7));
}

function dot(a: usize, b: usize, size: i32): f32 {
  const end = <usize>size << 2;
  if (ASC_FEATURE_SIMD) {
    let sum = vsplat(0);
    for (let j: usize = 0; j < end; j += 16) sum = vplus(sum, vtimes(v128.load(a + j), v128.load(b + j)));
    return (
      f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
    );
  }
  let sum: f32 = 0;
  for (let j: usize = 0; j < end; j += 4) sum += load<f32>(a + j) * load<f32>(b + j);
  return sum;
}

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const REST1: f32 = <f32>(1 - 0.9);
const REST2: f32 = <f32>(1 - 0.999);
const EPSILON: f32 = 1e-8;

/** One step of Adam over `size` parameters; rate and scale correct its bias. */
export function adam(
  value: usize,
  gradient: usize,
  mean: usize,
  square: usize,
  size: i32,
  rate: f32,
  scale: f32,
): void {
  const end = <usize>size << 2;
  for (let j: usize = 0; j < end; j += ASC_FEATURE_SIMD ? 16 : 4) {
    if (ASC_FEATURE_SIMD) {
      const g = v128.load(gradient + j);
      const m = vplus(vtimes(vsplat(BETA1), v128.load(mean + j)), vtimes(vsplat(REST1), g));
      const s = vplus(vtimes(vsplat(BETA2), v128.load(square + j)), vtimes(vsplat(REST2), vtimes(g, g)));
      v128.store(mean + j, m);
      v128.store(square + j, s);
      const below = vplus(vtimes(f32x4.sqrt(s), vsplat(scale)), vsplat(EPSILON));
      v128.store(value + j, f32x4.sub(v128.load(value + j), vtimes(vsplat(rate), f32x4.div(m, below))));
    } else {
      const g = load<f32>(gradient + j);
      const m = BETA1 * load<f32>(mean + j) + REST1 * g;
      const s = BETA2 * load<f32>(square + j) + REST2 * (g * g);
      store<f32>(mean + j, m);
      store<f32>(square + j, s);
      store<f32>(value + j, load<f32>(value + j) - rate * (m / (sqrt<f32>(s) * scale + EPSILON)));
    }
  }
}
