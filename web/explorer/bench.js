// Runs and studies as the list looks at them: filtered, grouped, sorted. Nothing here is drawn.

import { all, label } from "./choices.js";
import { studyOf } from "./live.js";

const NONE = { id: "", directory: "", experiment: "", who: "", means: "", agents: false, config: {} };
export const natural = new Intl.Collator("en", { numeric: true }).compare;
// Who decides has a column of its own.
const TOLD = new Set(["choose", "seed"]);

export function study(run) {
  return studyOf(run) ?? NONE;
}

function defaults(experiment) {
  return all("experiments").find((each) => each.name === experiment)?.defaults ?? {};
}

export function unit(experiment) {
  return all("experiments").find((each) => each.name === experiment)?.unit ?? "";
}

// The value of a field in a study's config; undefined where its experiment has no such field.
export function valueIn(study, field) {
  if (field in study.config) return study.config[field];
  return defaults(study.experiment)[field];
}

// Fields whose values are names, and where these have words.
const NAMES = {
  grammar: "grammars",
  need: "needs",
  choose: "choosers",
  add: "add_rules",
  learners: "learners",
  judge: "judges",
};

// A value of a field as the page says it: a name in its words.
export function worded(field, value) {
  if (value === undefined) return "";
  if (value === null) return "none";
  return field in NAMES ? label(NAMES[field], String(value)) : String(value);
}

// A run of agents and one of drift from the same start whose options differ least, and of these the nearest to the
// frontier; null where there are none.
export function agentsAndDrift(runs) {
  const [agents, drift] = ["agents", "drift"].map((who) => {
    const some = runs.filter((run) => run.gap !== null && NAMED[who].includes(valueIn(study(run), "choose")));
    const nearest = (one, run) => (one && one.gap <= run.gap ? one : run);
    return [...Map.groupBy(some, (run) => run.study).values()].map((alike) => alike.reduce(nearest, null));
  });
  const pairs = agents.flatMap((one) =>
    drift.filter((other) => startOf(other) === startOf(one)).map((other) => [one, other]),
  );
  const ranked = pairs.map((pair) => ({ pair, apart: varying(pair.map(study)).length, gap: pair[0].gap }));
  ranked.sort((a, b) => a.apart - b.apart || a.gap - b.gap);
  return ranked[0]?.pair ?? null;
}

const NAMED = { agents: ["bandit", "agents"], drift: ["coin", "drift"] };

function startOf(run) {
  return `${study(run).experiment} ${valueIn(study(run), "start")}`;
}

// The fields of configs in which studies differ, in the order in which their experiments have them.
export function varying(studies) {
  const candidates = new Set(studies.flatMap((each) => Object.keys(each.config)).filter((field) => !TOLD.has(field)));
  const order = [
    ...new Set([...new Set(studies.map((each) => each.experiment))].flatMap((each) => Object.keys(defaults(each)))),
  ];
  const differs = (field) =>
    new Set(
      studies
        .map((each) => valueIn(each, field))
        .filter((value) => value !== undefined)
        .map(String),
    ).size > 1;
  return [...candidates].filter(differs).sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

// Every option of the experiments that are there, those that differ first.
export function options(studies) {
  const all = [...new Set(studies.map((each) => each.experiment))].flatMap((each) => Object.keys(defaults(each)));
  return [...new Set([...varying(studies), ...all])].filter((field) => !TOLD.has(field));
}

// The fields that tell most studies of one directory from each other come first: these are worth a column.
export function telling(studies, fields) {
  const directories = [...Map.groupBy(studies, (each) => `${each.directory} ${each.experiment}`).values()];
  const differs = (field, some) => new Set(some.map((each) => String(valueIn(each, field)))).size > 1;
  const told = (field) => directories.reduce((sum, some) => sum + (differs(field, some) ? some.length : 0), 0);
  return fields
    .map((field) => [told(field), field])
    .sort(([a], [b]) => b - a)
    .map(([, field]) => field);
}

// What can be filtered by besides the fields of configs.
export const FIXED = {
  who: ["who decides", (run) => study(run).who || "–"],
  state: ["state", (run) => run.state],
  directory: ["directory", (run) => study(run).directory || "this directory"],
  experiment: ["experiment", (run) => study(run).experiment || "–"],
};

export function keyOf(run, field) {
  if (field in FIXED) return FIXED[field][1](run);
  const value = valueIn(study(run), field);
  return value === undefined ? "–" : String(value);
}

export function matching(runs, { text, filters }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = Object.entries(filters);
  return runs.filter((run) => {
    if (!wanted.every(([field, value]) => keyOf(run, field) === value)) return false;
    if (!words.length) return true;
    const mine = study(run);
    const said = `${run.name} ${run.title} ${mine.who} ${mine.means} ${run.state} ${Object.entries(mine.config)
      .map(([name, value]) => `${name}=${value}`)
      .join(" ")}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

// Runs by study, with what the list says of each.
export function grouped(runs) {
  const groups = new Map();
  for (const run of runs) {
    const mine = study(run);
    const key = mine.id || `unreadable:${run.name.replace(/[^/]*$/, "")}`;
    if (!groups.has(key))
      groups.set(key, {
        ...mine,
        id: key,
        directory: mine.id ? mine.directory : run.name.replace(/\/?[^/]*$/, ""),
        runs: [],
      });
    groups.get(key).runs.push(run);
  }
  return [...groups.values()].map(summed);
}

// Studies by directory, by condition (what differs there besides the start), and by start; a level with one thing in it
// is none.
export function nested(groups) {
  return [...Map.groupBy(groups, (group) => group.directory)].map(([directory, studies]) => {
    const fields = varying(studies).filter((field) => field !== "start");
    const alike = (each) =>
      JSON.stringify([each.experiment, each.who, fields.map((field) => String(valueIn(each, field)))]);
    const conditions = [...Map.groupBy(studies, alike).values()].map((some) =>
      above(
        `c:${some.map((each) => each.id).sort()[0]}`,
        condition(some[0], fields),
        some.map((each) => ({
          ...each,
          label: valueIn(each, "start") === undefined ? condition(each, fields) : `start ${valueIn(each, "start")}`,
          children: [],
        })),
      ),
    );
    return {
      ...above(`d:${directory}`, "", conditions),
      label: directory || "this directory",
      note: conditions.length > 1 ? "" : conditions[0].label,
    };
  });
}

function above(id, label, children) {
  if (children.length > 1)
    return summed({ ...children[0], id, label, children, runs: children.flatMap((each) => each.runs) });
  const [only] = children;
  return { ...only, label: only.label === label ? label : `${label}, ${only.label}` };
}

// Who decides, and what is not as elsewhere in the directory.
function condition(study, fields) {
  if (study.id.startsWith("unreadable:")) return "unreadable runs";
  const others = fields
    .filter((field) => field in study.config)
    .map((field) => `${field} ${worded(field, study.config[field])}`);
  return [`${study.who.slice(0, 1).toUpperCase()}${study.who.slice(1)}`, ...others].join(", ");
}

// Whether a group, or one below it, is among those that are open.
export function holds(group, ids) {
  return ids.includes(group.id) || group.children.some((each) => holds(each, ids));
}

// Open a group, or close it with all that is open below it; the others stay as they are.
export function toggled(group, ids) {
  return holds(group, ids) ? ids.filter((id) => !holds(group, [id])) : [...ids, group.id];
}

function summed(group) {
  const { runs } = group;
  const gaps = runs
    .map((run) => run.gap)
    .filter((gap) => gap !== null)
    .sort((a, b) => a - b);
  const asked = runs.reduce((sum, run) => sum + run.rounds, 0);
  const played = runs.reduce((sum, run) => sum + Math.max(0, Math.min(run.round, run.rounds)), 0);
  const states = {};
  for (const run of runs) states[run.state] = (states[run.state] ?? 0) + 1;
  return {
    ...group,
    states,
    gaps,
    progress: asked ? played / asked : 1,
    median: quantile(gaps, 0.5),
    low: quantile(gaps, 0.25),
    high: quantile(gaps, 0.75),
    updated: runs.reduce((last, run) => Math.max(last, run.updated), 0),
  };
}

// Of sorted values; between two neighbours in proportion.
export function quantile(values, share) {
  if (!values.length) return null;
  const place = share * (values.length - 1),
    below = Math.floor(place);
  return values[below] + (place - below) * ((values[below + 1] ?? values[below]) - values[below]);
}

const GROUP_KEYS = {
  study: (group) => Number(group.id.startsWith("unreadable:")),
  n: (group) => group.runs.length,
  progress: (group) => group.progress,
  gap: (group) => group.median,
  best: (group) => group.gaps[0] ?? null,
  updated: (group) => group.updated,
};
const RUN_KEYS = {
  run: (run) => run.name,
  who: (run) => study(run).who,
  state: (run) => run.state,
  seed: (run) => run.seed,
  round: (run) => run.round,
  understood: (run) => run.numbers_understood,
  size: (run) => run.size,
  cost: (run) => run.average_complexity ?? run.cost,
  gap: (run) => run.gap,
  won: (run) => run.accuracy,
  updated: (run) => run.updated,
};

// `sort` is a key, with a minus for the other way round; what has no value comes last either way.
export function sortedGroups(groups, sort) {
  return sorted(
    groups,
    sort,
    (key) => GROUP_KEYS[key] ?? GROUP_KEYS.study,
    (a, b) => natural(a.label, b.label) || natural(a.id, b.id),
  );
}

export function sortedRuns(runs, sort) {
  return sorted(
    runs,
    sort,
    (key) => RUN_KEYS[key] ?? ((run) => valueIn(study(run), key)),
    (a, b) => natural(a.name, b.name),
  );
}

function sorted(list, sort, keys, tie) {
  const down = sort.startsWith("-"),
    key = keys(down ? sort.slice(1) : sort);
  const keyed = list.map((each) => [key(each), each]);
  keyed.sort(([a, one], [b, other]) => {
    const missing = isNothing(a) - isNothing(b);
    return missing || (down ? -1 : 1) * compare(a, b) || tie(one, other);
  });
  return keyed.map(([, each]) => each);
}

function isNothing(value) {
  return Number(value === null || value === undefined);
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return natural(String(a ?? ""), String(b ?? ""));
}
