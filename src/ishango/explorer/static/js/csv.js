// The runs that are listed as a file for a spreadsheet or a script.

import { study, valueOf } from "./bench.js";

const COLUMNS = {
  run: (run) => run.name, experiment: (run) => study(run).experiment, directory: (run) => study(run).directory, who_decides: (run) => study(run).who, state: (run) => run.state,
  seed: (run) => run.seed, round: (run) => run.round, rounds: (run) => run.rounds, size: (run) => run.size, average_complexity: (run) => run.average_complexity,
  cost: (run) => run.cost, gap: (run) => run.gap, accuracy: (run) => run.accuracy,
};

export function csv(runs, fields) {
  const columns = { ...COLUMNS, ...Object.fromEntries(fields.filter((field) => !(field in COLUMNS)).map((field) => [field, (run) => valueOf(study(run), field)])) };
  const lines = runs.map((run) => Object.values(columns).map((value) => cell(value(run))).join(","));
  return [Object.keys(columns).join(","), ...lines, ""].join("\r\n");
}

// Text that a spreadsheet would take for a formula is kept from being one.
function cell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+@\t\r-]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
