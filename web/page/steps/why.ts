// Step 5: agents who talk, or chance? Predict, then both run from the same start.

import { type GUESSES, SETTINGS, type Settings, type State } from "../address.ts";
import type { App } from "../app.ts";
import { GapChart } from "../charts.ts";
import { button, row, segments } from "../controls.ts";
import { byId, h, write } from "../dom.ts";
import { Experiment, NOTHING, places, runSettings } from "../experiment.ts";
import { decimals, STARTS } from "../model.ts";
import { key, type Place, Plane } from "../plane.ts";

const START = STARTS[2];
const ROUNDS = 40;
const STEPS = 200;
const COINS = 20;
const ANSWERS: readonly (readonly [(typeof GUESSES)[number], string])[] = [
  ["agents", "Agents come nearer, chance does not"],
  ["chance", "Chance comes nearer, agents do not"],
  ["both", "Both come nearer"],
  ["neither", "Neither does"],
];

export function why(app: App): void {
  const plane = new Plane("Where two lexicons go: one that agents choose, one that chance chooses", 20, 4, 0.7);
  const gaps = new GapChart("The distance to the wall over the rounds");
  const verdict = h("p", { class: "verdict", role: "status" });
  const progress = h("p", { class: "note" });
  const bar = h("i");
  let agents: Experiment | null = null;
  let coins: Experiment | null = null;
  let seed = 1;
  let add: Settings["add"] = "lowest";
  let trouble = "";
  const guess = segments("Your guess", ANSWERS, (value) => predict(value), "answers");
  const rule = segments(
    "A new word is",
    [
      ["lowest", "the lowest number without one"],
      ["any", "any number"],
    ] as const,
    (value) => {
      add = value;
      run();
    },
  );
  rule.set(add);
  const again = button("Again, with other luck", () => {
    seed += 100;
    run();
  });
  const show = h(
    "div",
    { hidden: true },
    plane.element,
    key(["agents", "agents who talk"], ["drift", "chance (a coin); the band: 16 of 20 coins"], ["wall", "the wall"]),
    h("h3", {}, "Distance to the wall"),
    gaps.element,
    h("div", { class: "waiting", "aria-hidden": "true" }, bar),
    progress,
    verdict,
    rule.element,
    row(again),
  );
  const ask = h("div", {}, guess.element, row(button("I cannot tell. Show me", () => predict(""))));
  byId("play-5").append(ask, show);

  function predict(value: State["guess"]): void {
    app.change({ guess: value });
    app.reveal(5);
    open();
  }

  function open(): void {
    ask.hidden = true;
    show.hidden = false;
    run();
  }

  function run(): void {
    agents?.stop();
    coins?.stop();
    trouble = "";
    const settings: Settings = { ...SETTINGS, add, seed, steps: STEPS, rounds: ROUNDS, word: 0, symbol: 0 };
    const news = { update: draw, error: (sentence: string) => fail(sentence) };
    coins = new Experiment(runSettings({ ...settings, who: "drift" }, START), COINS, news);
    coins.compute(ROUNDS);
    agents = new Experiment(runSettings({ ...settings, who: "agents" }, START), 1, {
      ...news,
      progress: (text, share) => {
        write(progress, text);
        bar.style.width = `${100 * share}%`;
      },
      idle: () => {
        write(progress, "");
        bar.style.width = "100%";
        draw();
      },
    });
    agents.compute(ROUNDS);
    draw();
    write(progress, "Two agents are learning the first language …");
  }

  function fail(sentence: string): void {
    trouble = sentence;
    draw();
  }

  function draw(): void {
    const mine = agents?.spots[0] ?? [];
    const at = Math.max(mine.length - 1, 0);
    const paced = agents && !trouble ? Math.max(at, 1) : ROUNDS;
    const coin = (coins?.spots[0] ?? []).slice(0, paced + 1);
    const all = coins?.summary ?? NOTHING;
    const many = {
      middle: all.middle.slice(0, paced + 1),
      low: all.low.slice(0, paced + 1),
      high: all.high.slice(0, paced + 1),
    };
    const [agentPlaces, coinPlaces] = [places(mine), places(coin)];
    plane.fit([...agentPlaces, ...coinPlaces]);
    const ends = (list: Place[], role: "agents" | "drift", label: string) =>
      list.slice(-1).map((place) => ({ ...place, role, label }));
    const first = coinPlaces[0] ?? agentPlaces[0];
    const marks = [
      ...(first ? [{ ...first, role: "you" as const, hollow: true, label: "start" }] : []),
      ...ends(coinPlaces.slice(1), "drift", "chance"),
      ...ends(agentPlaces.slice(1), "agents", "agents"),
    ];
    plane.show({
      wall: app.wall,
      paths: [
        { role: "drift", places: coinPlaces },
        { role: "agents", places: agentPlaces },
      ],
      marks,
    });
    gaps.show(
      [
        { role: "drift", values: coin.map((spot) => spot.gap) },
        { role: "agents", values: mine.map((spot) => spot.gap) },
      ],
      [{ role: "drift", low: many.low, high: many.high }],
      ROUNDS,
      null,
    );
    write(verdict, tell(at, mine.at(-1)?.gap ?? null, coin.at(-1)?.gap ?? null, many.middle.at(-1) ?? null));
  }

  function tell(at: number, agentGap: number | null, coinGap: number | null, middle: number | null): string {
    if (trouble) return `${trouble} The coin runs alone.`;
    const guessed = ANSWERS.find(([value]) => value === app.state.guess)?.[1];
    const right = app.state.guess === "both" ? "And so it was in the study. " : "In the study both came nearer. ";
    const yours = guessed ? `You guessed: “${guessed}”. ${right}` : "";
    if (at < 1) return yours;
    const now = `${yours}Here, after ${at} round${at === 1 ? "" : "s"} agents are ${decimals(agentGap)} from the wall, this coin ${decimals(coinGap)}, and the middle one of twenty coins ${decimals(middle)}.`;
    if (at < ROUNDS) return now;
    return `${now} One run is one run: try again with other luck. And agents who talk for only ${STEPS} steps a round often do worse than in the study, where they had 40,000.`;
  }

  guess.set(app.state.guess);
  if (app.isShown(5)) {
    ask.hidden = true;
    show.hidden = false;
    draw();
    // Agents are work: they wait until somebody looks.
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      run();
    });
    watch.observe(byId("play-5"));
  }
}
