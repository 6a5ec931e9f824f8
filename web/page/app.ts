// What the parts of the page share: the state in the address, the lexicon of the visitor, what has been shown.

import { type Lexicon, readAddress, type State, writeAddress } from "./address.ts";
import { byId, h } from "./dom.ts";
import { type Costed, cost, type Optimum, optima } from "./model.ts";

export interface App {
  readonly state: State;
  /** Change what is seen, and the address with it. */
  change: (part: Partial<State>) => void;
  /** The visitor's lexicon, costed. */
  readonly mine: Costed;
  setMine: (lexicon: Lexicon) => void;
  /** Call now and whenever the visitor's lexicon changes. */
  onMine: (then: (mine: Costed) => void) => void;
  /** Show the answer of a step. */
  reveal: (step: number) => void;
  isShown: (step: number) => boolean;
  readonly wall: readonly Optimum[];
  problem: (sentence: string) => void;
  /** Which view is to be seen; the address has changed. */
  onView: (then: (view: State["view"]) => void) => void;
}

/** Sentences about an address at a time; the oldest go first. */
const MOST_PROBLEMS = 8;
/** How long to wait before the address follows; browsers refuse to change it too often. */
const ADDRESS_AFTER = 250;

export function makeApp(): App {
  const first = readAddress(location.hash);
  let state = first.state;
  let mine = cost(state.mine);
  let timer = 0;
  const listeners: ((mine: Costed) => void)[] = [];
  const viewers: ((view: State["view"]) => void)[] = [];
  const problem = (sentence: string): void => {
    const box = byId("problems");
    if ([...box.children].some((each) => each.textContent === sentence)) return;
    box.append(h("p", {}, sentence));
    while (box.children.length > MOST_PROBLEMS) box.firstElementChild?.remove();
  };
  const writeSoon = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const address = writeAddress(state);
      if (address !== location.hash) history.replaceState(null, "", address);
    }, ADDRESS_AFTER);
  };
  for (const each of first.problems) problem(each);
  addEventListener("hashchange", () => {
    const next = readAddress(location.hash);
    byId("problems").replaceChildren();
    for (const each of next.problems) problem(each);
    // A link within the page names only what it changes; words and answers stay.
    const kept = { mine: state.mine, guess: state.guess, shown: state.shown };
    const given = new URLSearchParams(location.hash.slice(1));
    state = { ...next.state };
    if (!given.has("mine")) state.mine = kept.mine;
    if (!given.has("guess")) state.guess = kept.guess;
    if (!given.has("shown")) state.shown = kept.shown;
    app.setMine(state.mine);
    showAnswers();
    for (const then of viewers) then(state.view);
  });
  const showAnswers = (): void => {
    for (const element of document.querySelectorAll<HTMLElement>("[data-after]")) {
      element.classList.toggle("shown", app.isShown(Number(element.dataset.after)));
    }
  };
  const app: App = {
    get state() {
      return state;
    },
    get mine() {
      return mine;
    },
    wall: optima(),
    change(part) {
      state = { ...state, ...part };
      writeSoon();
    },
    setMine(lexicon) {
      mine = cost(lexicon);
      app.change({ mine: lexicon });
      for (const then of listeners) then(mine);
    },
    onMine(then) {
      listeners.push(then);
      then(mine);
    },
    reveal(step) {
      if (!app.isShown(step)) app.change({ shown: [...state.shown, step].sort().join("") });
      showAnswers();
    },
    isShown: (step) => state.shown.includes(String(step)),
    problem,
    onView(then) {
      viewers.push(then);
      then(state.view);
    },
  };
  showAnswers();
  return app;
}
