/** What is shipped, for tests: they try what visitors get. */
import { readFileSync } from "node:fs";
import type { Kernels } from "../agents/pair.ts";

/** Engine and runs in one script. */
export function shippedScript(): string {
  return readFileSync(new URL("../../src/ishango/playground/engine.js", import.meta.url), "utf8");
}

/** The kernels that were built into the shipped script: what is tested is what is shipped. */
export function shippedKernels(): Kernels {
  const built = shippedScript();
  const found = [...built.matchAll(/[`"'](AGFzbQ[A-Za-z0-9+/=]+)[`"']/g)].map((each) => Buffer.from(each[1], "base64"));
  if (found.length !== 2) throw new Error(`engine.js holds ${found.length} kernels instead of two`);
  const [simd, scalar] = found.map((each) => new Uint8Array(each));
  return { simd, scalar };
}
