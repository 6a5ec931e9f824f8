// Step 7: which base? Passing on, hands, and what people have.

import { SETTINGS } from "../address.ts";
import type { App } from "../app.ts";
import { BaseChart } from "../charts.ts";
import { button, row, slider } from "../controls.ts";
import { byId, h, soon, whenNear, write } from "../dom.ts";
import { Experiment, runSettings } from "../experiment.ts";
import { languages } from "../languages.ts";
import { baseOf, lexiconOf, STARTS } from "../model.ts";
import { key } from "../plane.ts";

const RUNS = 40;
const GENERATIONS = 150;
const FROM = 100;
const EVERY = 10;
const HANDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const GROUPS: [name: string, least: number, most: number][] = [
  ["2–4", 1, 4],
  ["5", 5, 5],
  ["6–9", 6, 9],
  ["10", 10, 10],
  ["11–19", 11, 19],
  ["20", 20, 20],
  ["more", 21, 99],
];

function shares(bases: readonly number[]): number[] {
  return GROUPS.map(
    ([, least, most]) => bases.filter((base) => base >= least && base <= most).length / Math.max(bases.length, 1),
  );
}

const percent = (share: number): string => `${Math.round(100 * share)}\u00a0%`;

export function ten(app: App): void {
  const chart = new BaseChart("Which bases languages have: those of the runs, and those that people speak");
  const verdict = h("p", { class: "verdict", role: "status" });
  let guess = 50;
  let guessed = false;
  let hands = 1;
  let bases: number[] = [];
  let human: number[] = [];
  let now: Experiment | null = null;
  const predict = slider(
    "Your guess: base ten in",
    Array.from({ length: 21 }, (_, i) => 5 * i),
    (value) => `${value} % of languages`,
    (value) => {
      guess = value;
    },
  );
  const rerun = soon(() => run());
  const easier = slider(
    "5, 10 and 20 are easier to invent",
    HANDS,
    (value) => (value === 1 ? "not at all" : `${value} times`),
    (value) => {
      hands = value;
      rerun();
    },
  );
  predict.set(guess);
  easier.set(hands);
  const ask = h("div", {}, predict.element, row(button("Pass languages on", () => reveal(), "main")));
  const answer = h(
    "div",
    { hidden: true },
    chart.element,
    key(["passing", "languages passed on (children hear 200 numbers)"], ["human-line", "what people speak"]),
    easier.element,
    verdict,
  );
  byId("play-7").append(ask, answer);

  function reveal(): void {
    guessed = true;
    app.reveal(7);
    open();
  }

  function open(): void {
    ask.hidden = true;
    answer.hidden = false;
    run();
    void people();
  }

  async function people(): Promise<void> {
    human = shares((await languages()).map((each) => baseOf(each.lexicon)));
    draw();
  }

  function run(): void {
    now?.stop();
    bases = [];
    const settings = { ...SETTINGS, who: "passing" as const, hands };
    now = new Experiment(runSettings(settings, STARTS[0]), RUNS, {
      update: draw,
      idle: draw,
      error: (sentence) => write(verdict, sentence),
      each: (round) => {
        if (round.round >= FROM && round.round % EVERY === 0) bases.push(baseOf(lexiconOf(round.system)));
      },
    });
    now.compute(GENERATIONS);
  }

  function draw(): void {
    const found = shares(bases);
    chart.show(
      GROUPS.map(([name]) => name),
      found,
      human,
    );
    if ((now?.done ?? 0) < GENERATIONS) return;
    const tens = found[3];
    const yours = guessed && hands === 1 ? `You guessed ${guess} %. ` : "";
    const people = human.length ? ` Of the languages on the map of step 4 it is ${percent(human[3])}.` : "";
    write(
      verdict,
      `${yours}Ten is the base of ${percent(tens)} of these languages, in ${RUNS} runs; the study has 160, and so few can differ much.${people}`,
    );
  }

  if (app.isShown(7)) whenNear(byId("play-7"), open);
}
