// The median of each group of runs, and the band of its middle half, as they were after a round. Nothing here is drawn.

// Into so many equal parts an axis is cut whose costs are not few whole numbers.
const PARTS = 24;
// Runs that must have been at a place for it to have a band.
const FEWEST = 3;
const QUARTILES = [0.25, 0.5, 0.75];

// By group the stays of its runs: where a lexicon lies, and from which round until which it was there.
export function staysOf(paths) {
  return [...Map.groupBy(paths, (run) => run.group)].map(([group, runs]) => {
    const stays = runs.flatMap((run, number) => lexicons(run).map((at) => stay(run, number, at)));
    const { low, width } = parts(stays.map((each) => each.x));
    const mine = Map.groupBy(stays, (each) => Math.floor((each.x - low) / width + 1e-9));
    const places = [...mine].sort(([a], [b]) => a - b).map(([part, some]) => ({ x: low + part * width, some }));
    for (const { some } of places) some.sort((a, b) => a.y - b.y);
    return { group, colour: runs[0].colour, width, places };
  });
}

// Corners of steps are no lexicons.
function lexicons(run) {
  return run.lexicon.flatMap((lexicon, at) => (lexicon === null ? [] : [at]));
}

function stay(run, number, at) {
  const from = run.round[at];
  return { number, x: run.x[at], y: run.y[at], from, until: Math.max(from + 1, Math.min(run.until[at], run.last + 1)) };
}

function parts(xs) {
  const low = xs.reduce((least, x) => Math.min(least, x), Infinity),
    high = xs.reduce((most, x) => Math.max(most, x), -Infinity);
  return xs.every(Number.isInteger) && high - low <= 2 * PARTS
    ? { low, width: 1 }
    : { low, width: (high - low) / PARTS || 1 };
}

// The rows of the bands, up to a round: at each place the quartiles of what lexicons cost there, counted by rounds.
//
// Quartiles are values that occurred, so that a band does not reach into the unattainable; where fewer than three of a
// group's runs had been by then there is none. A last row closes each stretch.
export function bandsUpTo(stays, round = Infinity) {
  return stays.flatMap(({ group, colour, width, places }) => {
    const rows = [];
    let stretch = 0,
      before = null;
    const row = (x, quartiles) => ({ group, colour, stretch, x, ...quartiles });
    for (const { x, some } of places) {
      const quartiles = quartilesOf(some, round);
      if (!quartiles) continue;
      if (before && x > before.x + 1.5 * width) {
        rows.push({ ...before, x: before.x + width });
        stretch += 1;
      }
      before = row(x, quartiles);
      rows.push(before);
    }
    if (before) rows.push({ ...before, x: before.x + width });
    return rows;
  });
}

function quartilesOf(stays, round) {
  const weights = stays.map(({ from, until }) => Math.max(0, Math.min(until, round + 1) - from));
  if (new Set(stays.filter((_, i) => weights[i]).map((each) => each.number)).size < FEWEST) return null;
  const all = weights.reduce((sum, each) => sum + each, 0);
  const at = (share) => {
    let reached = 0;
    return stays.find((_, i) => {
      reached += weights[i];
      return weights[i] && reached >= share * all - 1e-9;
    }).y;
  };
  const [low, median, high] = QUARTILES.map(at);
  return { low, median, high };
}
