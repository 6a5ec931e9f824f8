// The API's schema: written by `python -m tools.explorer types`.
export interface Band {
  said: number;
  expression: string;
  numbers: string;
}
export interface Bench {
  changed: (Row)[];
  gone: (string)[];
  studies: (Study)[];
  limit: number | null;
}
export interface BestSystem {
  proved: boolean;
  average_complexity: number;
  lower_bound: number;
  digits: (number)[];
  multipliers: (number)[];
}
export interface Certain {
  name: string;
  sure: string;
}
export interface Choice {
  name: string;
  label: string;
  sentence: string;
}
export interface Choices {
  grammars: (Choice)[];
  needs: (Choice)[];
  choosers: (ChooserChoice)[];
  modifications: (Choice)[];
  add_rules: (Choice)[];
  learners: (Choice)[];
  judges: (Choice)[];
  experiments: (ExperimentChoice)[];
  costs: (Choice)[];
  groupings: (Choice)[];
}
export interface ChooserChoice {
  name: string;
  label: string;
  sentence: string;
  uses_agents: boolean;
}
export interface Comparison {
  groups: (RunsOfGroup)[];
  figure: Figure;
  sentence: string;
}
export interface Dictionary {
  name: string;
  round: number;
  digits: (number)[];
  multipliers: (number)[];
  topographic_similarity: number | null;
  understood: number;
  by_need: number;
  messages: number;
  symbols: (string)[];
  longest: number;
  need: string;
  need_is_own: boolean;
  entries: (Entry)[];
}
export interface Difference {
  name: string;
  values: (boolean | number | string | null)[];
}
export interface Entry {
  number: number;
  expression: string;
  ties: number | null;
  message: string;
  letters: string;
  said: number;
  heard: number;
  understood: number;
  shared_by: number;
}
export interface Exchange {
  number: number;
  expression: string;
  ties: number | null;
  message: (number)[];
  letters: (string)[];
  said: number;
  heard: number;
  understood: number;
  speaker: Figure;
  listener: Figure;
}
export interface ExperimentChoice {
  name: string;
  label: string;
  sentence: string;
  defaults: Record<string, any>;
  unit: string;
}
export interface Figure {
  light: Record<string, any>;
  dark: Record<string, any>;
  datasets: Record<string, (Record<string, any>)[]>;
}
export interface GoOn {
  name: string;
  rounds: number;
}
export interface Guess {
  number: number;
  probability: number;
}
export interface Heard {
  message: (number)[];
  letters: (string)[];
  heard: number;
  likeliest: (Guess)[];
  listener: Figure;
}
export interface HumanLanguage {
  name: string;
  glottocode: string;
  family: string;
  area: string;
  digits: string;
  multipliers: string;
  upto: number | null;
  checked: boolean;
}
export interface KindCell {
  kind: string;
  exact_upto: number;
  digits: string;
  multipliers: string;
  size: number;
  words_cost: number;
  effort_cost: number;
  error_cost: number;
  cost: number;
  lower: number;
  proved: boolean;
  saying: number;
}
export interface Lexicon {
  name: string;
  digits: (number)[];
  multipliers: (number)[];
}
export interface Map {
  complete: boolean;
  solved: number;
  sizes: number;
  proved: boolean;
  log_x: boolean;
  log_y: boolean;
  fit: Window;
  all: Window;
  titles: Record<string, string>;
  tables: Record<string, (Record<string, any>)[]>;
}
export interface Measure {
  name: string;
  sentence: string;
  unit: string;
}
export interface NearestRun {
  name: string;
  title: string;
  gap: number;
  size: number;
  can_talk: boolean;
  tied: number;
  tied_in_size: number;
  best_of_size: boolean;
}
export interface Neighbour {
  name: string;
  digits: (number)[];
  multipliers: (number)[];
  distance: number;
  others: number;
  upto: number | null;
}
export interface NewRun {
  digits: (number)[];
  multipliers: (number)[];
  grammar: string;
  rounds: number;
  steps: number;
  seed: number;
  choose: string;
  add: string;
  learners: string;
  judge: string;
  effort: number;
  noise: number;
  word: number;
}
export interface Note {
  name: string;
  text: string;
}
export interface Numeral {
  number: number;
  expression: string;
  complexity: number;
  ties: number;
}
export interface Overlay {
  runs: (Run)[];
  studies: (Study | null)[];
  path: Figure | null;
  unattainable: string | null;
  colours: (string)[];
  measures: (Measure)[];
  differ: (Difference)[];
}
export interface PhaseDiagram {
  effort: number;
  error: string;
  need: string;
  range: number;
  near: number;
  kinds: (string)[];
  precisions: (number)[];
  words: (number)[];
  cells: (KindCell)[];
  sayings: ((Band)[])[];
  languages: (Speakers)[];
}
export interface Place {
  name: string;
  digits: string;
  multipliers: string;
  size: number;
  average_complexity: number;
}
export interface Plane {
  complete: boolean;
  solved: number;
  sizes: number;
  proved: boolean;
  log_x: boolean;
  log_y: boolean;
  fit: Window;
  all: Window;
  titles: Record<string, string>;
  tables: Record<string, (Record<string, any>)[]>;
  measured: number;
  systems: number;
  rounds: number;
  runs: number;
  read: number;
  found: number;
  limit: number | null;
  groups: (RunGroup)[];
  nearest: (NearestRun)[];
  featured: string | null;
  points: (Place)[];
}
export interface Presets {
  languages: (Lexicon)[];
  starts: (Lexicon)[];
  optima: (Lexicon)[];
}
export interface Refusal {
  error: string;
}
export interface Repeat {
  name: string;
  seed: number;
}
export interface RoundRecord {
  round: number;
  digits: (number)[];
  multipliers: (number)[];
  size: number;
  average_complexity: number | null;
  gap: number | null;
  action: string | null;
  alternative: string | null;
  accepted: boolean | null;
  delta_average: number | null;
  delta_size: number | null;
  delta_gap: number | null;
  changed: number | null;
  q: (number)[] | null;
  uses: (number)[] | null;
  scores: (number | null)[] | null;
  practice: number | null;
  accuracy: number | null;
  accuracy_by_arm: (number | null)[] | null;
  accuracy_greedy: number | null;
  numbers_understood: number | null;
  messages: number | null;
  seconds: number;
  steps_per_second: number | null;
}
export interface Row {
  name: string;
  title: string;
  study: string | null;
  state: string;
  seed: number;
  round: number;
  rounds: number;
  size: number | null;
  average_complexity: number | null;
  cost: number | null;
  gap: number | null;
  accuracy: number | null;
  numbers_understood: number | null;
  messages: number | null;
  updated: number;
  can_stop: boolean;
  can_talk: boolean;
  message: string | null;
}
export interface Run {
  name: string;
  title: string;
  study: string | null;
  state: string;
  seed: number;
  round: number;
  rounds: number;
  size: number | null;
  average_complexity: number | null;
  cost: number | null;
  gap: number | null;
  accuracy: number | null;
  numbers_understood: number | null;
  messages: number | null;
  updated: number;
  can_stop: boolean;
  can_talk: boolean;
  message: string | null;
  experiment: string;
  start: string;
  grammar: string;
  choose: string;
  steps: number;
  digits: (number)[];
  multipliers: (number)[];
}
export interface RunDetails {
  run: Run;
  study: Study | null;
  settings: (Setting)[];
  command: string | null;
  can_continue: boolean;
  can_repeat: boolean;
  can_remove: boolean;
  note: string;
  path: Figure | null;
  unattainable: string | null;
  kinds: Figure | null;
  lexicon: Figure | null;
  communication: Figure | null;
  mutations: Figure | null;
  measures: (Measure)[];
  rounds: (RoundRecord)[];
  whole: boolean;
}
export interface RunGroup {
  name: string;
  colour: string;
  agents: boolean;
  runs: number;
  drawn: number;
}
export interface RunName {
  name: string;
}
export interface RunsOfGroup {
  name: string;
  runs: number;
}
export interface Setting {
  name: string;
  value: boolean | number | string | null;
  usual: boolean | number | string | null;
  differs: boolean;
}
export interface SmallPaths {
  paths: (((number)[])[])[];
  edge: ((number)[])[];
}
export interface Speakers {
  names: (string)[];
  kind: string;
  system: string;
  size: number;
  excess: (number)[];
}
export interface Study {
  id: string;
  directory: string;
  experiment: string;
  who: string;
  means: string;
  agents: boolean;
  won: string;
  config: Record<string, boolean | number | string | null>;
}
export interface System {
  digits: (number)[];
  multipliers: (number)[];
  grammar: string;
  need: string;
  size: number;
  complaint: string | null;
  average_complexity: number | null;
  gap: number | null;
  missing: (number)[];
  numerals: (Numeral)[];
  optimum: BestSystem | null;
  nearest: (Neighbour)[];
  speakers: number;
}
export interface Window {
  x: [number, number];
  y: [number, number];
}
export interface Answers {
  "api/choices": Choices;
  "api/system": System;
  "api/presets": Presets;
  "api/languages": (HumanLanguage)[];
  "api/plane": Plane;
  "api/map": Map;
  "api/kinds": PhaseDiagram;
  "api/runs": (Run)[];
  "api/bench": Bench;
  "api/study": Record<string, SmallPaths>;
  "api/run": RunDetails;
  "api/overlay": Overlay;
  "api/groups": Comparison;
  "api/measure": Figure;
  "api/events": any;
  "api/dictionary": Dictionary;
  "api/hear": Heard;
  "api/exchange": Exchange;
  "api/runs/start": RunName;
  "api/runs/stop": RunName;
  "api/runs/note": RunName;
  "api/runs/delete": RunName;
  "api/runs/archive": RunName;
  "api/runs/again": RunName;
  "api/runs/continue": RunName;
}
