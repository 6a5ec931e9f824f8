// Step 3: the wall rises, size by size.

import type { App } from "../app.ts";
import { button, row, slider } from "../controls.ts";
import { byId, h, still, write } from "../dom.ts";
import { decimals, describe, lexiconOf, parseSystem } from "../model.ts";
import { key, type Mark, Plane } from "../plane.ts";

const LAST = 20;
const EACH = 110;

export function wall(app: App): void {
  const plane = new Plane("The map before the wall is shown", LAST, 4, 0.74);
  const verdict = h("p", { class: "verdict", role: "status" });
  let guess = 1.8;
  let touched = false;
  let guessed = false;
  let size = 6;
  let risen = app.isShown(3) ? LAST : 0;
  const guesses = Array.from({ length: 31 }, (_, i) => Math.round(100 * (1 + i * 0.05)) / 100);
  const predict = slider(
    "With six words, how short can anybody make it?",
    guesses,
    (value) => `${decimals(value)} symbols`,
    (value) => {
      touched = true;
      guess = value;
      show();
    },
  );
  const sizes = slider(
    "The best choice of",
    app.wall.filter((each) => each.size <= LAST).map((each) => each.size),
    (value) => `${value} words`,
    (value) => {
      size = value;
      show();
    },
  );
  predict.set(guess);
  sizes.set(size);
  const ask = h("div", {}, predict.element, row(button("Show the wall", () => rise(), "main")));
  const answer = h("div", { hidden: true }, sizes.element);
  byId("play-3").append(
    plane.element,
    key(["wall", "the wall: nothing lies here"], ["you", "you"]),
    ask,
    answer,
    verdict,
  );

  function rise(): void {
    guessed = true;
    app.reveal(3);
    risen = still() ? LAST : 1;
    const next = (): void => {
      risen++;
      show();
      if (risen < LAST) setTimeout(next, EACH);
    };
    next();
  }

  function show(): void {
    const done = risen >= LAST;
    ask.hidden = risen > 0;
    answer.hidden = !done;
    const optimum = app.wall.find((each) => each.size === (done ? size : risen));
    const marks: Mark[] = [];
    const mine = app.mine;
    // Whoever has six words or fewer has shown how short it can be made at least.
    if (!touched && !guessed && mine.average !== null) {
      guess = mine.size <= 6 ? Math.min(mine.average, 2.5) : 1.8;
      predict.set(guess);
    }
    if (mine.average !== null) marks.push({ x: mine.size, y: mine.average, role: "you", label: "you" });
    if (optimum)
      marks.push({ x: optimum.size, y: optimum.average, role: "you", hollow: true, label: done ? "the best" : "" });
    plane.fit(marks);
    const six = app.wall.find((each) => each.size === 6);
    const scene = { wall: app.wall, risen, marks, ...(risen && !guessed ? {} : { guess: { x: 6, y: guess } }) };
    plane.show(
      scene,
      done
        ? "The wall falls from 2.8 symbols with two words to 1.1 with twenty; nothing lies below it."
        : "The map with your words and your guess.",
    );
    if (!done || !optimum || !six) {
      write(verdict, "");
      return;
    }
    const words = describe(lexiconOf(parseSystem(optimum.system)));
    const you =
      mine.gap === null
        ? ""
        : mine.gap <= 0.005
          ? " You stand at the wall."
          : ` Your words are ${decimals(mine.gap)} symbols above the wall.`;
    const yours = guessed && size === 6 ? `You guessed ${decimals(guess)}. ` : "";
    write(verdict, `${yours}The best ${optimum.size} words are ${words}: ${decimals(optimum.average)} symbols.${you}`);
  }
  app.onMine(show);
}
