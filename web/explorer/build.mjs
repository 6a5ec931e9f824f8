/**
 * Builds the explorer's script and style into ../../src/ishango/explorer/static: `node explorer/build.mjs`.
 *
 * Vega's script is the package's own and comes from the server, so it stays an import.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OUT = here("../../src/ishango/explorer/static");

await esbuild.build({
  entryPoints: { script: here("main.js"), style: here("style.css") },
  outdir: OUT,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  external: ["./vega.js"],
});

/** By this digest a test sees whether what is shipped was built from what is here. */
const names = (await readdir(here("."), { recursive: true })).map((name) => name.replaceAll("\\", "/"));
const hash = createHash("sha256");
for (const name of names.filter((each) => /^(?!tests\/).*\.(js|mjs|css)$/.test(each)).sort()) {
  hash.update(name).update(await readFile(here(name)));
}
await writeFile(`${OUT}/sources.txt`, `${hash.digest("hex")}\n`);
for (const file of ["script.js", "style.css"]) {
  const bytes = await readFile(`${OUT}/${file}`);
  console.log(`${file}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} compressed`);
}
