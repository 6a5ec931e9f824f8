// The server's answers, or, in a page that was exported, the answers it came with.

const embedded = document.getElementById("snapshot");
export const snapshot = embedded ? await unpacked(embedded.textContent) : null;

// Compressed, in base 64; charts name their specification by its place in a list.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function whole(value) {
  if (Array.isArray(value)) return value.map(whole);
  if (value === null || typeof value !== "object") return value;
  if ("specification" in value) return { ...snapshot.specifications[value.specification], datasets: value.datasets };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, whole(each)]));
}

export class Refusal extends Error {}

export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, each);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/**
 * @template {keyof import("./schema.d.ts").Answers} Path
 * @param {Path} path
 * @param {Record<string, unknown>} parameters
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("./schema.d.ts").Answers[Path]>}
 */
export async function get(path, parameters = {}, signal) {
  const url = address(path, parameters);
  if (!snapshot) return answer(fetch(url, { signal }));
  if (url in snapshot.answers) return whole(snapshot.answers[url]);
  /** @type {any} */
  const found = path === "api/system" ? described(parameters) : null;
  if (found) return found;
  throw new Refusal("This page is a snapshot and does not hold that; run ishango explore to see it.");
}

// The engine of the playground comes with the page, so that any system can be built; it knows the paper's grammars.
function described(asked) {
  const { grammar, need } = asked;
  const known = address("api/presets", { grammar, need }) in snapshot.answers;
  return known ? globalThis.ishango.describeSystem(asked, snapshot.answers[address("api/languages", {})]) : null;
}

/**
 * @template {keyof import("./schema.d.ts").Answers} Path
 * @param {Path} path
 * @param {object} body
 * @returns {Promise<import("./schema.d.ts").Answers[Path]>}
 */
export function post(path, body) {
  return answer(
    fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  );
}

async function answer(request) {
  let response;
  try {
    response = await request;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The server does not answer; start ishango explore again.");
  }
  const body = await response.json();
  if (!response.ok) throw new Refusal(body.error);
  return body;
}
