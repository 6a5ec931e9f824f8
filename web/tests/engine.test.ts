import assert from "node:assert/strict";
import { test } from "node:test";
import * as engine from "../engine/index.ts";

test("systems are read as they are written", () => {
  for (const text of [engine.STARTS[6], "1-9,11 | 10", "1,2,4-6 | 7"]) {
    assert.equal(engine.formatSystem(engine.parseSystem(text)), text);
  }
  assert.equal(engine.formatSystem(engine.parseSystem("none | 5,8", "hurford")), "none | 5,8");
  assert.equal(engine.sizeOf(engine.parseSystem("1-5,5 | 5")), 6);
});

test("what is no system is refused in a sentence", () => {
  for (const text of [
    "",
    "1-9",
    "1 | 2 | 3",
    "9-1 | 10",
    "0 | 2",
    "x | 2",
    "1 | none",
    "none | 2",
    "1e3 | 2",
    "1-99999999999 | 2",
  ]) {
    assert.throws(
      () => engine.parseSystem(text),
      (error: Error) => {
        assert.ok(error instanceof engine.RequestError, text);
        assert.match(error.message, /^[A-Z“0].*\.$/);
        return true;
      },
    );
  }
  assert.throws(() => engine.parseSystem("1 | 2", "no" as engine.GrammarName), engine.RequestError);
  assert.throws(() => engine.minimalLanguage(engine.parseSystem("1 | 60"), 50), engine.RequestError);
  for (const need of ["", "power", "power:-1", "power:x", "exp:0", "file:a"]) {
    assert.throws(() => engine.needWeights(need, 50), engine.RequestError, need);
  }
  assert.throws(() => engine.needWeights("uniform", 0), engine.RequestError);
});

test("expressions are bracketed where readers could disagree", () => {
  const { text } = bound("1-9,11 | 10");
  assert.equal(text(47), "4 * 10 + 7");
  const binary = bound("1 | 2");
  for (let n = 1; n <= 99; n++) {
    const written = binary.text(n) ?? "";
    assert.equal(new Function(`return ${written}`)(), n, written);
    assert.equal(written.split(" ").length, binary.language.complexity(n), written);
  }
});

function bound(system: string) {
  const language = engine.minimalLanguage(engine.parseSystem(system), 99);
  return { language, text: (n: number) => language.text(n) };
}

test("a system that cannot say everything has no average and no gap", () => {
  const language = engine.minimalLanguage(engine.parseSystem("2,4 | 6"), 99);
  assert.ok(language.missing.includes(1));
  assert.equal(language.text(1), null);
  assert.deepEqual(engine.measureLanguage(language), { size: 3, average: null, gap: null });
});

test("optima lie on the wall, and nothing of the paper lies below it", () => {
  for (const grammar of ["modified", "hurford"] as const) {
    for (const { spec } of engine.NEEDS) {
      const found = engine.optima(spec, grammar);
      assert.ok(found.length > 20);
      for (const { size, average, system } of found.slice(0, 20)) {
        const measures = engine.measure(engine.parseSystem(system, grammar), spec);
        assert.equal(measures.size, size);
        assert.ok(Math.abs((measures.average ?? 0) - average) < 1e-12);
        assert.equal(measures.gap, 0);
      }
    }
  }
  for (const start of engine.STARTS) assert.ok((engine.measure(engine.parseSystem(start)).gap ?? 0) > 0);
});

test("equal seeds give equal runs, other seeds others", () => {
  const run = (seed: number) => {
    let state = engine.startEvolution({ ...engine.EVOLUTION_DEFAULTS, add: "any", seed });
    for (let i = 0; i < 30; i++)
      state = engine.step(state, "drift", { ...engine.EVOLUTION_DEFAULTS, add: "any" }).state;
    return engine.formatSystem(state.system);
  };
  assert.equal(run(5), run(5));
  assert.notEqual(run(5), run(6));
});

test("random numbers are uniform, and go on from a saved state", () => {
  const random = new engine.Random(1);
  const counts = new Array(10).fill(0);
  let sum = 0;
  for (let i = 0; i < 20_000; i++) counts[random.below(10)]++;
  for (let i = 0; i < 20_000; i++) sum += random.normal() ** 2;
  for (const count of counts) assert.ok(Math.abs(count - 2000) < 220, String(counts));
  assert.ok(Math.abs(sum / 20_000 - 1) < 0.05);
  const copy = new engine.Random(random.save());
  assert.equal(copy.next(), random.next());
});

test("the oracle keeps what is shorter, costs what costs less", () => {
  const settings = { ...engine.EVOLUTION_DEFAULTS, add: "any" as const, effort: 1, word: 0.1 };
  let state = engine.startEvolution(settings);
  let before = engine.roundOf(state, settings, null, null);
  for (let i = 0; i < 60; i++) {
    const { state: after, round } = engine.step(state, i % 2 ? "oracle" : "costs", settings);
    const { proposal, decision } = round;
    assert.ok(proposal && decision);
    const change = proposal.deltaAverage + (i % 2 ? 0 : 0.1 * proposal.deltaSize);
    assert.equal(decision.accepted, change < 0);
    assert.equal(round.size, before.size + (decision.accepted ? proposal.deltaSize : 0));
    [state, before] = [after, round];
  }
});

test("a generation knows what it heard, what it must, and what it invented", () => {
  const settings = { ...engine.GENERATION_DEFAULTS, bottleneck: 20, invent: 1.5, seed: 3 };
  let state = engine.startGenerations(settings);
  for (let i = 0; i < 50; i++) {
    const { state: after, generation } = engine.passOn(state, settings);
    const { heard, restored, invented, lost } = generation;
    assert.ok(heard && restored && invented && lost);
    assert.equal(
      generation.numbersHeard.reduce((sum, each) => sum + each, 0),
      20,
    );
    const known = new Set([...heard.digits, ...restored.digits, ...invented.digits]);
    assert.deepEqual(new Set(after.system.digits), known);
    for (const word of lost.digits) assert.ok(state.system.digits.includes(word));
    assert.ok(engine.minimalLanguage(after.system, 50).covers);
    state = after;
  }
  const all = { ...settings, bottleneck: "all" as const, invent: 0 };
  const { generation } = engine.passOn(engine.startGenerations({ ...all, start: "1-9 | 10" }), all);
  assert.equal(engine.formatSystem(generation.system), "1-9 | 10");
});

test("hands make 5, 10 and 20 likelier to be invented", () => {
  const invented = (hands: number) => {
    let count = 0;
    for (let seed = 0; seed < 300; seed++) {
      const settings = { ...engine.GENERATION_DEFAULTS, start: "1,2 | 3", invent: 1, hands, seed };
      const words = engine.passOn(engine.startGenerations(settings), settings).generation.invented;
      count += [...(words?.digits ?? []), ...(words?.multipliers ?? [])].filter((n) => engine.HANDS.includes(n)).length;
    }
    return count;
  };
  assert.ok(invented(20) > 2 * invented(1));
});
