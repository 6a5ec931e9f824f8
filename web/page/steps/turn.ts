// Step 8: questions that open the playground.

import { SETTINGS, type Settings, STATE, writeAddress, writeLexicon } from "../address.ts";
import type { App } from "../app.ts";
import { byId, h } from "../dom.ts";

const CARDS: [title: string, text: string, settings: Partial<Settings>][] = [
  [
    "Danish in a quiet house",
    "Pass Danish on to children who hear only 50 numbers. What do they keep?",
    { start: "Danish", who: "passing", heard: 50 },
  ],
  [
    "Watch two agents",
    "They talk, and keep what they understand. Read along what they say.",
    { start: "1", who: "agents", word: 0, symbol: 0, rounds: 40 },
  ],
  [
    "Agents who pay",
    "The same agents, but words and symbols have a price.",
    { start: "1", who: "agents", word: 0.01, symbol: 0.2, rounds: 40 },
  ],
  ["Two hundred coins", "How far can chance carry a language?", { start: "English", who: "drift", runs: 200 }],
  [
    "Somebody who knows",
    "Keeps every change that makes numbers shorter. Where does that end?",
    { start: "7", who: "oracle", runs: 20 },
  ],
  [
    "Counting on fingers",
    "Make 5, 10 and 20 a hundred times easier to invent. Do bases change?",
    { start: "2", who: "passing", hands: 100 },
  ],
  [
    "A flood of words",
    "Children hear 5,000 numbers. How many words can they keep?",
    { start: "7", who: "passing", heard: 5000, runs: 20 },
  ],
  [
    "All numbers alike",
    "What if people needed 87 as often as 3?",
    { start: "English", who: "passing", need: "uniform", heard: 400, runs: 20 },
  ],
];

export function turn(app: App): void {
  const list = h("ul", { class: "cards" });
  const card = (title: string, text: string, settings: Partial<Settings>): HTMLElement => {
    const address = writeAddress({ ...STATE, view: "playground", settings: { ...SETTINGS, ...settings } });
    return h("li", {}, h("a", { href: address }, h("b", {}, title), text));
  };
  byId("play-8").append(list);
  app.onMine((mine) => {
    const own = mine.problem
      ? []
      : [
          card("Your own words", "Pass the words that you chose on to children. Will they keep them?", {
            start: writeLexicon(mine.lexicon),
            who: "passing",
          }),
        ];
    list.replaceChildren(...own, ...CARDS.map((each) => card(...each)));
  });
}
