// Steps 1 and 2: six words, and what they cost.

import type { Lexicon } from "../address.ts";
import { LARGEST_WORD, MINE } from "../address.ts";
import type { App } from "../app.ts";
import { button, figures, row } from "../controls.ts";
import { announce, byId, h, write } from "../dom.ts";
import { type Costed, cost, decimals, describe } from "../model.ts";
import { key, type Place, Plane } from "../plane.ts";
import { Tiles } from "../tiles.ts";

const SIX = 6;

/** What a number becomes, in one line that changes while a slider is moved. */
export function meter(app: App): { element: HTMLElement; show: (mine: Costed) => void } {
  const said = h("p", { class: "said" });
  const input = h("input", {
    type: "range",
    min: 1,
    max: 99,
    value: app.state.number,
  });
  const show = (mine: Costed): void => {
    const n = Number(input.value);
    const text = mine.text(n);
    const symbols = mine.symbols(n);
    const parts = text
      ? [h("b", {}, `${n} = ${text}`), ` · ${count(symbols, "symbol")}`]
      : [h("b", {}, `${n}`), " cannot be said"];
    said.replaceChildren(...parts);
    input.setAttribute("aria-valuetext", said.textContent ?? "");
  };
  input.addEventListener("input", () => {
    app.change({ number: Number(input.value) });
    show(app.mine);
  });
  return { element: h("div", {}, said, h("label", { class: "field" }, "Which number to say", input)), show };
}

export function count(number: number, name: string): string {
  return `${number} ${name}${number === 1 ? "" : "s"}`;
}

export function sixWords(app: App): void {
  const tiles = new Tiles((lexicon) => app.setMine(lexicon));
  const saying = meter(app);
  const verdict = h("p", { class: "verdict" });
  byId("play-1").append(
    saying.element,
    tiles.element,
    key(["plain", "plain word: one tap"], ["base", "base: a second tap"], ["unsaid", "cannot be said"]),
    verdict,
    row(
      button("Back to the first six", () => app.setMine(MINE)),
      button("Six at random", () => app.setMine(random())),
    ),
  );
  app.onMine((mine) => {
    tiles.show(mine);
    saying.show(mine);
    const over = mine.size - SIX;
    const words = `You have ${count(mine.size, "word")}: ${describe(mine.lexicon)}.`;
    const advice = over > 0 ? ` Put ${count(over, "word")} back.` : over < 0 ? ` You may take ${-over} more.` : "";
    const sayable = mine.problem ? ` ${mine.problem}` : " You can say every number up to 99.";
    write(verdict, words + advice + sayable);
  });
}

/** Six words that can say everything: the first random draw that does. */
function random(): Lexicon {
  for (let attempt = 0; attempt < 200; attempt++) {
    const words = [1];
    while (words.length < SIX) {
      const next = 2 + Math.floor(Math.random() ** 2 * 28);
      if (!words.includes(next)) words.push(next);
    }
    const base = words[1 + Math.floor(Math.random() * (SIX - 1))];
    const lexicon = { digits: words.filter((each) => each !== base).sort((a, b) => a - b), multipliers: [base] };
    if (!cost(lexicon).problem) return lexicon;
  }
  return MINE;
}

/** Every lexicon with one word more, or one less. */
function neighbours({ digits, multipliers }: Lexicon, more: boolean): Lexicon[] {
  const found: Lexicon[] = [];
  const up = (set: number[]): number[] => set.sort((a, b) => a - b);
  for (let n = 1; n <= LARGEST_WORD; n++) {
    const inside = digits.includes(n) || multipliers.includes(n);
    if (more && !inside)
      found.push({ digits: up([...digits, n]), multipliers }, { digits, multipliers: up([...multipliers, n]) });
    if (!more && inside)
      found.push({
        digits: digits.filter((each) => each !== n),
        multipliers: multipliers.filter((each) => each !== n),
      });
  }
  return found;
}

function best(lexicon: Lexicon, more: boolean): Costed | null {
  const all = neighbours(lexicon, more).map((each) => cost(each));
  const good = all.filter((each) => each.average !== null);
  return good.sort((a, b) => (a.average ?? 0) - (b.average ?? 0))[0] ?? null;
}

export function costOfWords(app: App): void {
  const plane = new Plane(
    "A map: words to learn across, symbols on average up. Your lexicon is a dot on it.",
    20,
    4,
    0.7,
  );
  const tiles = new Tiles((lexicon) => app.setMine(lexicon));
  const size = h("dd");
  const average = h("dd");
  const lowest = h("dd");
  const verdict = h("p", { class: "verdict" });
  const trail: Place[] = [];
  const records = new Map<number, number>();
  const move = (more: boolean): void => {
    const { lexicon } = app.mine;
    const found = best(lexicon, more);
    if (found) {
      app.setMine(found.lexicon);
      return;
    }
    const stuck = more
      ? "One word more is not enough to say every number."
      : "No word can be spared: without any one of them, some numbers cannot be said. Add a word first.";
    write(verdict, `${describe(lexicon)}. ${stuck}`);
    announce(stuck);
  };
  byId("play-2").append(
    plane.element,
    key(["you", "you now"], ["drift", "where you have been"]),
    figures(["words", size], ["symbols, on average", average], ["your best with as many words", lowest]),
    row(
      button("Add the most useful word", () => move(true), "main"),
      button("Drop the least useful", () => move(false)),
    ),
    verdict,
    h("details", {}, h("summary", {}, "Change the words yourself"), tiles.element),
  );
  app.onMine((mine) => {
    tiles.show(mine);
    write(size, String(mine.size));
    write(average, decimals(mine.average));
    write(
      verdict,
      mine.problem ? `${mine.problem} No dot until every number can be said.` : `${describe(mine.lexicon)}.`,
    );
    if (mine.average === null) {
      write(lowest, "–");
      plane.show({ clouds: [{ role: "drift", places: [...trail] }] });
      return;
    }
    const here = { x: mine.size, y: mine.average };
    records.set(mine.size, Math.min(mine.average, records.get(mine.size) ?? Number.POSITIVE_INFINITY));
    write(lowest, decimals(records.get(mine.size) ?? null));
    plane.fit([here]);
    const label = `You have ${mine.size} words and need ${decimals(mine.average)} symbols on average.`;
    plane.show(
      {
        clouds: [{ role: "drift", places: [...trail] }],
        paths: [{ role: "drift", places: [...trail.slice(-1), here] }],
        marks: [{ ...here, role: "you", label: "you" }],
      },
      label,
    );
    trail.push(here);
    if (trail.length > 200) trail.shift();
  });
}
