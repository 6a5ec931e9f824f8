// The pictures of the playground: the map, the distance to the wall, the words that come and go.

import type { Lexicon, Settings } from "./address.ts";
import { GapChart, lives, WordsChart } from "./charts.ts";
import { figures } from "./controls.ts";
import { h, write } from "./dom.ts";
import { type Experiment, places, type RunRound } from "./experiment.ts";
import { crowds, languages } from "./languages.ts";
import { cost, decimals, describe, lexiconOf, optima, parseSystem } from "./model.ts";
import { type Cloud, key, type Mark, type Place, Plane } from "./plane.ts";
import { compose } from "./share.ts";

export const COINS = 20;
/** Places of the path that are drawn in full. */
const RECENT = 12;

/** What is drawn: runs at a round, and beside them coins and the words of the visitor. */
export interface View {
  settings: Settings;
  unit: string;
  run: Experiment;
  coins: Experiment | null;
  at: number;
  mine: Lexicon;
}

/** The key beneath a picture, made anew only where it changes. */
function explain(box: HTMLElement, entries: [string, string][]): void {
  const text = JSON.stringify(entries);
  if (box.dataset.key === text) return;
  box.dataset.key = text;
  box.replaceChildren(key(...entries));
}

/** What the three figures do not say by themselves. */
function remark({ gap, system }: RunRound, runs: number): string {
  const both = system.digits.filter((each) => system.multipliers.includes(each));
  const whose = runs > 1 ? "These are the figures of run 1. " : "";
  if (gap === null || gap >= 0) return whose;
  return `${whose}A little below the wall, which is that of words that are either plain or a base: ${both.join(", ")} ${both.length === 1 ? "is" : "are"} both, and counted twice.`;
}

export class Pictures {
  private readonly plane = new Plane("The map of this run", 20, 4, 0.66);
  private readonly gaps = new GapChart("The distance to the wall, round by round");
  private readonly words = new WordsChart("Words that come and go, round by round");
  private readonly size = h("dd");
  private readonly average = h("dd");
  private readonly gap = h("dd");
  private readonly legend = h("div");
  private readonly gapLegend = h("div");
  private readonly remark = h("p", { class: "note" });
  private human: readonly Cloud[] = [];

  /** The map and the distance to the wall. */
  readonly main = h(
    "div",
    { class: "middle" },
    h(
      "section",
      { class: "panel", "aria-label": "The map" },
      this.plane.element,
      this.legend,
      figures(["words", this.size], ["symbols, on average", this.average], ["gap to the wall", this.gap]),
      this.remark,
    ),
    h("section", { class: "panel" }, h("h2", {}, "Distance to the wall"), this.gaps.element, this.gapLegend),
  );
  readonly comingAndGoing = h(
    "section",
    { class: "panel coming" },
    h("h2", {}, "Words that come and go"),
    this.words.element,
    key(["plain", "plain word"], ["open", "base"]),
  );

  constructor(then: () => void) {
    void languages().then((all) => {
      this.human = crowds(all, 0.35);
      then();
    });
  }

  /** Before anything is known of a run. */
  showStart({ need, grammar }: Settings, system: string): void {
    const start = cost(lexiconOf(parseSystem(system, grammar)), grammar, need);
    const marks: Mark[] =
      start.average === null ? [] : [{ x: start.size, y: start.average, role: "you", hollow: true, label: "start" }];
    this.plane.fit(marks);
    this.plane.show({ wall: optima(need, grammar), marks }, "The map with the start");
  }

  show(view: View): void {
    const { settings, run, at, unit } = view;
    const now = run.rounds[at];
    write(this.size, String(now.size));
    write(this.average, decimals(now.average));
    write(this.gap, decimals(now.gap));
    write(this.remark, remark(now, settings.runs));
    this.showMap(view);
    this.showGaps(view);
    this.words.show(lives(run.rounds.map((each) => each.system)), settings.rounds, at, `${unit}s`);
  }

  /** All of them above one another. */
  together(title: string): { text: string; width: number; height: number } {
    return compose([this.plane.picture, this.gaps.picture, this.words.picture], title);
  }

  private showMap({ settings, unit, run, coins, at, mine }: View): void {
    const { who: role, runs, need, grammar } = settings;
    const now = run.rounds[at];
    const path = places(run.rounds.slice(0, at + 1));
    const others = run.spots
      .slice(1)
      .flatMap((spots) => places(spots.slice(Math.min(at, spots.length - 1)).slice(0, 1)));
    this.plane.fit([...path, ...others]);
    const { average, size } = cost(mine, grammar, need);
    const here = path.at(-1);
    const marks: Mark[] = [];
    if (average !== null) marks.push({ x: size, y: average, role: "you", label: "you" });
    if (path[0]) marks.push({ ...path[0], role: "you", hollow: true, label: "start" });
    if (here && at > 0) marks.push({ ...here, role, label: runs > 1 ? "run 1" : "now" });
    const clouds: Cloud[] = [];
    const entries: [string, string][] = [
      ["wall", "the wall"],
      [role, runs > 1 ? `${runs} runs; the line is run 1` : "this run"],
    ];
    if (coins) {
      clouds.push({ role: "drift", places: this.coinsAt(coins, at), width: 7, opacity: 0.45 });
      entries.push(["drift", `chance: ${COINS} coins`]);
    }
    if (need === "power:2" && grammar === "modified") {
      clouds.unshift(...this.human);
      entries.push(["human", "languages"]);
    }
    if (others.length) clouds.push({ role, places: others, width: 7, opacity: 0.5 });
    if (average !== null) entries.push(["you", "your words of step 1"]);
    // What is long ago fades, so that a run that stays where it is can still be followed.
    const paths = [
      { role, places: path.slice(0, 1 - RECENT), opacity: 0.3 },
      { role, places: path.slice(-RECENT), opacity: runs > 1 ? 0.6 : 1 },
    ];
    const label = `${unit} ${at}: ${now.size} words, ${decimals(now.average)} symbols, gap ${decimals(now.gap)}. Words: ${describe(lexiconOf(now.system))}.`;
    this.plane.show({ wall: optima(need, grammar), clouds, paths, marks }, label);
    explain(this.legend, entries);
  }

  /** Where coins are, as far as they are on the map: chance strays so far that the map would be all theirs. */
  private coinsAt(coins: Experiment, at: number): Place[] {
    return coins.spots.flatMap((spots) => places(spots.slice(at, at + 1))).filter((place) => this.plane.holds(place));
  }

  private showGaps({ settings, unit, run, coins, at }: View): void {
    const { who: role, runs, rounds } = settings;
    const bands = [];
    const lines = [];
    const entries: [string, string][] = [];
    if (coins) {
      const { low, high, middle } = coins.summary;
      bands.push({ role: "drift" as const, low, high });
      lines.push({ role: "drift" as const, values: middle });
      entries.push(["drift", `chance: ${COINS} coins from the same start`]);
    }
    if (runs > 1) {
      const { low, high, middle } = run.summary;
      bands.push({ role, low, high });
      lines.push({ role, values: middle });
      entries.unshift([role, "these runs: the line is the middle one, the band holds four of five"]);
    } else {
      lines.push({ role, values: run.rounds.map((each) => each.gap ?? 0) });
      entries.unshift([role, "this run"]);
    }
    this.gaps.show(lines, bands, rounds, at, `${unit}s`);
    explain(this.gapLegend, entries);
  }
}
