// What can be done with a run. The bar stays where it is and its buttons are the same ones as long as the page is open.

import { post, snapshot } from "./api.js";
import { number } from "./controls.js";
import { counted, h, notice, replace } from "./dom.js";
import { link, systemLink } from "./route.js";

export class Actions {
  kept;
  again;
  name;

  constructor(name, again) {
    Object.assign(this, { name, again });
    this.progress = h("progress", { value: 0, max: 1 });
    this.round = h("span", { class: "number" });
    this.talk = h("a", { class: "button", href: link({ talk: name }) }, "Talk to its agents");
    this.build = h("a", { class: "button", href: "#view=builder" }, "Open its system in the builder");
    this.compare = h("a", { class: "button", href: `#compare=${encodeURIComponent(name)}` }, "Compare with others");
    this.stop = h(
      "button",
      { type: "button", class: "stop", onclick: () => this.post(this.stop, "api/runs/stop", { name }) },
      "Stop the run",
    );
    this.goOn = form("Continue", number("up to round", "upto", 100, 0, 100000), (rounds) =>
      this.post(this.goOn, "api/runs/continue", { name, rounds }),
    );
    this.seed = form("Again with another seed", number("seed", "newseed", 1, 0, 2147483647), (seed) =>
      this.repeat(seed),
    );
    this.text = h("textarea", { name: "note", rows: "2", maxlength: "4000", "aria-label": "A note about this run" });
    this.note = h(
      "form",
      {
        class: "notebox",
        onsubmit: (event) => {
          event.preventDefault();
          this.post(this.note, "api/runs/note", { name, text: this.text.value });
        },
      },
      this.text,
      h("button", { type: "submit", class: "plain" }, "Keep the note"),
    );
    this.remove = h(
      "span",
      { class: "remove" },
      twice("Archive", "Pack it into a file below “archived” and take it out of the list?", () =>
        this.away("api/runs/archive"),
      ),
      twice("Delete", "Delete this run for good?", () => this.away("api/runs/delete")),
    );
    this.own = h("details", { class: "own" }, h("summary", {}, "Note, archive, delete"), this.note, this.remove);
    this.said = h("div", {});
    this.silent = h(
      "span",
      { class: "note" },
      "Nobody can talk to its agents: the run was kept without them, or is not one of ishango evolve.",
    );
    this.element = h(
      "div",
      { class: "actions", role: "region", "aria-label": "What can be done" },
      h(
        "p",
        { class: "row state" },
        this.progress,
        this.round,
        this.stop,
        this.talk,
        this.silent,
        this.compare,
        this.build,
      ),
      h("div", { class: "row forms" }, this.goOn, this.seed),
      this.own,
      this.said,
    );
    for (const each of [this.own, this.stop, this.talk, this.silent, this.build, this.goOn, this.seed])
      each.hidden = true;
  }

  draw({ run, study, can_continue: canContinue, can_repeat: canRepeat, can_remove: canRemove, note }) {
    this.own.hidden = !canRemove;
    if (this.kept !== note && document.activeElement !== this.text)
      [this.text.value, this.kept, this.own.open] = [note, note, this.own.open || Boolean(note)];
    const round = Math.max(0, run.round),
      words = run.round < 0 ? `${counted(run.rounds, "round")} to play` : `Round ${round} of ${run.rounds}`;
    this.progress.value = run.rounds ? round / run.rounds : 1;
    this.progress.setAttribute("aria-label", words);
    this.round.textContent = words;
    this.stop.hidden = !run.can_stop;
    this.talk.hidden = !run.can_talk;
    this.silent.hidden = run.can_talk || run.round < 0 || !study?.agents || Boolean(snapshot);
    this.build.hidden = !(run.grammar && run.digits.length && run.multipliers.length);
    if (!this.build.hidden) this.build.href = systemLink(run.digits, run.multipliers, run.grammar);
    this.compare.hidden = Boolean(snapshot);
    this.goOn.hidden = !canContinue;
    this.seed.hidden = !canRepeat;
    if (this.state !== run.state) {
      this.stop.disabled = false;
      const isDone = run.state === "done";
      this.goOn.querySelector("button").textContent = isDone ? "Play more rounds" : "Continue";
      this.goOn.querySelector("input").value = String(isDone ? 2 * Math.max(1, run.rounds) : run.rounds);
      this.goOn.querySelector("input").min = String(run.rounds);
      if (this.state === undefined) this.seed.querySelector("input").value = String(run.seed + 1);
    }
    this.state = run.state;
  }

  disable(isGone) {
    for (const each of this.element.querySelectorAll("button, input")) each.disabled = isGone;
  }

  async post(element, path, body) {
    const button = element.querySelector?.("button") ?? element;
    button.disabled = true;
    replace(this.said);
    try {
      const answer = await post(path, body);
      this.again();
      return answer;
    } catch (error) {
      replace(this.said, notice(error.message, "error"));
      return null;
    } finally {
      if (element !== this.stop) button.disabled = false;
    }
  }

  async away(path) {
    const answer = await this.post(this.own, path, { name: this.name, sure: this.name });
    if (answer) location.hash = "#view=runs";
  }

  async repeat(seed) {
    const answer = await this.post(this.seed, "api/runs/again", { name: this.name, seed });
    if (answer) location.hash = link({ run: answer.name });
  }
}

// What cannot be taken back is asked for twice.
function twice(words, question, act) {
  const box = h("span", { class: "twice" });
  const ask = () => {
    replace(box, first);
    first.focus();
  };
  const first = h(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: () => {
        const yes = h(
          "button",
          {
            type: "button",
            class: "stop",
            "data-sure": words.toLowerCase(),
            onclick: () => {
              ask();
              act();
            },
          },
          `Yes, ${words.toLowerCase()}`,
        );
        replace(box, h("span", {}, question), yes, h("button", { type: "button", onclick: ask }, "No"));
        yes.focus();
      },
    },
    words,
  );
  replace(box, first);
  return box;
}

function form(words, field, send) {
  const submit = (event) => {
    event.preventDefault();
    send(Number(event.target.querySelector("input").value));
  };
  return h(
    "form",
    { class: "inline", onsubmit: submit },
    h("button", { type: "submit", class: "plain" }, words),
    field,
  );
}
