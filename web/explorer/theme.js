// Light or dark: as the system says until the switch says otherwise; remembered.

const KEY = "ishango-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set();

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

// Calls back when the look changes; returns how to stop that.
export function onTheme(callback) {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

export function setUpSwitch(button) {
  const remembered = read();
  if (remembered) document.documentElement.dataset.theme = remembered;
  const draw = () => {
    button.textContent = isDark() ? "☀" : "☾";
    button.setAttribute("aria-label", isDark() ? "Switch to light" : "Switch to dark");
    button.title = isDark() ? "Light" : "Dark";
  };
  const changed = () => {
    draw();
    for (const each of listeners) each();
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    write(document.documentElement.dataset.theme);
    changed();
  });
  system.addEventListener("change", changed);
  draw();
}

// A page opened from a file may have no storage.
function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function write(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    /* not remembered, then */
  }
}
