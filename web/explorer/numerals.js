// The numerals 1 to 99 with their expressions, shaded by how long they are.

import { counted, h } from "./dom.js";

export function numeralsGrid(answer, largest) {
  if (answer.complaint) return h("p", { class: "note" }, "The numerals appear when there is a numeral system.");
  const found = new Map(answer.numerals.map((each) => [each.number, each]));
  const cells = Array.from({ length: largest }, (_, i) => cell(i + 1, found.get(i + 1)));
  return [
    h("h2", {}, "The numerals from 1 to 99"),
    h(
      "p",
      { class: "note" },
      "The stronger the shade, the longer: ",
      h(
        "span",
        { class: "key" },
        [1, 3, 5, 7, 9].map((each) =>
          h("span", { class: "sample", "data-heat": String(each) }, each === 9 ? "9+" : String(each)),
        ),
      ),
      " symbols; ×3 means that three expressions are equally short. Written out is then the first that the search meets: products, then sums and differences, short phrases first.",
    ),
    h("ol", { class: "numerals" }, cells),
  ];
}

function cell(number, numeral) {
  if (!numeral) return h("li", { class: "missing" }, h("b", {}, String(number)), h("span", {}, "no expression"));
  const expression = numeral.expression.replaceAll("*", "·").replaceAll("-", "−");
  const ties =
    numeral.ties > 1
      ? h("i", { title: `${numeral.ties} expressions are equally short` }, `×${brief(numeral.ties)}`)
      : null;
  return h(
    "li",
    { "data-heat": String(Math.min(numeral.complexity, 9)), title: counted(numeral.complexity, "symbol") },
    h("b", {}, String(number)),
    ties,
    h("span", {}, expression),
  );
}

function brief(count) {
  return count < 10000 ? String(count) : count >= 1e12 ? "10¹² or more" : count.toExponential(0).replace("e+", "·10^");
}
