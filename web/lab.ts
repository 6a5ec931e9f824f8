/** Engine and runs in one script, for pages other than the playground: `ishango.measure(...)`. */
export * from "./agents/index.ts";
export * from "./engine/index.ts";
