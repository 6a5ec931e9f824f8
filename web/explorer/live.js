// News of runs: one connection for the page, however many views listen.

import { get, snapshot } from "./api.js";

const AGAIN = 4000;
const listeners = new Set();
const runs = new Map();
const studies = new Map();
// What is known: nothing yet, how far the first reading has come, everything (or only so many runs, the limit), or that nobody
// answers (and since when).
const state = { heard: false, reading: null, goneAt: null, limit: null };
let source = null;
let timer = 0;

// Calls back with {runs, changed, first, reading, goneAt, limit} now, if anything is known, and at every change; returns how to
// stop that.
export function listen(callback) {
  listeners.add(callback);
  if (state.heard || state.reading || state.goneAt) callback(told([], true));
  connect();
  return () => {
    listeners.delete(callback);
  };
}

// The study that a run is of; none for one whose config cannot be read.
export function studyOf(run) {
  return studies.get(run.study) ?? null;
}

// A browser keeps few connections to one host: pages that nobody looks at give theirs back.
document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
addEventListener("pagehide", disconnect);
addEventListener("pageshow", connect);

function disconnect() {
  clearTimeout(timer);
  source?.close();
  source = null;
}

async function connect() {
  if (source || !listeners.size || (snapshot && state.heard)) return;
  if (snapshot) {
    take({ ...(await get("api/bench")), all: true });
    return;
  }
  const mine = new EventSource("api/events");
  source = mine;
  mine.addEventListener("reading", (event) => {
    found();
    state.reading = JSON.parse(event.data);
    tell([]);
  });
  mine.addEventListener("runs", (event) => {
    found();
    take(JSON.parse(event.data));
  });
  mine.addEventListener("error", () => lost(mine));
}

function found() {
  state.goneAt = null;
}

// The browser tries again by itself, unless it was refused; then it is tried here.
function lost(mine) {
  if (mine !== source) return;
  if (!state.goneAt) {
    state.goneAt = new Date();
    tell([]);
  }
  if (mine.readyState !== EventSource.CLOSED) return;
  disconnect();
  timer = setTimeout(connect, AGAIN);
}

function take({ changed, gone, studies: newer, limit, all }) {
  const first = !state.heard;
  state.heard = true;
  state.reading = null;
  state.limit = limit;
  // A connection begins with all runs: what went away while there was none must not stay.
  if (all) runs.clear();
  for (const name of gone) runs.delete(name);
  for (const each of newer) studies.set(each.id, each);
  for (const each of changed) runs.set(each.name, each);
  tell([...changed.map((run) => run.name), ...gone], first);
}

function tell(changed, first = !state.heard) {
  for (const each of listeners) each(told(changed, first));
}

function told(changed, first) {
  return { runs: state.heard ? [...runs.values()] : [], changed, first, ...state };
}
