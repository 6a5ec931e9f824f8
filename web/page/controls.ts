// Fields that people know: sliders, choices, buttons.

import { type Child, h, write } from "./dom.ts";

export interface Slider {
  element: HTMLElement;
  input: HTMLInputElement;
  set: (value: number) => void;
}

/** A slider over listed values, so that each place on it is a round number. */
export function slider(
  label: string,
  values: readonly number[],
  text: (value: number) => string,
  changed: (value: number) => void,
  note = "",
): Slider {
  const shown = h("b");
  const input = h("input", { type: "range", min: 0, max: values.length - 1, step: 1 });
  const nearest = (value: number): number => {
    let best = 0;
    values.forEach((each, i) => {
      if (Math.abs(each - value) < Math.abs(values[best] - value)) best = i;
    });
    return best;
  };
  const tell = (value: number): void => {
    const words = text(value);
    write(shown, words);
    input.setAttribute("aria-valuetext", words);
  };
  input.addEventListener("input", () => {
    const value = values[Number(input.value)];
    tell(value);
    changed(value);
  });
  const element = h(
    "label",
    { class: "field" },
    h("span", { class: "top" }, label, shown),
    input,
    note && h("span", { class: "small" }, note),
  );
  // An address may have a value between two places: the handle stands at the nearer one, the words say the value.
  const set = (value: number): void => {
    input.value = String(nearest(value));
    tell(value);
  };
  return { element, input, set };
}

export interface Choice<T extends string> {
  element: HTMLFieldSetElement;
  set: (value: T | "") => void;
  disable: (value: T, off: boolean) => void;
}

let groups = 0;
/** One of a few, as buttons side by side. */
export function segments<T extends string>(
  legend: string,
  options: readonly (readonly [value: T, text: string])[],
  changed: (value: T) => void,
  extra = "",
): Choice<T> {
  const name = `choice-${++groups}`;
  const inputs = new Map<T, HTMLInputElement>();
  const labels = options.map(([value, text]) => {
    const input = h("input", { type: "radio", name, value });
    input.addEventListener("change", () => changed(value));
    inputs.set(value, input);
    return h("label", {}, input, h("span", {}, text));
  });
  const element = h("fieldset", { class: `segments ${extra}` }, h("legend", {}, legend), labels);
  return {
    element,
    set: (value) => {
      for (const [each, input] of inputs) input.checked = each === value;
    },
    disable: (value, off) => {
      const input = inputs.get(value);
      if (input) input.disabled = off;
    },
  };
}

/** One of some, as a list that opens. */
export function select<T extends string>(label: string, texts: Record<T, string>, changed: (value: T) => void) {
  const names = Object.keys(texts) as T[];
  const list = h(
    "select",
    { onchange: () => changed(list.value as T) },
    names.map((each) => h("option", { value: each }, texts[each])),
  );
  const set = (value: T): void => {
    list.value = value;
  };
  return { element: h("label", { class: "field" }, label, list), set };
}

export function button(text: string, pressed: () => void, kind = ""): HTMLButtonElement {
  return h("button", { type: "button", class: kind, onclick: pressed }, text);
}

export function row(...children: Child[]): HTMLElement {
  return h("div", { class: "row" }, ...children);
}

/** Names with what they measure. */
export function figures(...entries: [name: string, value: HTMLElement][]): HTMLElement {
  return h(
    "dl",
    { class: "figures" },
    entries.map(([name, value]) => h("div", {}, h("dt", {}, name), value)),
  );
}
