// What can be taken away from the playground: the link, pictures, a table, the same in the lab.

import { type State, writeAddress } from "./address.ts";
import { button } from "./controls.ts";
import { h, write } from "./dom.ts";
import type { Experiment } from "./experiment.ts";
import { formatSystem } from "./model.ts";
import { recipe } from "./recipe.ts";
import { copy, csv, png, save } from "./share.ts";
import { difference } from "./telling.ts";

/** What there is to take. */
export interface Seen {
  readonly state: State;
  readonly run: Experiment | null;
  picture: () => { text: string; width: number; height: number };
}

export class Taking {
  private readonly taken = h("p", { class: "note", role: "status" });
  private readonly command = h("pre", { tabindex: 0, "aria-label": "The command" });
  private readonly python = h("pre", { tabindex: 0, "aria-label": "Lines of Python" });
  private readonly note = h("p", { class: "note" });
  readonly element = h(
    "section",
    { class: "panel", "aria-label": "Take it with you" },
    h("h2", {}, "Take it with you"),
    h(
      "div",
      { class: "take" },
      button("Copy link", () => void this.copyLink(), "main"),
      button("SVG", () => this.saveSvg()),
      button("PNG", () => void this.savePng()),
      button("CSV", () => this.saveCsv()),
    ),
    this.taken,
    h(
      "details",
      {},
      h("summary", {}, "The same in Python and on the command line"),
      this.command,
      this.python,
      this.note,
    ),
  );

  constructor(private readonly seen: () => Seen) {}

  /** The command and the lines of Python, for the lexicon that the start means. */
  showRecipe(system: string): void {
    const { settings } = this.seen().state;
    const { command, python, note } = recipe(settings, /^[1-8]$/.test(settings.start) ? settings.start : system);
    write(this.command, command);
    write(this.python, python);
    write(this.note, note);
  }

  private get fileName(): string {
    const { who, start } = this.seen().state.settings;
    return `ishango-${who}-${start.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}`;
  }

  private async copyLink(): Promise<void> {
    // What somebody guessed in the story is not seen here, and would show its answers to whoever gets the link.
    const link = location.href.replace(/#.*$/, "") + writeAddress({ ...this.seen().state, guess: "", shown: "" });
    const done = await copy(link);
    write(
      this.taken,
      done
        ? "Copied. The link shows exactly this: settings, round and number."
        : `Your browser does not let the page copy. The link: ${link}`,
    );
  }

  private saveSvg(): void {
    save(`${this.fileName}.svg`, this.seen().picture().text, "image/svg+xml");
    write(this.taken, "Saved as SVG: the map, the gap and the words.");
  }

  private async savePng(): Promise<void> {
    try {
      save(`${this.fileName}.png`, await png(this.seen().picture()));
      write(this.taken, "Saved as PNG.");
    } catch (problem) {
      write(this.taken, problem instanceof Error ? problem.message : String(problem));
    }
  }

  private saveCsv(): void {
    save(`${this.fileName}.csv`, csv(this.table()), "text/csv");
    write(this.taken, "Saved as CSV: a row for each round of each run; words and proposals of run 1.");
  }

  private table(): (string | number | boolean | null)[][] {
    const { run, state } = this.seen();
    const rows: (string | number | boolean | null)[][] = [
      ["run", "seed", "round", "size", "average_complexity", "gap", "system", "proposal", "accepted"],
    ];
    run?.spots.forEach((spots, i) => {
      spots.forEach(({ size, average, gap }, round) => {
        const told = i === 0 ? this.told(run, round) : [null, null, null];
        rows.push([i + 1, state.settings.seed + i, round, size, average, gap, ...told]);
      });
    });
    return rows;
  }

  /** The words of a round of run 1, what was proposed, and whether it was kept. */
  private told(run: Experiment, round: number): [string, string | null, boolean | null] {
    const now = run.rounds[round];
    const { proposal, decision } = now.kind === "round" ? now : { proposal: null, decision: null };
    const change = proposal && difference(run.rounds[round - 1].system, proposal.alternative);
    return [formatSystem(now.system), change, decision && decision.accepted];
  }
}
