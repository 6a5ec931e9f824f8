// Finding one of the world's languages by name, code, family or area, and taking its words.

import { get } from "./api.js";
import { h, replace } from "./dom.js";
import { search } from "./search.js";
import { parseSet } from "./sets.js";

const MOST = 8,
  LARGEST = 99;

// `onChoose` is given the words of the language that is taken.
export function languageSearch(onChoose) {
  let all = null;
  const list = h("ul", { "aria-label": "Languages found" });
  const count = h("p", { class: "note", role: "status" });
  const box = h("div", { class: "found", hidden: true }, list, count);
  const input = h("input", {
    type: "search",
    name: "language",
    placeholder: "name, family or area",
    autocomplete: "off",
    onfocus: load,
    oninput: fill,
    onkeydown: (event) => event.key === "Escape" && close(),
  });
  const element = h(
    "div",
    { class: "field search", onfocusout: (event) => !element.contains(event.relatedTarget) && close() },
    h("label", {}, h("span", {}, "Find a language"), input),
    box,
  );

  async function load() {
    try {
      all ??= await get("api/languages");
      fill();
    } catch (error) {
      box.hidden = false;
      count.textContent = error.message;
    }
  }
  function fill() {
    if (!all) return;
    const found = search(all, input.value);
    box.hidden = false;
    replace(
      list,
      found.slice(0, MOST).map((each) => h("li", {}, button(each))),
    );
    const more = found.length - MOST;
    count.textContent = !input.value.trim()
      ? `${all.length.toLocaleString("en")} languages and dialects`
      : found.length
        ? more > 0
          ? `and ${more.toLocaleString("en")} more`
          : ""
        : "none with that name";
  }
  function button(language) {
    const where = [language.family, language.area].filter(Boolean).join(", ");
    const stops = language.upto === null ? "" : `; counts to ${language.upto} only`;
    return h(
      "button",
      { type: "button", onclick: () => take(language) },
      language.name,
      h("span", { class: "note" }, `${where}${stops}`),
    );
  }
  function take({ name, digits, multipliers }) {
    input.value = name;
    close();
    onChoose({ name, digits: parseSet(digits, LARGEST), multipliers: parseSet(multipliers, LARGEST) });
  }
  function close() {
    box.hidden = true;
  }
  return element;
}
