// The medians and bands of the plane. `node --test` runs this.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bandsUpTo, staysOf } from "../medians.js";
import { planeRows } from "../plane_table.js";

const NEVER = 1e9;

// A run as the server sends it: each place from a round on, and last a place that is none.
function run(name, places, last = 10) {
  const known = places.map(([round, x, y], i) => ({ round, x, y, until: places[i + 1]?.[0] ?? NEVER, lexicon: i }));
  const rows = [...known, { round: 0, until: 0, x: null, y: null, lexicon: null }];
  const lists = Object.fromEntries(
    ["round", "until", "x", "y", "lexicon"].map((key) => [key, rows.map((each) => each[key])]),
  );
  return { run: name, group: "agents", colour: "agents", start: "1", last, ...lists };
}

function three(places, last) {
  return ["a", "b", "c"].map((name) => run(name, places, last));
}

function only(rows, ...names) {
  return rows.map((row) => names.map((name) => row[name]));
}

test("a band has the quartiles, counted by rounds, where three runs have been", () => {
  const runs = three(
    [
      [0, 10, 1],
      [1, 10, 2],
    ],
    9,
  );
  const band = bandsUpTo(staysOf([...runs, run("alone", [[0, 12, 5]])]));
  assert.deepEqual(only(band, "x", "low", "median", "high"), [
    [10, 2, 2, 2],
    [11, 2, 2, 2],
  ]);
  const early = three(
    [
      [0, 10, 1],
      [7, 10, 2],
    ],
    9,
  );
  assert.deepEqual(only(bandsUpTo(staysOf(early)), "low", "median", "high")[0], [1, 1, 2]);
});

test("a band breaks where nobody was", () => {
  const band = bandsUpTo(
    staysOf(
      three([
        [0, 10, 1],
        [1, 13, 2],
      ]),
    ),
  );
  assert.deepEqual(only(band, "stretch", "x"), [
    [0, 10],
    [0, 11],
    [1, 13],
    [1, 14],
  ]);
});

test("a band knows nothing of what comes after the round that is looked at", () => {
  const stays = staysOf(
    three([
      [0, 10, 3],
      [4, 10, 2],
      [8, 11, 1],
    ]),
  );
  const at = (round) => only(bandsUpTo(stays, round), "x", "median");
  assert.deepEqual(at(0), [
    [10, 3],
    [11, 3],
  ]);
  assert.deepEqual(at(6)[0], [10, 3]); // four rounds at 3, three at 2
  assert.deepEqual(at(7)[0], [10, 2]); // as many at either: the lower of the two in the middle
  assert.deepEqual(at(8), [
    [10, 2],
    [11, 1],
    [12, 1],
  ]);
  assert.deepEqual(bandsUpTo(stays, 10), bandsUpTo(stays));
  assert.deepEqual(bandsUpTo(stays, NEVER), bandsUpTo(stays));
});

test("costs that are no whole numbers are put into parts, the greatest, too", () => {
  const runs = ["a", "b", "c"].map((name) =>
    run(name, [
      [0, 0.5, 1],
      [5, 2.9, 2],
    ]),
  );
  const band = bandsUpTo(staysOf(runs));
  assert.equal(band.length, 4);
  assert.ok(Math.abs(band[2].x - 2.9) < 1e-9);
  assert.deepEqual(bandsUpTo(staysOf([])), []);
});

test("the plane as a table has a row for each stay of a run, and no corner of a drawing", () => {
  const paths = three([
    [0, 10, 3],
    [4, 11, 2],
  ]);
  const tables = {
    frontier: [{ x: 10, y: 1, proved: true, digits: "1–9", multipliers: "10" }],
    bound: [{ x: 10, y: 1 }],
    languages: [{ x: 11, y: 1.2, names: "English", languages: 1, digits: "1–9, 11", multipliers: "10", align: "left" }],
    lexicons: [
      { digits: "1", multipliers: "2" },
      { digits: "1, 2", multipliers: "3" },
    ],
    paths,
  };
  const rows = planeRows({ tables, titles: { x: "size", y: "length" }, rounds: 10, proved: true }, 2);
  assert.deepEqual(rows[0], { what: "proved optimum", size: 10, length: 1, D: "1–9", M: "10" });
  assert.deepEqual(
    only(
      rows.filter((row) => row.name === "a"),
      "from round",
      "to round",
      "size",
      "length",
      "D",
    ),
    [
      [0, 3, 10, 3, "1"],
      [4, 10, 11, 2, "1, 2"],
    ],
  );
  assert.deepEqual(
    only(
      rows.filter((row) => row.what === "median"),
      "to round",
      "size",
      "length",
    )[0],
    [2, 10, 3],
  );
  assert.ok(!rows.some((row) => "align" in row));
});
