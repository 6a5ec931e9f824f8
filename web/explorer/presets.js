// Systems to begin with: human languages, the paper's starts, proved optima.

import { get } from "./api.js";
import { h, replace } from "./dom.js";

const GROUPS = { languages: "Human languages", starts: "The paper’s starts", optima: "Proved optima" };

export function presetChoice(grammar, need, onChoose) {
  const systems = new Map();
  const select = h(
    "select",
    {
      onchange: () => {
        const chosen = systems.get(select.value);
        if (chosen) onChoose(chosen, select.value.startsWith("languages/"));
      },
    },
    h("option", { value: "" }, "your own"),
  );
  let shown = null;
  get("api/presets", { grammar, need })
    .then((presets) => {
      for (const [group, entries] of Object.entries(presets)) {
        for (const each of entries) systems.set(`${group}/${each.name}`, each);
        select.append(
          h(
            "optgroup",
            { label: GROUPS[group] },
            entries.map((each) => h("option", { value: `${group}/${each.name}` }, each.name)),
          ),
        );
      }
      if (shown) mark(shown);
    })
    .catch((error) => replace(select, h("option", {}, error.message)));

  // Name the system that is shown, if it has a name.
  function mark(answer) {
    shown = answer;
    if (systems.has(select.value) && same(systems.get(select.value), answer)) return;
    select.value = [...systems.keys()].find((key) => same(systems.get(key), answer)) ?? "";
  }
  return { element: h("label", { class: "field" }, h("span", {}, "Begin with"), select), mark };
}

function same(one, other) {
  return String(one.digits) === String(other.digits) && String(one.multipliers) === String(other.multipliers);
}
