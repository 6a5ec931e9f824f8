// A language to beat: what it costs beside the system in the builder, and who is better.

import { get } from "./api.js";
import { decimals } from "./controls.js";
import { counted, h, replace } from "./dom.js";
import { parseSet } from "./sets.js";

const LARGEST = 99,
  SAME = 1e-9;

export class Rival {
  grammar;
  need;
  name;

  // `name`: the language that the address names, if it does.
  constructor(grammar, need, name) {
    Object.assign(this, { grammar, need, name: "", words: null, its: null, mine: null });
    this.title = h("h2", {});
    this.said = h("p", { class: "against", role: "status" });
    this.element = h("div", { class: "rival", hidden: true, "data-rival": "" }, this.title, this.said);
    this.find(name);
  }

  async find(name) {
    if ((name ?? "") === this.name) return;
    this.name = name ?? "";
    this.its = null;
    this.draw();
    if (!name) return;
    const found = (await get("api/languages").catch(() => [])).find((each) => each.name === name);
    if (!found || name !== this.name) return;
    this.meet({ name, digits: parseSet(found.digits, LARGEST), multipliers: parseSet(found.multipliers, LARGEST) });
  }

  async meet({ name, digits, multipliers }) {
    Object.assign(this, { name, its: null });
    this.draw();
    try {
      const its = await get("api/system", { digits, multipliers, grammar: this.grammar, need: this.need });
      if (name === this.name) this.its = its;
    } catch {
      this.name = ""; // an exported page may not hold it
    }
    this.draw();
  }

  mark(answer) {
    this.mine = answer;
    this.draw();
  }

  draw() {
    const { name, its, mine } = this;
    this.element.hidden = !(name && its && mine);
    if (this.element.hidden) return;
    replace(this.title, `Against ${name}`);
    replace(this.said, verdict(name, mine, its));
  }
}

// Fewer words or shorter numerals, and neither more nor longer, is better.
export function verdict(name, mine, its) {
  if (its.average_complexity === null)
    return `${name} does not say every number up to 99, so that nothing can be held against it.`;
  const has = `${name} has ${counted(its.size, "word")} and ${decimals(its.average_complexity)} symbols a numeral`;
  if (mine.average_complexity === null) return `${has}; yours does not say every number yet.`;
  const fewer = its.size - mine.size,
    shorter = its.average_complexity - mine.average_complexity;
  if (!fewer && Math.abs(shorter) < SAME)
    return `${has}, and so has yours. Take words away, or make numerals shorter with as many: then you beat it.`;
  const words = fewer ? `${counted(Math.abs(fewer), "word")} ${fewer > 0 ? "fewer" : "more"}` : "as many words",
    length =
      Math.abs(shorter) < SAME
        ? "numerals as long"
        : `numerals ${decimals(Math.abs(shorter))} symbols ${shorter > 0 ? "shorter" : "longer"}`;
  const yours = `yours has ${words} and ${length}`;
  if (fewer >= 0 && shorter > -SAME) return `You beat ${name}: ${yours}. ${has}.`;
  if (fewer <= 0 && shorter < SAME) return `${name} is better: ${yours}. ${has}.`;
  return `Neither beats the other: ${yours}. ${has}.`;
}
