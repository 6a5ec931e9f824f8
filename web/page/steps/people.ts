// Step 4: guess where languages lie, then see all of them and find one's own.

import type { App } from "../app.ts";
import { button, row } from "../controls.ts";
import { byId, h, write } from "../dom.ts";
import { quantile } from "../experiment.ts";
import { crowds, type Language, language, languageFinder, languages } from "../languages.ts";
import { cost, decimals, describe } from "../model.ts";
import { type Cloud, key, type Mark, Plane } from "../plane.ts";

const ASKED: [name: string, x: number, y: number][] = [
  ["English", 17, 3],
  ["Danish", 14, 3.3],
  ["Ainu", 11, 3],
];

export async function people(app: App): Promise<void> {
  const plane = new Plane("Three handles to move: where do English, Danish and Ainu lie?", 20, 4, 0.78);
  const verdict = h("p", { class: "verdict", role: "status" });
  const guesses = ASKED.map(([name, x, y]) => ({ name, x, y, touched: false }));
  const show = button("Show me", () => reveal(), "main");
  const ask = h(
    "div",
    {},
    h("p", { class: "note" }, "Drag the three circles, or move them with the arrow keys."),
    row(show),
  );
  const find = languageFinder((found) => choose(found), "Find your language");
  byId("play-4").append(
    plane.element,
    key(["wall", "the wall"], ["human", "languages: the larger a dot, the more"], ["you", "you"]),
    ask,
    verdict,
    find,
  );
  let all: readonly Language[] = [];
  let dots: readonly Cloud[] = [];
  let chosen: Language | null = null;

  function draw(): void {
    const shown = app.isShown(4);
    ask.hidden = shown;
    find.hidden = !shown;
    if (!shown) {
      const marks = guesses.map(
        (guess): Mark => ({
          ...{ x: guess.x, y: guess.y, role: "human", hollow: true, label: `${guess.name}?` },
          moved: ({ x, y }) => Object.assign(guess, { x, y, touched: true }),
        }),
      );
      plane.show({ wall: app.wall, marks });
      return;
    }
    const truths = ASKED.map(([name]) => language(name)).filter((each): each is Language => each !== null);
    const marks = (chosen ? [chosen] : truths).map(
      (each): Mark => ({ x: each.size, y: each.average, role: "human", label: each.name }),
    );
    const paths = chosen
      ? []
      : truths.flatMap((truth) => {
          const guess = guesses.find((each) => each.name === truth.name && each.touched);
          if (guess) marks.push({ x: guess.x, y: guess.y, role: "human", hollow: true });
          return guess
            ? [{ role: "human" as const, opacity: 0.5, places: [guess, { x: truth.size, y: truth.average }] }]
            : [];
        });
    if (app.mine.average !== null) marks.push({ x: app.mine.size, y: app.mine.average, role: "you", label: "you" });
    plane.fit(dots.flatMap(({ places }) => places));
    plane.show(
      { wall: app.wall, clouds: dots, marks, paths },
      `${all.length} languages; most of them lie close above the wall.`,
    );
  }

  function tell(): void {
    if (!app.isShown(4)) return;
    if (chosen) {
      write(verdict, sentence(chosen));
      return;
    }
    const yours = guesses
      .filter((guess) => guess.touched)
      .map(({ name, x, y }) => {
        const truth = language(name);
        return truth
          ? `You put ${name} at ${x} words and ${decimals(y)} symbols; it has ${truth.size} and ${decimals(truth.average)}. `
          : "";
      })
      .join("");
    const near = all.filter((each) => each.gap < 0.1).length;
    write(
      verdict,
      `${yours}${near.toLocaleString("en")} of ${all.length.toLocaleString("en")} languages lie within a tenth of a symbol of the wall. Point at a dot, or tap it, to see its words.`,
    );
  }

  function reveal(): void {
    app.reveal(4);
    draw();
    tell();
  }

  function choose(hit: Language | null): void {
    chosen = hit;
    draw();
    tell();
  }

  app.onMine(draw);
  all = await languages();
  dots = crowds(all, 0.5);
  for (const each of document.querySelectorAll("[data-languages]")) write(each, all.length.toLocaleString("en"));
  const median = quantile(
    all.map((each) => each.gap),
    0.5,
  );
  for (const each of document.querySelectorAll("[data-median-gap]"))
    write(each, median < 0.01 ? "less than 0.01" : decimals(median));
  draw();
  tell();
}

function sentence(one: Language): string {
  const { text } = cost(one.lexicon);
  const gap = one.gap <= 0.0005 ? "exactly at the wall" : `${decimals(one.gap)} symbols above the wall`;
  return `${one.name} (${one.family}) has ${one.size} words: ${describe(one.lexicon)}. It needs ${decimals(one.average)} symbols on average, ${gap}. The shortest way these words allow to say 47 is ${text(47)}.`;
}
