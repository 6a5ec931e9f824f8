// Places on an axis, and the round numbers that are written beside it.

// From values to pixels; on a logarithmic axis equal steps are equal factors.
export function scale([low, high], [from, to], log) {
  const there = log ? Math.log : Number,
    a = there(low),
    b = there(high);
  return (value) => from + ((to - from) * (there(value) - a)) / (b - a);
}

const NICE = [
  [Math.sqrt(50), 10],
  [Math.sqrt(10), 5],
  [Math.sqrt(2), 2],
];

// About so many round numbers between two ends.
export function ticks([low, high], count, log) {
  if (log && high / low >= 20) return decades(low, high);
  const rough = (high - low) / count,
    power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (NICE.find(([least]) => rough / power >= least)?.[1] ?? 1);
  const first = Math.ceil(low / step - 1e-9),
    last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

function decades(low, high) {
  const found = [];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
    found.push(...[1, 2, 5].map((each) => Number((each * power).toPrecision(12))));
  return found.filter((each) => each >= low && each <= high);
}
