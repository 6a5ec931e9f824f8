// The playground: one run or many, one cursor for all pictures.

import { type Settings, SPEEDS, type State } from "./address.ts";
import type { App } from "./app.ts";
import { button } from "./controls.ts";
import { announce, byId, h, onceAFrame, soon, still, write } from "./dom.ts";
import { Experiment, runSettings } from "./experiment.ts";
import { lexiconOf } from "./model.ts";
import { COINS, Pictures } from "./pictures.ts";
import { settingsPanel, startOf } from "./settings_panel.ts";
import { Taking } from "./taking.ts";
import { saying, tell } from "./telling.ts";

export class Playground {
  private readonly play = button("Play", () => (this.playing ? this.pause() : this.start()), "main");
  private readonly scrub = h("input", { type: "range", min: 0, max: 100, value: 0, "aria-label": "Round" });
  private readonly where = h("output");
  private readonly happened = h("div", { class: "happened" });
  private readonly said = h("div");
  private readonly number = h("input", { type: "range", min: 1, max: 99, "aria-label": "Which number to say" });
  private readonly progress = h("p", { class: "note" });
  private readonly bar = h("i");
  private readonly waiting = h("div", { class: "waiting", "aria-hidden": "true" }, this.bar);
  private readonly trouble = h("p", { class: "notice", role: "alert", hidden: true });
  private readonly pictures = new Pictures(() => this.redraw());
  private readonly taking = new Taking(() => ({
    state: this.state,
    run: this.run,
    picture: () => this.pictures.together(this.title),
  }));
  private readonly panel: ReturnType<typeof settingsPanel>;
  private readonly restartSoon = soon(() => this.restart());
  private run: Experiment | null = null;
  private coins: Experiment | null = null;
  private coinKey = "";
  private playing = false;
  private failed = false;
  private wanted = 0;
  private last = 0;

  constructor(private readonly app: App) {
    this.panel = settingsPanel(app, (part) => this.set(part));
    this.build();
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
        this.pictures.main,
        h(
          "div",
          { class: "right" },
          h("section", { class: "panel" }, h("h2", {}, "What happened"), this.happened, this.progress),
          h("section", { class: "panel" }, h("h2", {}, "Say a number"), this.said, this.number),
        ),
        this.panel.element,
        this.pictures.comingAndGoing,
      ),
      this.taking.element,
    );
  }

  private set(part: Partial<Settings>): void {
    const settings = { ...this.state.settings, ...part };
    // What takes agents minutes is not begun anew at the end; everything else is there at once.
    const round = settings.who === "agents" ? 0 : Math.min(this.state.round, settings.rounds);
    this.app.change({ settings, round });
    this.panel.show(settings);
    this.wanted = round;
    this.restartSoon();
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
      this.failed = true;
      this.trouble.hidden = false;
      write(this.trouble, sentence);
    };
    const who = settings.who === "costs" && !settings.word && !settings.symbol ? "drift" : settings.who;
    if (who !== settings.who) fail("Nothing has a price, so a coin decides. Move one of the two sliders.");
    this.failed = false;
    try {
      this.run = new Experiment(runSettings({ ...settings, who }, system), settings.runs, {
        update: () => this.redraw(),
        idle: () => {
          write(this.progress, "");
          this.bar.style.width = "0";
          this.redraw();
        },
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
    this.taking.showRecipe(system);
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
    this.pictures.show({
      ...{ settings, unit: this.unit, run: this.run, coins: this.coins, at },
      mine: this.app.mine.lexicon,
    });
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
    this.pictures.showStart(settings, startOf(settings).system);
    const talk = settings.who === "agents";
    write(this.where, this.failed ? "stopped" : talk ? "agents learn the start" : "computing");
    const sentence =
      talk && !this.failed
        ? "Two new agents, who cannot talk yet, practise with the first words. Then the rounds begin."
        : "";
    this.happened.replaceChildren(h("p", {}, sentence));
  }

  private get title(): string {
    const { settings } = this.state;
    return `Ishango: ${settings.who}, start ${settings.start}, ${this.unit} ${this.state.round}`;
  }
}
