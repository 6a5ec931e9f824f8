// Step 6: what it takes. Prices on words and symbols; then nothing but children who hear some numbers.

import { SETTINGS, type Settings } from "../address.ts";
import type { App } from "../app.ts";
import { GapChart } from "../charts.ts";
import { slider } from "../controls.ts";
import { byId, h, soon, whenNear, write } from "../dom.ts";
import { Experiment, NOTHING, places, quantile, runSettings } from "../experiment.ts";
import { decimals, STARTS } from "../model.ts";
import { key, Plane, type Role } from "../plane.ts";

const START = STARTS[2];
const ROUNDS = 100;
const RUNS = 20;
const WORD_PRICES = [0, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05];
const SYMBOL_PRICES = [0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5];
const HEARD = [10, 20, 50, 100, 200, 400, 1000, 2000, 5000];

/** Twenty runs beside twenty coins: where they end, and how far from the wall they are. What is returned starts them. */
function watched(
  app: App,
  box: HTMLElement,
  role: Role,
  name: string,
  tell: (size: number, gap: number, drift: number) => string,
): (settings: Settings) => void {
  const plane = new Plane("Where twenty languages end", 20, 4, 0.62);
  const gaps = new GapChart("The distance to the wall over the rounds");
  const verdict = h("p", { class: "verdict", role: "status" });
  box.append(
    verdict,
    plane.element,
    key([role, name], ["drift", "chance, from the same start"], ["wall", "the wall"]),
    h("h3", {}, "Distance to the wall"),
    gaps.element,
    h("p", { class: "note" }, "The line is the middle of 20 runs; the band holds 16 of them."),
  );
  let now: Experiment | null = null;
  let drift: Experiment | null = null;
  let isDrift = false;
  const draw = (): void => {
    const done = Math.max(now?.done ?? 0, 0);
    const runs = now?.summary ?? NOTHING;
    const coins = drift?.summary ?? NOTHING;
    const shown: Role = isDrift ? "drift" : role;
    const ends = (now?.spots ?? []).flatMap((spots) => places(spots.slice(-1)));
    const lost = (drift?.spots ?? []).flatMap((spots) => places(spots.slice(-1)));
    plane.fit([...ends, ...lost]);
    plane.show(
      {
        wall: app.wall,
        clouds: [
          { role: "drift", places: lost, width: 8, opacity: 0.5 },
          { role: shown, places: ends, width: 10, opacity: 0.75 },
        ],
        paths: [{ role: shown, opacity: 0.5, places: places(now?.spots[0] ?? []) }],
      },
      `Twenty languages after ${done} rounds; their middle gap is ${decimals(runs.middle.at(-1) ?? null)}.`,
    );
    gaps.show(
      [
        { role: "drift", values: coins.middle },
        { role: shown, values: runs.middle },
      ],
      [
        { role: "drift", low: coins.low, high: coins.high },
        { role: shown, low: runs.low, high: runs.high },
      ],
      ROUNDS,
      null,
      role === "passing" ? "generations" : "rounds",
    );
    const sizes = (now?.spots ?? []).flatMap((spots) => spots.slice(-1).map((spot) => spot.size));
    if (done >= ROUNDS)
      write(verdict, tell(quantile(sizes, 0.5), runs.middle.at(-1) ?? Number.NaN, coins.middle.at(-1) ?? Number.NaN));
  };
  const news = { update: draw, idle: draw, error: (sentence: string) => write(verdict, sentence) };
  draw();
  return (settings) => {
    if (!drift) {
      drift = new Experiment(runSettings({ ...SETTINGS, who: "drift", seed: 1 }, START), RUNS, news);
      drift.compute(ROUNDS);
    }
    now?.stop();
    isDrift = settings.who === "drift";
    now = new Experiment(runSettings({ ...settings, seed: 1 }, START), RUNS, news);
    now.compute(ROUNDS);
  };
}

export function prices(app: App): void {
  const box = byId("play-6a");
  let word = 0;
  let symbol = 0;
  const free = (): boolean => word === 0 && symbol === 0;
  const panel = h("div");
  const run = watched(app, panel, "costs", "who pays the prices", (size, gap, drift) => {
    if (free()) return "Nothing has a price, so a coin decides. Move a slider.";
    const what =
      symbol === 0
        ? "Only words cost: lexicons become as small as they can be, and numbers long. "
        : word === 0
          ? "Only length costs: lexicons grow and grow. "
          : "";
    return `${what}They end with ${Math.round(size)} words, ${decimals(gap)} from the wall; here chance ends ${decimals(drift)} away.`;
  });
  const rerun = soon(() => run({ ...SETTINGS, who: free() ? "drift" : "costs", word, symbol }));
  const wordPrice = slider(
    "A word costs",
    WORD_PRICES,
    (value) => (value ? String(value) : "nothing"),
    (value) => {
      word = value;
      rerun();
    },
  );
  const symbolPrice = slider(
    "A symbol costs",
    SYMBOL_PRICES,
    (value) => (value ? String(value) : "nothing"),
    (value) => {
      symbol = value;
      rerun();
    },
  );
  wordPrice.set(word);
  symbolPrice.set(symbol);
  box.append(symbolPrice.element, wordPrice.element, panel);
  whenNear(box, rerun);
}

export function children(app: App): void {
  const box = byId("play-6b");
  let heard = 200;
  const panel = h("div");
  const run = watched(
    app,
    panel,
    "passing",
    "passed on from parents to children",
    (size, gap, drift) =>
      `Children who hear ${heard.toLocaleString("en")} numbers: languages of ${Math.round(size)} words, ${decimals(gap)} from the wall. A coin that decides about the changes of the first answer ends ${decimals(drift)} away.`,
  );
  const rerun = soon(() => run({ ...SETTINGS, who: "passing", heard }));
  const numbers = slider(
    "Each child hears",
    HEARD,
    (value) => `${value.toLocaleString("en")} numbers`,
    (value) => {
      heard = value;
      rerun();
    },
  );
  numbers.set(heard);
  box.append(numbers.element, panel);
  whenNear(box, rerun);
}
