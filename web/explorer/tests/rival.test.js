// Who is better, the system in the builder or a language. `node --test` runs this.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({ getElementById: () => null });
const { verdict } = await import("../rival.js");

const danish = { size: 13, average_complexity: 1.1767 };
const said = (size, average) => verdict("Danish", { size, average_complexity: average }, danish);

test("fewer words or shorter numerals beat a language, if the other is not worse", () => {
  assert.match(said(13, 1.1644), /^You beat Danish: yours has as many words and numerals 0.0123 symbols shorter\./);
  assert.match(said(12, 1.1767), /^You beat Danish: yours has 1 word fewer and numerals as long\./);
  assert.match(said(11, 1.17), /^You beat Danish: yours has 2 words fewer/);
  assert.match(said(14, 1.1767), /^Danish is better: yours has 1 word more/);
  assert.match(said(13, 1.2), /^Danish is better: .* 0.0233 symbols longer\./);
  assert.match(
    said(11, 1.1937),
    /^Neither beats the other: yours has 2 words fewer and numerals 0.0170 symbols longer\./,
  );
  assert.match(said(13, 1.1767), /^Danish has 13 words and 1.1767 symbols a numeral, and so has yours\./);
});

test("what lacks numbers is not held against anything", () => {
  assert.match(said(3, null), /yours does not say every number yet/);
  assert.match(verdict("Abom", danish, { size: 3, average_complexity: null }), /^Abom does not say every number/);
});
