// The playground: one run or many, one cursor for all pictures.

import { type Settings, SPEEDS, type State, writeAddress } from "./address.ts";
import type { App } from "./app.ts";
import { GapChart, lives, WordsChart } from "./charts.ts";
import { button, figures } from "./controls.ts";
import { announce, byId, h, onceAFrame, still, write } from "./dom.ts";
import { Experiment, type RunRound, runSettings } from "./experiment.ts";
import { languages } from "./languages.ts";
import { cost, decimals, describe, formatSystem, lexiconOf, optima, parseSystem } from "./model.ts";
import { key, type Mark, type Place, Plane } from "./plane.ts";
import { recipe } from "./recipe.ts";
import { settingsPanel, startOf } from "./settings_panel.ts";
import { compose, copy, csv, png, save } from "./share.ts";
import { places } from "./steps/why.ts";
import { difference, saying, tell } from "./telling.ts";

const COINS = 20;
/** Places of the path that are drawn in full. */
const RECENT = 12;

/** The key beneath a picture, made anew only where it changes. */
function explain(box: HTMLElement, entries: [string, string][]): void {
  const text = JSON.stringify(entries);
  if (box.dataset.key === text) return;
  box.dataset.key = text;
  box.replaceChildren(key(...entries));
}

export class Playground {
  private readonly plane = new Plane("The map of this run", 20, 4, 0.66);
  private readonly gaps = new GapChart("The distance to the wall, round by round");
  private readonly words = new WordsChart("Words that come and go, round by round");
  private readonly play = button("Play", () => (this.playing ? this.pause() : this.start()), "main");
  private readonly scrub = h("input", { type: "range", min: 0, max: 100, value: 0, "aria-label": "Round" });
  private readonly where = h("output");
  private readonly happened = h("div", { class: "happened" });
  private readonly said = h("div");
  private readonly number = h("input", { type: "range", min: 1, max: 99, "aria-label": "Which number to say" });
  private readonly size = h("dd");
  private readonly average = h("dd");
  private readonly gap = h("dd");
  private readonly progress = h("p", { class: "note" });
  private readonly bar = h("i");
  private readonly waiting = h("div", { class: "waiting", "aria-hidden": "true" }, this.bar);
  private readonly legend = h("div");
  private readonly gapLegend = h("div");
  private readonly command = h("pre", { tabindex: 0, "aria-label": "The command" });
  private readonly python = h("pre", { tabindex: 0, "aria-label": "Lines of Python" });
  private readonly note = h("p", { class: "note" });
  private readonly taken = h("p", { class: "note", role: "status" });
  private readonly trouble = h("p", { class: "notice", role: "alert", hidden: true });
  private readonly panel: ReturnType<typeof settingsPanel>;
  private run: Experiment | null = null;
  private coins: Experiment | null = null;
  private coinKey = "";
  private playing = false;
  private wanted = 0;
  private last = 0;
  private human: readonly Place[] = [];
  private humanNames: readonly string[] = [];

  constructor(private readonly app: App) {
    this.panel = settingsPanel(app, (part) => this.set(part));
    this.build();
    void languages().then((all) => {
      this.human = all.map((each) => ({ x: each.size, y: each.average }));
      this.humanNames = all.map((each) => each.name);
      this.redraw();
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.playing) {
        this.last = performance.now();
        announce("Playing goes on.");
      }
    });
  }

  /** Show what the address says. */
  open(): void {
    this.panel.show(this.state.settings);
    this.wanted = this.state.round;
    this.restart();
  }

  close(): void {
    this.pause();
    this.run?.pause();
  }

  private get state(): State {
    return this.app.state;
  }

  private get unit(): string {
    return this.state.settings.who === "passing" ? "generation" : "round";
  }

  private build(): void {
    const speed = h(
      "select",
      { "aria-label": "Speed", onchange: () => this.app.change({ speed: Number(speed.value) as State["speed"] }) },
      SPEEDS.map((each) => h("option", { value: each, selected: each === this.state.speed }, `${each} a second`)),
    );
    this.scrub.addEventListener("input", () => {
      this.pause();
      this.go(Number(this.scrub.value));
    });
    this.number.addEventListener("input", () => {
      this.app.change({ number: Number(this.number.value) });
      this.redraw();
    });
    byId("playground").append(
      h("h1", { class: "unseen" }, "Playground"),
      h(
        "div",
        { class: "bar-top" },
        h(
          "div",
          { class: "transport", role: "group", "aria-label": "Play" },
          this.play,
          button("Step", () => this.step()),
          button("Reset", () => this.reset()),
          h("span", { class: "scrub" }, this.scrub, this.where),
          speed,
        ),
        this.waiting,
      ),
      this.trouble,
      h(
        "div",
        { class: "lab" },
        h(
          "div",
          { class: "middle" },
          h(
            "section",
            { class: "panel", "aria-label": "The map" },
            this.plane.element,
            this.legend,
            figures(["words", this.size], ["symbols, on average", this.average], ["gap to the wall", this.gap]),
          ),
          h("section", { class: "panel" }, h("h2", {}, "Distance to the wall"), this.gaps.element, this.gapLegend),
        ),
        this.panel.element,
        h(
          "div",
          { class: "right" },
          h("section", { class: "panel" }, h("h2", {}, "What happened"), this.happened, this.progress),
          h("section", { class: "panel" }, h("h2", {}, "Say a number"), this.said, this.number),
          h(
            "section",
            { class: "panel" },
            h("h2", {}, "Words that come and go"),
            this.words.element,
            key(["plain", "plain word"], ["open", "base"]),
          ),
        ),
      ),
      h(
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
      ),
    );
  }

  private set(part: Partial<Settings>): void {
    const settings = { ...this.state.settings, ...part };
    // What takes agents minutes is not begun anew at the end; everything else is there at once.
    const round = settings.who === "agents" ? 0 : Math.min(this.state.round, settings.rounds);
    this.app.change({ settings, round });
    this.panel.show(settings);
    this.wanted = round;
    this.restart();
  }

  private restart(): void {
    this.run?.stop();
    this.run = null;
    const { settings } = this.state;
    const { system, error } = startOf(settings);
    this.trouble.hidden = !error;
    write(this.trouble, error);
    this.bar.style.width = "0";
    this.waiting.hidden = settings.who !== "agents";
    write(this.progress, "");
    const fail = (sentence: string): void => {
      this.pause();
      this.trouble.hidden = false;
      write(this.trouble, sentence);
    };
    const who = settings.who === "costs" && !settings.word && !settings.symbol ? "drift" : settings.who;
    if (who !== settings.who) fail("Nothing has a price, so a coin decides. Move one of the two sliders.");
    try {
      this.run = new Experiment(runSettings({ ...settings, who }, system), settings.runs, {
        update: () => this.redraw(),
        idle: () => this.redraw(),
        error: fail,
        progress: (text, share) => {
          write(this.progress, text);
          this.bar.style.width = `${100 * share}%`;
        },
      });
      // Agents compute what is watched; all else is computed at once, so that the cursor is free.
      if (!this.run.talks) this.run.compute(settings.rounds);
      else this.run.compute(Math.max(this.wanted, this.playing ? settings.rounds : 0));
      this.compareWithCoins(settings, system);
    } catch (problem) {
      fail(problem instanceof Error ? problem.message : String(problem));
    }
    this.scrub.max = String(settings.rounds);
    this.recipes(system);
    this.redraw();
  }

  private compareWithCoins(settings: Settings, system: string): void {
    const wanted = [system, settings.add, settings.grammar, settings.need, settings.rounds, settings.seed].join();
    if (settings.who === "drift") {
      this.coins?.stop();
      this.coins = null;
      this.coinKey = "";
      return;
    }
    if (wanted === this.coinKey) return;
    this.coinKey = wanted;
    this.coins?.stop();
    this.coins = new Experiment(runSettings({ ...settings, who: "drift" }, system), COINS, {
      update: () => this.redraw(),
      error: () => undefined,
    });
    this.coins.compute(settings.rounds);
  }

  private recipes(system: string): void {
    const { settings } = this.state;
    const start = /^[1-8]$/.test(settings.start) ? settings.start : system;
    const { command, python, note } = recipe(settings, start);
    write(this.command, command);
    write(this.python, python);
    write(this.note, note);
  }

  private start(): void {
    if (!this.run) return;
    if (this.state.round >= this.state.settings.rounds) this.go(0);
    this.playing = true;
    write(this.play, "Pause");
    this.run.compute(this.state.settings.rounds);
    this.last = performance.now();
    this.tick();
  }

  private pause(): void {
    if (!this.playing) return;
    this.playing = false;
    write(this.play, "Play");
    if (this.run?.talks) this.run.pause();
  }

  private tick(): void {
    requestAnimationFrame((time) => {
      if (!this.playing || !this.run) return;
      const each = 1000 / this.state.speed;
      if (time - this.last >= each) {
        const due = Math.min(Math.max(Math.floor((time - this.last) / each), 1), still() ? 20 : 4);
        this.last = time;
        const next = Math.min(this.state.round + due, Math.max(this.run.done, 0));
        if (next !== this.state.round) this.go(next);
        if (next >= this.state.settings.rounds) {
          this.pause();
          announce(`Done: ${this.state.settings.rounds} ${this.unit}s.`);
        }
      }
      this.tick();
    });
  }

  private step(): void {
    this.pause();
    const next = Math.min(this.state.round + 1, this.state.settings.rounds);
    this.wanted = next;
    this.run?.compute(Math.max(next, this.run.talks ? 0 : this.state.settings.rounds));
    this.go(next);
  }

  private reset(): void {
    this.pause();
    this.wanted = 0;
    this.app.change({ round: 0 });
    if (this.run?.talks) this.restart();
    else this.redraw();
  }

  private go(round: number): void {
    this.wanted = round;
    this.app.change({ round });
    this.redraw();
  }

  /** Draw once a frame at most, however much news there is. */
  private readonly redraw = onceAFrame(() => {
    if (!byId("playground").hidden) this.draw();
  });

  private draw(): void {
    const { settings } = this.state;
    const rounds = this.run?.rounds ?? [];
    if (!this.run || !rounds.length) {
      this.drawStart();
      return;
    }
    const at = Math.min(this.state.round, rounds.length - 1);
    const now = rounds[at];
    this.scrub.value = String(this.state.round);
    const computed =
      at < this.state.round ? `computing ${at} of ${this.state.round}` : `${this.unit} ${at} of ${settings.rounds}`;
    write(this.where, computed);
    this.scrub.setAttribute("aria-valuetext", computed);
    this.drawMap(rounds, at);
    this.drawGaps(at);
    this.words.show(lives(rounds.map((each) => each.system)), settings.rounds, at, `${this.unit}s`);
    write(this.size, String(now.size));
    write(this.average, decimals(now.average));
    write(this.gap, decimals(now.gap));
    const sentences = tell(now, at ? rounds[at - 1].system : null);
    this.happened.replaceChildren(...sentences.map((each) => h("p", {}, each)));
    this.number.value = String(this.state.number);
    const said = this.run.said[at]?.find((each) => each.number === this.state.number) ?? null;
    const beyond = this.run.talks && this.state.number > 50 ? ["Agents talk about the numbers from 1 to 50."] : [];
    const [first, ...more] = saying(this.state.number, lexiconOf(now.system), settings.grammar, said);
    this.said.replaceChildren(
      h("p", { class: "said" }, h("b", {}, first)),
      ...[...more, ...beyond].filter(Boolean).map((each) => h("p", { class: "note" }, each)),
    );
    this.number.setAttribute("aria-valuetext", first);
  }

  /** Before anything is known of a run: agents first learn the start, which takes them a while. */
  private drawStart(): void {
    const { settings } = this.state;
    const start = cost(
      lexiconOf(parseSystem(startOf(settings).system, settings.grammar)),
      settings.grammar,
      settings.need,
    );
    const marks: Mark[] =
      start.average === null ? [] : [{ x: start.size, y: start.average, role: "you", hollow: true, label: "start" }];
    this.plane.fit(marks);
    this.plane.show({ wall: optima(settings.need, settings.grammar), marks }, "The map with the start");
    write(this.where, settings.who === "agents" ? "agents learn the start" : "computing");
    const sentence =
      settings.who === "agents"
        ? "Two new agents, who cannot talk yet, practise with the first words. Then the rounds begin."
        : "";
    this.happened.replaceChildren(h("p", {}, sentence));
  }

  private drawMap(rounds: readonly RunRound[], at: number): void {
    const { settings } = this.state;
    const role = settings.who;
    const path = places(rounds.slice(0, at + 1));
    const others = (this.run?.spots ?? [])
      .slice(1)
      .flatMap((spots) => places(spots.slice(Math.min(at, spots.length - 1)).slice(0, 1)));
    const here = path.at(-1);
    const marks: Mark[] = [];
    if (path[0]) marks.push({ ...path[0], role: "you", hollow: true, label: "start" });
    if (here && at > 0) marks.push({ ...here, role, label: settings.runs > 1 ? "run 1" : "now" });
    this.plane.fit([...path, ...others]);
    const dots = others.length ? [{ role, places: others, width: 7, opacity: 0.5 }] : [];
    const usual = settings.need === "power:2" && settings.grammar === "modified";
    const mine = cost(this.app.mine.lexicon, settings.grammar, settings.need);
    if (mine.average !== null) marks.unshift({ x: mine.size, y: mine.average, role: "you", label: "you" });
    // Where coins are now, as far as they are on the map: chance strays so far that the map would be all theirs.
    const coins = (this.coins?.spots ?? [])
      .flatMap((spots) => places(spots.slice(at, at + 1)))
      .filter((place) => this.plane.holds(place));
    if (this.coins) dots.unshift({ role: "drift", places: coins, width: 7, opacity: 0.45 });
    const human = usual
      ? [
          {
            role: "human" as const,
            places: this.human,
            width: 5,
            opacity: 0.22,
            name: (i: number) => this.humanNames[i],
          },
        ]
      : [];
    const label = `${this.unit} ${at}: ${rounds[at].size} words, ${decimals(rounds[at].average)} symbols, gap ${decimals(rounds[at].gap)}. Words: ${describe(lexiconOf(rounds[at].system))}.`;
    this.plane.show(
      {
        wall: optima(settings.need, settings.grammar),
        clouds: [...human, ...dots],
        // What is long ago fades, so that a run that stays where it is can still be followed.
        paths: [
          { role, places: path.slice(0, 1 - RECENT), opacity: 0.3 },
          { role, places: path.slice(-RECENT), opacity: settings.runs > 1 ? 0.6 : 1 },
        ],
        marks,
      },
      label,
    );
    const entries: [string, string][] = [
      ["wall", "the wall"],
      [role, settings.runs > 1 ? `${settings.runs} runs; the line is run 1` : "this run"],
    ];
    if (this.coins) entries.push(["drift", "20 coins"]);
    if (usual) entries.push(["human", "languages"]);
    explain(this.legend, entries);
  }

  private drawGaps(at: number): void {
    const { settings } = this.state;
    const role = settings.who;
    const coins = this.coins?.summary ?? null;
    const bands = coins ? [{ role: "drift" as const, low: coins.low, high: coins.high }] : [];
    const lines = coins ? [{ role: "drift" as const, values: coins.middle }] : [];
    if (settings.runs > 1 && this.run) {
      const many = this.run.summary;
      bands.push({ role: role as "drift", low: many.low, high: many.high });
      lines.push({ role: role as "drift", values: many.middle });
    } else if (this.run) {
      lines.push({ role: role as "drift", values: this.run.rounds.map((each) => each.gap ?? 0) });
    }
    this.gaps.show(lines, bands, settings.rounds, at, `${this.unit}s`);
    const mine = settings.runs > 1 ? "these runs: the middle, and four fifths" : "this run";
    explain(this.gapLegend, [
      [role, mine],
      ...(coins ? ([["drift", `chance: ${COINS} coins from the same start`]] as [string, string][]) : []),
    ]);
  }

  private get title(): string {
    const { settings } = this.state;
    return `Ishango: ${settings.who}, start ${settings.start}, ${this.unit} ${this.state.round}`;
  }

  private get fileName(): string {
    const { settings } = this.state;
    return `ishango-${settings.who}-${settings.start.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}`;
  }

  private pictures(): { text: string; width: number; height: number } {
    return compose([this.plane.picture, this.gaps.picture, this.words.picture], this.title);
  }

  private async copyLink(): Promise<void> {
    const link = location.href.replace(/#.*$/, "") + writeAddress(this.state);
    const done = await copy(link);
    write(
      this.taken,
      done
        ? "Copied. The link shows exactly this: settings, round and number."
        : `Your browser does not let the page copy. The link: ${link}`,
    );
  }

  private saveSvg(): void {
    save(`${this.fileName}.svg`, this.pictures().text, "image/svg+xml");
    write(this.taken, "Saved as SVG: the map, the gap and the words.");
  }

  private async savePng(): Promise<void> {
    try {
      save(`${this.fileName}.png`, await png(this.pictures()));
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
    const { settings } = this.state;
    const rows: (string | number | boolean | null)[][] = [
      ["run", "seed", "round", "size", "average_complexity", "gap", "system", "proposal", "accepted"],
    ];
    this.run?.spots.forEach((spots, run) => {
      spots.forEach(({ size, average, gap }, round) => {
        const full = run === 0 ? this.run?.rounds[round] : undefined;
        const proposal =
          full?.kind === "round" && full.proposal
            ? difference(this.run?.rounds[round - 1].system ?? full.system, full.proposal.alternative)
            : null;
        const accepted = full?.kind === "round" ? (full.decision?.accepted ?? null) : null;
        rows.push([
          run + 1,
          settings.seed + run,
          round,
          size,
          average,
          gap,
          full ? formatSystem(full.system) : null,
          proposal,
          accepted,
        ]);
      });
    });
    return rows;
  }
}
