// What a system costs, in figures and in one sentence; the best of its size and the languages like it.

import { decimals } from "./controls.js";
import { counted, h, notice } from "./dom.js";
import { systemLink } from "./route.js";
import { spaced } from "./sets.js";

export function summary(answer) {
  return [
    h("p", { class: "lexicon" }, set("D", answer.digits, "digit"), set("M", answer.multipliers, "multiplier")),
    answer.complaint ? notice(answer.complaint, "warning") : figures(answer),
    answer.missing.length ? missing(answer.missing) : null,
    answer.complaint ? null : optimum(answer),
    nearest(answer),
  ];
}

// For screen readers.
export function sentence(answer) {
  if (answer.complaint) return answer.complaint;
  if (answer.missing.length)
    return `Size ${answer.size}. ${counted(answer.missing.length, "number has", "numbers have")} no expression.`;
  const gap = answer.gap === null ? "" : ` Gap ${decimals(answer.gap)}.`;
  return `Size ${answer.size}, average complexity ${decimals(answer.average_complexity)}.${gap}`;
}

// In one line, for where the summary is out of sight.
export function glance(answer) {
  if (answer.complaint) return answer.complaint;
  if (answer.missing.length)
    return `${counted(answer.size, "word")} · ${counted(answer.missing.length, "number has", "numbers have")} no expression`;
  const gap = answer.gap === null ? gapWords(answer) : `gap ${decimals(answer.gap)}`;
  return `${counted(answer.size, "word")} · average ${decimals(answer.average_complexity)} · ${gap}`;
}

function set(name, words, kind) {
  return h("span", { class: "set" }, h("b", { class: kind }, name), ` = ${words.length ? spaced(words) : "∅"}`);
}

function figures(answer) {
  return h(
    "dl",
    { class: "figures" },
    figure("size", String(answer.size), "words"),
    figure("average complexity", decimals(answer.average_complexity), "symbols a numeral, by need"),
    figure("gap", decimals(answer.gap), gapWords(answer)),
  );
}

function figure(name, value, explanation) {
  return h(
    "div",
    {},
    h("dt", {}, name),
    h("dd", { "data-figure": name }, value),
    h("dd", { class: "note" }, explanation),
  );
}

function gapWords(answer) {
  if (answer.missing.length) return "numbers are missing";
  if (!answer.optimum) return "being looked for …";
  if (!answer.optimum.proved) return "not proved at this size";
  if (answer.gap < -1e-9) return "below the best without overlap";
  return answer.gap < 1e-9 ? "nothing of this size is shorter" : "above the proved optimum";
}

function missing(numbers) {
  const some = spaced(numbers);
  return notice(
    `No expression for ${numbers.length} of 99 numbers: ${some.length > 120 ? `${some.slice(0, 120)}…` : some}.`,
    "warning",
  );
}

function optimum(answer) {
  const best = answer.optimum;
  if (!best) return h("p", { class: "note" }, "The best system of this size is being looked for …");
  const known = best.proved ? "Proved best of this size" : "Best known of this size";
  const value = best.proved
    ? decimals(best.average_complexity)
    : `${decimals(best.average_complexity)}, at least ${decimals(best.lower_bound)}`;
  return h(
    "div",
    { class: "beside" },
    h("h2", {}, known),
    h(
      "p",
      {},
      h(
        "a",
        { href: systemLink(best.digits, best.multipliers, answer.grammar, answer.need), class: "system" },
        `D ${spaced(best.digits)}   M ${spaced(best.multipliers)}`,
      ),
      " ",
      h("span", { class: "note" }, value),
    ),
  );
}

// Words to add or to take away.
function nearest(answer) {
  return h(
    "div",
    { class: "beside" },
    h("h2", {}, "Nearest human languages"),
    answer.speakers
      ? h(
          "p",
          { class: "note" },
          `${counted(answer.speakers, "language or dialect has", "languages and dialects have")} exactly these words.`,
        )
      : null,
    h(
      "ul",
      { class: "nearest" },
      answer.nearest.map((each) =>
        h(
          "li",
          {},
          h("a", { href: systemLink(each.digits, each.multipliers, answer.grammar, answer.need) }, each.name),
          h(
            "span",
            { class: "note" },
            each.others ? `and ${counted(each.others, "other")}, ` : "",
            each.upto ? `counts to ${each.upto} only, ` : "",
            each.distance === 0 ? "the same words" : `${counted(each.distance, "word")} off`,
          ),
        ),
      ),
    ),
  );
}
