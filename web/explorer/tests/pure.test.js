// What is pure in the page's scripts: places on axes, round numbers, CSV. `node --test` runs this.

import assert from "node:assert/strict";
import { test } from "node:test";
import { counted } from "../dom.js";
import { cell, csvOf } from "../saving.js";
import { scale, ticks } from "../scales.js";
import { search } from "../search.js";

test("places are linear, or logarithmic, and may run downwards", () => {
  assert.equal(scale([0, 10], [100, 200], false)(5), 150);
  assert.equal(scale([1, 4], [400, 0], true)(2), 200);
  assert.equal(scale([0, 10], [100, 200], false)(-10), 0);
});

test("ticks are round, inside the ends, and about as many as are asked for", () => {
  assert.deepEqual(ticks([3.5, 21], 8, false), [4, 6, 8, 10, 12, 14, 16, 18, 20]);
  assert.deepEqual(ticks([1, 1.5], 5, true), [1, 1.1, 1.2, 1.3, 1.4, 1.5]);
  assert.deepEqual(ticks([1, 1000], 8, true), [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]);
  for (const [low, high] of [
    [0.001, 0.0023],
    [-7, 13],
    [99, 100],
    [1, 1.0001],
  ]) {
    const found = ticks([low, high], 8, false);
    assert.ok(found.length >= 4 && found.length <= 17, String(found));
    assert.ok(
      found.every((each) => each >= low - 1e-9 && each <= high + 1e-9),
      String(found),
    );
  }
});

test("no cell of a CSV is a formula, and tables of one chart are told apart", () => {
  assert.equal(cell("=SUM(A1)"), "'=SUM(A1)");
  assert.equal(cell('a "b", c'), '"a ""b"", c"');
  assert.equal(cell(-1), "-1");
  assert.equal(csvOf({ one: [{ a: 1 }, { b: null }] }), "a,b\r\n1,\r\n,\r\n");
  assert.equal(
    csvOf({ one: [{ a: 1 }], two: [{ b: [1, null, 2] }], none: [] }),
    "table,a,b\r\none,1,\r\ntwo,,1  2\r\n",
  );
});

test("a language is found by its name first, then by code, family and area; accents do not matter", () => {
  const language = (name, glottocode, family, area) => ({ name, glottocode, family, area });
  const all = [
    language("Old Guarani", "oldg1000", "Tupian", "South America"),
    language("Guaraní", "para1311", "Tupian", "South America"),
    language("Georgian", "nucl1302", "Kartvelian", "Eurasia"),
  ];
  const names = (text) => search(all, text).map((each) => each.name);
  assert.deepEqual(names("guarani"), ["Guaraní", "Old Guarani"]);
  assert.deepEqual(names("NUCL1302"), ["Georgian"]);
  assert.deepEqual(names("kart"), ["Georgian"]);
  assert.deepEqual(names("south"), ["Old Guarani", "Guaraní"]);
  assert.deepEqual([names(" "), names("zzz")], [[], []]);
});

test("one is not many", () => {
  assert.equal(counted(1, "run"), "1 run");
  assert.equal(counted(0, "run"), "0 runs");
  assert.equal(counted(2000, "study", "studies"), "2,000 studies");
});
