// News of runs: one connection for the page, however many views listen.

import { get, snapshot } from "./api.js";

const listeners = new Set();
const runs = new Map();
let source = null;
let heard = false;

// Calls back with {runs, changed, first} now, if anything is known, and at every change; returns how to stop that.
export function listen(callback) {
  listeners.add(callback);
  if (heard) callback({ runs: all(), changed: [], first: true });
  connect();
  return () => { listeners.delete(callback); };
}

// A browser keeps few connections to one host: pages that nobody looks at give theirs back.
document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
addEventListener("pagehide", disconnect);
addEventListener("pageshow", connect);

function disconnect() {
  source?.close();
  source = null;
}

async function connect() {
  if (source || !listeners.size || (snapshot && heard)) return;
  if (snapshot) {
    take({ changed: await get("api/runs"), gone: [] });
    return;
  }
  source = new EventSource("api/events");
  // A connection begins with all runs: what went away while there was none must not stay.
  let begins = true;
  source.addEventListener("open", () => { begins = true; });
  source.addEventListener("runs", (event) => {
    if (begins) runs.clear();
    begins = false;
    take(JSON.parse(event.data));
  });
}

function take({ changed, gone }) {
  const first = !heard;
  heard = true;
  for (const name of gone) runs.delete(name);
  for (const each of changed) runs.set(each.name, each);
  for (const each of listeners) each({ runs: all(), changed: [...changed.map((run) => run.name), ...gone], first });
}

function all() {
  return [...runs.values()].sort((a, b) => b.updated - a.updated || a.name.localeCompare(b.name));
}
