// What is said while there is nothing to show: nobody has answered yet, runs are being read, there are none, the server is gone.

import { snapshot } from "./api.js";
import { h, notice, replace } from "./dom.js";

// Says it in `box`, hides what is not true any more, and tells whether runs can be shown.
export function waiting(box, news, ...shown) {
  const words = state(news);
  const key = words ? words[0] : "";
  if (box.dataset.waiting !== key || key === "reading") replace(box, words ? words[1]() : []);
  box.dataset.waiting = key;
  for (const each of shown) each.hidden = Boolean(words);
  return !words;
}

/** @returns {[string, () => HTMLElement] | null} */
function state({ heard, reading, goneAt, runs }) {
  if (goneAt) return ["gone", () => gone(goneAt)];
  if (reading) return ["reading", () => progress(reading)];
  if (!heard) return ["first", () => h("p", { class: "card" }, "Asking the server for its runs …")];
  if (!runs.length) return ["none", nothing];
  return null;
}

function gone(since) {
  return notice(
    `The server has not answered since ${since.toLocaleTimeString("en-GB")}. Start ishango explore again where it ran, on the same port; this page then goes on by itself. Runs that are played go on meanwhile.`,
    "error",
  );
}

function progress({ read, found }) {
  const words = found
    ? `Runs are being read for the first time: ${read.toLocaleString("en")} of ${found.toLocaleString("en")} …`
    : "Looking for runs …";
  return h(
    "p",
    { class: "card" },
    words,
    " ",
    h("progress", { value: found ? read / found : 0, max: 1, "aria-label": words }),
  );
}

function nothing() {
  if (snapshot) return notice("This snapshot holds no runs.");
  return h(
    "div",
    { class: "card" },
    h(
      "p",
      {},
      "There are no runs yet. ",
      h("a", { href: "#view=builder" }, "Start one from the builder"),
      ", or in a terminal: ",
      h("code", {}, "ishango evolve --start 1 --rounds 10 --steps 5000 --out out/first"),
    ),
    h(
      "p",
      { class: "note" },
      "Runs appear here by themselves as soon as they are written below the directory that ishango explore was given.",
    ),
  );
}
