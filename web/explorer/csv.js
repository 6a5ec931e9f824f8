// The runs that are listed as a file for a spreadsheet or a script.

import { study, valueIn } from "./bench.js";
import { csvOf } from "./saving.js";

const COLUMNS = {
  run: (run) => run.name,
  experiment: (run) => study(run).experiment,
  directory: (run) => study(run).directory,
  who_decides: (run) => study(run).who,
  state: (run) => run.state,
  seed: (run) => run.seed,
  round: (run) => run.round,
  rounds: (run) => run.rounds,
  size: (run) => run.size,
  average_complexity: (run) => run.average_complexity,
  cost: (run) => run.cost,
  gap: (run) => run.gap,
  accuracy: (run) => run.accuracy,
  numbers_understood: (run) => run.numbers_understood,
  messages: (run) => run.messages,
};

export function csv(runs, fields) {
  const others = fields
    .filter((field) => !(field in COLUMNS))
    .map((field) => [field, (run) => valueIn(study(run), field)]);
  const columns = [...Object.entries(COLUMNS), ...others];
  return csvOf({ runs: runs.map((run) => Object.fromEntries(columns.map(([name, value]) => [name, value(run)]))) });
}
