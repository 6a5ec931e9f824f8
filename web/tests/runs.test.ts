import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";
import type { RunEvents, RunRound, RunSettings, Runs } from "../agents/index.ts";
import { type Answer, type Request, serve } from "../agents/server.ts";
import { GAME_DEFAULTS, RUN_DEFAULTS } from "../agents/settings.ts";
import { shippedKernels, shippedScript } from "./shipped.ts";

/** A server whose answers are kept; `until` waits for one of a type. */
function talk() {
  const answers: Answer[] = [];
  let look = () => {};
  const send = serve((answer) => {
    answers.push(answer);
    look();
  }, 10);
  const until = async <T extends Answer["type"]>(type: T): Promise<Extract<Answer, { type: T }>> => {
    for (;;) {
      const place = answers.findIndex((each) => each.type === type);
      if (place >= 0) return answers.splice(place, 1)[0] as Extract<Answer, { type: T }>;
      await new Promise<void>((resolve) => {
        look = resolve;
      });
    }
  };
  const start = (settings: Partial<RunSettings>, runs = 1): Request => ({
    type: "start",
    settings: { ...RUN_DEFAULTS, ...settings },
    runs,
    kernels: settings.mover === "agents" ? shippedKernels() : null,
  });
  const rounds = (run: number): RunRound[] =>
    answers
      .flatMap((each) => (each.type === "rounds" ? each.news : []))
      .flatMap((each) => (each.run === run ? each.rounds : []));
  return { send, until, start, rounds };
}

const SMALL = { ...GAME_DEFAULTS, hidden: 20, steps: 60, pretraining: 100 };

test("only the first run tells how it came where it is", async () => {
  for (const [mover, told] of [
    ["oracle", "proposal"],
    ["passing-on", "heard"],
  ] as const) {
    const { send, until, start, rounds } = talk();
    send(start({ mover }, 2));
    send({ type: "play", until: 9, delay: 0 });
    await until("idle");
    const known = (run: number) =>
      rounds(run).map((each) => Boolean((each as unknown as Record<string, unknown>)[told]));
    assert.deepEqual(known(0), [false, ...Array.from({ length: 9 }, () => true)]);
    assert.ok(!known(1).includes(true));
    assert.ok(rounds(1).every(({ system, gap }) => system.digits.length && gap !== undefined));
  }
});

test("every run reports each of its rounds once, in order", async () => {
  for (const mover of ["drift", "oracle", "costs", "passing-on"] as const) {
    const { send, until, start, rounds } = talk();
    send(start({ mover, word: 0.05 }, 7));
    send({ type: "play", until: 12, delay: 0 });
    await until("idle");
    send({ type: "step" });
    await until("idle");
    for (let run = 0; run < 7; run++) {
      assert.deepEqual(
        rounds(run).map((each) => each.round),
        Array.from({ length: 14 }, (_, i) => i),
      );
    }
    assert.notDeepEqual(
      rounds(0).map((each) => each.size),
      rounds(1).map((each) => each.size),
      mover,
    );
  }
});

test("agents talk before round 0 is told, decide, and can be asked", async () => {
  const { send, until, start, rounds } = talk();
  send(start({ mover: "agents", game: SMALL }));
  send({ type: "play", until: 3, delay: 0 });
  await until("idle");
  const found = rounds(0);
  assert.deepEqual(
    found.map((each) => each.round),
    [0, 1, 2, 3],
  );
  for (const each of found) {
    assert.ok(each.kind === "round" && each.talk);
    const { talk: said, proposal, decision } = each;
    assert.equal(
      said.uses.reduce((sum, uses) => sum + uses, 0),
      each.round ? SMALL.steps : SMALL.pretraining,
    );
    assert.ok(said.numbers >= 0 && said.numbers <= 50 && said.messages >= 1 && said.won <= 1);
    if (proposal) assert.equal(decision?.accepted, said.q[1] > said.q[0]);
  }
  send({ type: "say", id: 1 });
  const { said } = await until("said");
  assert.equal(said?.length, 50);
  for (const each of said ?? []) {
    assert.equal(each.message.length, each.expression.split(" ").length);
    assert.ok(each.probability >= 0 && each.probability <= 1);
  }
});

test("a run that is paused and taken up again is the same run", async () => {
  const whole = talk();
  whole.send(whole.start({ mover: "agents", game: SMALL, seed: 3 }));
  whole.send({ type: "play", until: 2, delay: 0 });
  await whole.until("idle");
  const cut = talk();
  cut.send(cut.start({ mover: "agents", game: SMALL, seed: 3 }));
  for (let i = 0; i < 4; i++) {
    cut.send({ type: "play", until: 2, delay: 0 });
    await new Promise((resolve) => setTimeout(resolve, 15));
    cut.send({ type: "pause" });
  }
  cut.send({ type: "play", until: 2, delay: 0 });
  while (cut.rounds(0).length < 3) await cut.until("idle");
  assert.deepEqual(cut.rounds(0), whole.rounds(0));
});

test("what cannot be run is refused in a sentence", async () => {
  const wrong: [Partial<RunSettings>, number, RegExp][] = [
    [{ start: "1-9" }, 1, /is not a numeral system/],
    [{ start: "2,4 | 6" }, 1, /has no expression for 1;/],
    [{ start: "1-9 | 60" }, 1, /lies above the range 50/],
    [{ need: "none" }, 1, /is not a need/],
    [{}, 0, /0 runs cannot be made/],
    [{}, 1e9, /choose 1 to 1000/],
    [{ mover: "agents" }, 200, /choose 1 to 8/],
    [{ mover: "agents", game: { ...SMALL, hidden: 3 } }, 1, /a multiple of four/],
  ];
  for (const [settings, runs, sentence] of wrong) {
    const { send, until, start } = talk();
    send(start(settings, runs));
    send({ type: "play", until: 1, delay: 0 });
    assert.match((await until("error")).sentence, sentence);
  }
});

test("the shipped script computes without a worker, and says so where there is no WebAssembly", async () => {
  const { performance, setTimeout, atob, URL } = globalThis;
  const play = (settings: Partial<RunSettings>, given: object): Promise<string> =>
    new Promise((resolve) => {
      const context = vm.createContext({ performance, setTimeout, atob, URL, ...given });
      vm.runInContext(shippedScript(), context);
      const { startRuns } = vm.runInContext("ishango", context) as {
        startRuns: (settings: RunSettings, events: RunEvents) => Runs;
      };
      let told = 0;
      const runs = startRuns(
        { ...RUN_DEFAULTS, ...settings },
        {
          runs: 1,
          onRounds: (_, rounds) => {
            told += rounds.length;
          },
          onIdle: () => resolve(`${told} rounds`),
          onError: resolve,
        },
      );
      runs.play(2);
    });
  assert.equal(await play({ mover: "drift" }, {}), "3 rounds");
  assert.equal(await play({ mover: "agents", game: SMALL }, { WebAssembly }), "3 rounds");
  assert.match(await play({ mover: "agents", game: SMALL }, { WebAssembly: undefined }), /^Agents need WebAssembly/);
  // A worker that is refused only after it was made, as by a page's security policy.
  class Refused {
    onerror: ((event: object) => void) | null = null;
    constructor() {
      setTimeout(() => this.onerror?.({}), 5);
    }
    postMessage(): void {}
    terminate(): void {}
  }
  const refused = { Worker: Refused, Blob, URL: { createObjectURL: () => "", revokeObjectURL: () => undefined } };
  assert.equal(await play({ mover: "drift" }, refused), "3 rounds");
});
