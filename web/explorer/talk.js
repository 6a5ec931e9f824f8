// Talk to the agents of a run: what the speaker says for a number, and what the listener makes of it.

import { get, snapshot } from "./api.js";
import { sortedRuns, study } from "./bench.js";
import { Chart } from "./chart.js";
import { label } from "./choices.js";
import { decimals } from "./controls.js";
import { announce, h, heading, notice, replace } from "./dom.js";
import { listen } from "./live.js";
import { link, rewrite } from "./route.js";
import { spaced } from "./sets.js";
import { waiting } from "./waiting.js";

export const title = "Talk";
const OFFERED = 300;
const TEXT =
  "Two small neural networks made up a language of their own. The speaker reads how a number is expressed and says one " +
  "symbol for each number and each sign of it; the listener hears only the symbols and guesses the number. Symbols are written as letters here, and " +
  "mean what these two make of them. Pick a number and listen.";

export function show(main, { fields }) {
  main.append(heading(title, TEXT));
  if (snapshot) {
    main.append(notice("A snapshot does not hold the agents; run ishango explore to talk to them."));
    return null;
  }
  const name = fields.get("talk");
  const select = h("select", {
    name: "agents",
    onchange: () => {
      if (select.value) location.hash = link({ talk: select.value });
    },
  });
  const box = h("div", {}),
    said = h("div", {});
  const controls = h(
    "div",
    { class: "controls" },
    h("label", { class: "field wide" }, h("span", {}, "Agents of the run (nearest the frontier first)"), select),
  );
  main.append(controls, said, box);
  const stop = listen((news) => {
    if (waiting(said, news, ...(name ? [] : [controls])))
      fill(
        select,
        news.runs.filter((run) => run.can_talk),
        name,
        box,
        news.runs.some((run) => study(run).agents),
      );
  });
  const talk = name ? new Talk(box, name, Number(fields.get("n")) || 7, fields.get("say") ?? "") : null;
  return () => {
    stop();
    talk?.close();
  };
}

function fill(select, runs, name, box, kept) {
  const shown = sortedRuns(runs, "gap").slice(0, OFFERED);
  const chosen = runs.find((run) => run.name === name);
  if (chosen && !shown.includes(chosen)) shown.push(chosen);
  const key = JSON.stringify(shown.map((run) => [run.name, run.gap]));
  if (select.dataset.key !== key && document.activeElement !== select) {
    replace(
      select,
      h("option", { value: "" }, runs.length ? "choose a run" : "no run has agents yet"),
      shown.map((run) =>
        h(
          "option",
          { value: run.name, selected: run.name === name },
          `${run.title}  (gap ${decimals(run.gap, 3)}; ${run.name})`,
        ),
      ),
    );
    select.dataset.key = key;
  }
  if (!name && !runs.length) {
    const why = kept
      ? "The runs here were kept without their agents, as archives of studies are"
      : "There are no agents to talk to yet";
    replace(box, notice(`${why}: start a run from the builder, or with ishango evolve.`));
  } else if (!name) location.replace(link({ talk: shown[0].name }));
}

class Talk {
  name;
  box;

  // `say`: the message of one's own that the address has, as numbers of symbols: "3.17.3".
  constructor(box, name, number, say) {
    Object.assign(this, { box, name, number, closed: false, entries: [] });
    this.about = h("div", { class: "note" });
    this.score = h("dl", { class: "figures small score" });
    this.waits = h("p", { class: "note" }, "Reading the agents …");
    this.numbers = h("div", {
      class: "tiles numbers",
      role: "group",
      "aria-label": "Numbers",
      onkeydown: (event) => this.key(event),
    });
    this.said = h("div", { class: "exchange" });
    this.speaker = new Chart(h("div", {}), { label: "Probabilities of the speaker’s symbols" });
    this.listener = new Chart(h("div", {}), { label: "The listener’s probabilities of the numbers" });
    this.dictionary = h("section", { class: "card", "aria-label": "Dictionary" });
    this.message = say.split(".").filter(Boolean).map(Number).filter(Number.isInteger);
    this.written = h("p", { class: "composed" });
    this.keys = h("div", { class: "row keys", role: "group", "aria-label": "Symbols" });
    this.guess = h(
      "p",
      { class: "verdict", "aria-live": "polite" },
      "Say something: click symbols, and the listener guesses.",
    );
    this.composing = h(
      "section",
      { class: "card compose", "aria-label": "Compose a message", hidden: true },
      h("h2", {}, "Or say something yourself"),
      this.keys,
      this.written,
      this.guess,
    );
    replace(
      box,
      h("section", { class: "card", "aria-label": "Numbers" }, h("h2", {}, "Pick a number"), this.waits, this.numbers),
      h(
        "section",
        { class: "card", "aria-label": "Exchange" },
        this.said,
        h(
          "div",
          { class: "pair" },
          h(
            "div",
            {},
            h("h3", {}, "What the speaker may say"),
            h("p", { class: "note" }, "The likeliest symbols at each place, three at most."),
            this.speaker.element,
          ),
          h(
            "div",
            {},
            h("h3", {}, "What the listener hears"),
            h("p", { class: "note" }, "How probable it finds each number."),
            this.listener.element,
          ),
        ),
      ),
      this.composing,
      h(
        "section",
        { class: "card", "aria-label": "How they do" },
        h("h2", {}, "How well they understand each other"),
        this.score,
        this.about,
      ),
      this.dictionary,
    );
    this.load();
  }

  async load() {
    try {
      const dictionary = await get("api/dictionary", { name: this.name });
      if (this.closed) return;
      this.entries = dictionary.entries;
      this.waits.hidden = true;
      this.drawNumbers();
      this.drawAbout(dictionary);
      this.drawDictionary();
      this.drawKeys(dictionary);
      await this.pick(Math.min(this.number, this.entries.length));
    } catch (error) {
      if (!this.closed) replace(this.box, notice(error.message, "error"));
    }
  }

  async pick(number) {
    this.number = number;
    this.remember();
    for (const each of this.numbers.children) {
      const mine = Number(each.dataset.number) === number;
      each.setAttribute("aria-pressed", String(mine));
      each.tabIndex = mine ? 0 : -1;
    }
    const exchange = await get("api/exchange", { name: this.name, number });
    if (this.closed || number !== this.number) return;
    this.drawSaid(exchange);
    await Promise.all([this.speaker.draw(exchange.speaker), this.listener.draw(exchange.listener)]);
    this.said.dataset.number = String(number);
  }

  remember() {
    rewrite(link({ talk: this.name, n: this.number, say: this.message.join(".") || undefined }));
  }

  drawSaid({ number, expression, ties, message, letters, said, heard, understood }) {
    const right = heard === number;
    replace(
      this.said,
      bubble("meant", String(number), "the number"),
      arrow(),
      bubble(
        "read",
        pretty(expression),
        ties > 1 ? `how it is expressed, one of ${ties} as short` : "how it is expressed",
      ),
      arrow(),
      bubble(
        "message",
        letters.map((each, i) => h("kbd", { title: `symbol ${message[i]} in files` }, each)),
        `said with probability ${percent(said)}`,
      ),
      arrow(),
      bubble(
        right ? "heard right" : "heard wrong",
        String(heard),
        right ? `guessed right, ${percent(understood)} sure` : `misunderstood; ${number} gets ${percent(understood)}`,
      ),
    );
    announce(`${number} is ${expression}, said as ${letters.join(" ")}, heard as ${heard}.`);
  }

  drawNumbers() {
    replace(
      this.numbers,
      this.entries.map((each) =>
        h(
          "button",
          {
            type: "button",
            class: `tile ${each.heard === each.number ? "" : "confused"}`,
            tabIndex: -1,
            "data-number": String(each.number),
            "aria-label": `${each.number}, ${each.heard === each.number ? "understood" : `heard as ${each.heard}`}`,
            onclick: () => this.pick(each.number),
          },
          String(each.number),
        ),
      ),
    );
  }

  drawAbout(dictionary) {
    const {
      round,
      digits,
      multipliers,
      topographic_similarity: similarity,
      understood,
      by_need: byNeed,
      need,
      need_is_own: own,
    } = dictionary;
    const confused = this.entries.filter((each) => each.heard !== each.number).map((each) => each.number),
      count = this.entries.length;
    const figure = (name, value, words) =>
      h("div", {}, h("dt", {}, name), h("dd", { "data-figure": name }, value), h("dd", { class: "note" }, words));
    replace(
      this.score,
      figure(
        "numbers understood",
        `${understood} of ${count}`,
        `${percent(understood / count)}: every number counts alike`,
      ),
      figure("different messages", `${dictionary.messages} of ${count}`, "numbers that share one are mixed up"),
      figure(
        "of what is said",
        percent(byNeed),
        `by need, ${label("needs", need)}: small numbers come up more often${own ? "" : "; the run’s own need is a file, which is not read here"}`,
      ),
    );
    replace(
      this.about,
      h(
        "p",
        {},
        "If both take their likeliest symbols. ",
        confused.length ? `Still confused (striped): ${spaced(confused)}. ` : "Every number is understood. ",
        "While they play they try other symbols, too, so that they win fewer games than this.",
      ),
      h(
        "p",
        {},
        h("a", { href: link({ run: this.name }) }, "The run"),
        ` after round ${round}, with D ${spaced(digits)} and M ${spaced(multipliers)}. `,
        similarity === null
          ? ""
          : `Similar expressions get similar messages to a degree of ${similarity.toFixed(2)} (topographic similarity, at most 1).`,
      ),
    );
  }

  drawDictionary() {
    const head = h(
      "tr",
      {},
      ["number", "expression", "message", "said", "heard as", "understood", "shared by"].map((name) =>
        h("th", { scope: "col" }, name),
      ),
    );
    const rows = this.entries.map((each) =>
      h(
        "tr",
        { class: each.heard === each.number ? undefined : "wrong" },
        h("th", { scope: "row", class: "number" }, String(each.number)),
        h(
          "td",
          { class: "set" },
          pretty(each.expression),
          each.ties > 1 ? h("span", { class: "note" }, ` ×${each.ties}`) : null,
        ),
        h("td", { class: "set letters", title: `symbols ${each.message} in files` }, each.letters),
        h("td", { class: "number" }, percent(each.said)),
        h("td", { class: "number" }, String(each.heard)),
        h("td", { class: "number" }, percent(each.understood)),
        h("td", { class: "number" }, each.shared_by > 1 ? `${each.shared_by} numbers` : "–"),
      ),
    );
    replace(
      this.dictionary,
      h("h2", {}, "The whole dictionary"),
      h(
        "p",
        { class: "note" },
        "The likeliest message for each number. Two numbers that share a message cannot both be understood. ×3 means that three expressions are equally short; the speaker reads the first that the search meets: products, then sums and differences, short phrases first.",
      ),
      h(
        "div",
        { class: "scroll tallest", role: "region", "aria-label": "The dictionary", tabIndex: 0 },
        h("table", {}, h("thead", {}, head), h("tbody", {}, rows)),
      ),
    );
  }

  // A message of one's own: the listener, who knows only what it hears, guesses after every symbol.
  drawKeys({ symbols, longest }) {
    const say = (message) => {
      this.message = message;
      this.remember();
      this.hear(symbols, longest);
    };
    replace(
      this.keys,
      symbols.map((letter, symbol) =>
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "data-symbol": String(symbol),
            onclick: () => say([...this.message, symbol]),
          },
          letter,
        ),
      ),
      h(
        "button",
        { type: "button", "data-symbol": "back", onclick: () => say(this.message.slice(0, -1)) },
        "⌫ take back",
      ),
      h("button", { type: "button", "data-symbol": "clear", onclick: () => say([]) }, "clear"),
    );
    this.composing.hidden = false;
    this.message = this.message.filter((symbol) => symbol in symbols).slice(0, longest);
    this.hear(symbols, longest);
  }

  async hear(symbols, longest) {
    const message = this.message,
      isFull = message.length >= longest;
    for (const key of this.keys.querySelectorAll("[data-symbol]"))
      key.disabled = key.dataset.symbol in symbols ? isFull : !message.length;
    replace(
      this.written,
      message.map((symbol) => h("kbd", {}, symbols[symbol])),
    );
    if (!message.length) {
      this.guess.textContent = "Say something: click symbols, and the listener guesses.";
      return;
    }
    const { heard, likeliest } = await get("api/hear", { name: this.name, symbol: message });
    if (this.closed || message !== this.message) return;
    this.guess.textContent = `The listener hears ${heard} (${likeliest.map((each) => `${each.number}: ${percent(each.probability)}`).join(", ")}).${isFull ? ` More than ${longest} symbols it cannot hear.` : ""}`;
  }

  // Arrow keys follow the grid as it is drawn: up and down is a row of it, however many numbers a row has.
  key(event) {
    const tiles = [...this.numbers.children],
      width = tiles.filter((each) => each.offsetTop === tiles[0].offsetTop).length;
    const at = Number(event.target.dataset.number) - 1;
    const to = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - width,
      ArrowDown: at + width,
      Home: 0,
      End: tiles.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    tiles[to]?.focus();
    tiles[to]?.click();
  }

  close() {
    this.closed = true;
    this.speaker.close();
    this.listener.close();
  }
}

function bubble(kind, content, text) {
  return h("div", { class: `bubble ${kind}` }, h("strong", {}, content), h("span", { class: "note" }, text));
}

function arrow() {
  return h("span", { class: "arrow", "aria-hidden": "true" }, "→");
}

function pretty(expression) {
  return expression.replaceAll("*", "·").replaceAll("-", "−");
}

function percent(share) {
  return `${(100 * share).toFixed(share > 0.99 && share < 0.9995 ? 1 : 0)} %`;
}
