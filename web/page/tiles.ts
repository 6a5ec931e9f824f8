// A lexicon as number tiles: a tap makes a plain word, another a base, a third takes it away.

import { LARGEST_WORD, type Lexicon } from "./address.ts";
import { announce, h } from "./dom.ts";
import type { Costed } from "./model.ts";

type RoleOfWord = "" | "plain" | "base";
const NEXT: Record<RoleOfWord, RoleOfWord> = { "": "plain", plain: "base", base: "" };
const SAID: Record<RoleOfWord, string> = { "": "no word", plain: "a plain word", base: "a base" };
const ACROSS = 10;

export class Tiles {
  readonly element = h("div", {
    class: "tiles",
    role: "group",
    "aria-label": "Number words; arrow keys move, Enter changes",
  });
  private readonly tiles: HTMLButtonElement[] = [];
  private lexicon: Lexicon = { digits: [], multipliers: [] };

  constructor(private readonly changed: (lexicon: Lexicon) => void) {
    for (let n = 1; n <= LARGEST_WORD; n++) {
      const tile = h(
        "button",
        { type: "button", class: "tile", tabindex: n === 1 ? 0 : -1, onclick: () => this.tap(n) },
        n,
      );
      this.tiles.push(tile);
    }
    this.element.append(...this.tiles);
    this.element.addEventListener("keydown", (event) => this.walk(event));
  }

  show(costed: Costed): void {
    this.lexicon = costed.lexicon;
    const unsaid = new Set(costed.unsaid);
    this.tiles.forEach((tile, i) => {
      const role = this.role(i + 1);
      tile.dataset.role = role;
      tile.toggleAttribute("data-unsaid", !role && unsaid.has(i + 1));
      tile.setAttribute(
        "aria-label",
        `${i + 1}: ${role ? SAID[role] : unsaid.has(i + 1) ? "cannot be said" : costed.text(i + 1)}`,
      );
      tile.setAttribute("aria-pressed", String(Boolean(role)));
    });
  }

  private role(n: number): RoleOfWord {
    if (this.lexicon.multipliers.includes(n)) return "base";
    return this.lexicon.digits.includes(n) ? "plain" : "";
  }

  private tap(n: number): void {
    const next = NEXT[this.role(n)];
    const without = (set: readonly number[]): number[] => set.filter((each) => each !== n);
    const digits = without(this.lexicon.digits);
    const multipliers = without(this.lexicon.multipliers);
    if (next === "plain") digits.push(n);
    if (next === "base") multipliers.push(n);
    const up = (a: number, b: number): number => a - b;
    this.changed({ digits: digits.sort(up), multipliers: multipliers.sort(up) });
    announce(`${n} is now ${SAID[next]}.`);
  }

  private walk(event: KeyboardEvent): void {
    const here = this.tiles.indexOf(document.activeElement as HTMLButtonElement);
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -ACROSS, ArrowDown: ACROSS };
    const next = this.tiles[here + (steps[event.key] ?? 0)];
    if (here < 0 || !(event.key in steps) || !next) return;
    event.preventDefault();
    for (const tile of this.tiles) tile.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}
