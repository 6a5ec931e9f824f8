/**
 * Builds the playground into ../src/ishango/playground: `node build.mjs`.
 *
 * Everything is inlined into classic scripts, since a page from a file address may load neither modules nor workers:
 * the worker's code is a text inside the page, the agents' kernels are base64.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import asc from "assemblyscript/asc";
import * as esbuild from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OUT = here("../src/ishango/playground");
const SOURCES = /^(build\.mjs|lab\.ts|(engine|agents|page|data)\/.*\.(ts|css|html|json))$/;
const KERNEL = ["agent", "index", "vectors"];
const SHARED = {
  bundle: true,
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

/** The kernel of the agents in base64, with or without vectors; compiled only when its source has changed. */
async function kernel(simd) {
  const flags = ["--runtime", "stub", "-O3", "--noAssert", simd ? "--enable" : "--disable", "simd"];
  const sources = await Promise.all(KERNEL.map((name) => readFile(here(`agents/kernel/${name}.ts`))));
  const digest = createHash("sha256").update(flags.join()).update(Buffer.concat(sources)).digest("hex").slice(0, 16);
  const built = here(`node_modules/.cache/kernel-${digest}.wasm`);
  if (!existsSync(built)) {
    const { error, stderr } = await asc.main([here("agents/kernel/index.ts"), ...flags, "--outFile", built]);
    if (error) throw new Error(`${error.message}\n${stderr}`);
  }
  return (await readFile(built)).toString("base64");
}

/** What sources import by a name that only exists here. */
function inlined(kernels, worker) {
  const contents = {
    "worker-source": `export default ${JSON.stringify(worker)};`,
    kernels: `const bytes = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
      export const kernels = () => ({ simd: bytes("${kernels[0]}"), scalar: bytes("${kernels[1]}") });`,
  };
  return {
    name: "inlined",
    setup(build) {
      build.onResolve({ filter: /^(worker-source|kernels)$/ }, ({ path }) => ({ path, namespace: "inlined" }));
      build.onLoad({ filter: /.*/, namespace: "inlined" }, ({ path }) => ({ contents: contents[path], loader: "js" }));
    },
  };
}

/** The page as one file: its style and its script take the places of the lines that name them. */
async function page(script) {
  const {
    outputFiles: [style],
  } = await esbuild.build({ ...SHARED, entryPoints: [here("page/style.css")], write: false });
  const {
    outputFiles: [code],
  } = await esbuild.build({ ...script, entryPoints: [here("page/main.ts")], write: false });
  const html = await readFile(here("page/index.html"), "utf8");
  const parts = [
    ['<link rel="stylesheet" href="style.css">', `<style>${style.text}</style>`],
    ['<script src="main.ts"></script>', `<script>${code.text.replaceAll("</script", "<\\/script")}</script>`],
  ];
  return parts.reduce((text, [line, content]) => {
    if (!text.includes(line)) throw new Error(`page/index.html lacks the line ${line}`);
    return text.replace(line, () => content);
  }, html);
}

/** A digest of everything that the page is made of: tests see by it whether what is shipped was built from what is here. */
async function digest() {
  const names = (await readdir(here("."), { recursive: true })).map((name) => name.replaceAll("\\", "/"));
  const sources = names.filter((name) => SOURCES.test(name)).sort();
  const hash = createHash("sha256");
  for (const name of sources) hash.update(name).update(await readFile(here(name)));
  return hash.digest("hex");
}

async function build() {
  for (const directory of [OUT, here("node_modules/.cache")]) await mkdir(directory, { recursive: true });
  const kernels = [await kernel(true), await kernel(false)];
  const worker = await esbuild.build({
    ...SHARED,
    entryPoints: [here("agents/worker.ts")],
    write: false,
    format: "iife",
  });
  const script = { ...SHARED, format: "iife", plugins: [inlined(kernels, worker.outputFiles[0].text)] };
  await esbuild.build({ ...script, entryPoints: [here("lab.ts")], globalName: "ishango", outfile: `${OUT}/engine.js` });
  await writeFile(`${OUT}/index.html`, await page(script));
  await writeFile(`${OUT}/sources.txt`, `${await digest()}\n`);
  for (const file of ["engine.js", "index.html"]) {
    const bytes = await readFile(`${OUT}/${file}`);
    console.log(`${file}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} compressed`);
  }
}

await build();
