/** What `build.mjs` puts in: the worker's code as text, and the agents' kernels. */
declare module "worker-source" {
  const source: string;
  export default source;
}

declare module "kernels" {
  export function kernels(): import("./pair.ts").Kernels;
}
