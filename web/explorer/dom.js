// Elements from a tag, properties and children. Text is always text: nothing here is parsed as markup.

export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// The same for drawings.
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  element.append(...children.flat());
  return element;
}

export function replace(element, ...children) {
  element.replaceChildren(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
}

let spoken = 0;

// Said to who cannot see the page; a moment later, so that quick changes are said once.
export function announce(text) {
  clearTimeout(spoken);
  spoken = setTimeout(() => {
    document.getElementById("status").textContent = text;
  }, 250);
}

// What was said of one view is not true of another.
export function hush() {
  clearTimeout(spoken);
  document.getElementById("status").textContent = "";
}

// When what was changed can be seen, or soon after where nobody looks: work that takes long waits for that.
export function painted() {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });
}

export function heading(title, text) {
  return h("div", { class: "heading" }, h("h1", {}, title), h("p", { class: "lead" }, text));
}

// A table that may be wider or longer than its place: keys scroll it too.
export function scrolling(label, ...children) {
  return h("div", { class: "scroll", role: "region", "aria-label": label, tabIndex: 0 }, ...children);
}

// Where there are more runs than are read: nobody should take some for all.
export function cutShort(limit) {
  return limit === null || limit === undefined
    ? null
    : `Only the first ${limit.toLocaleString("en")} runs, by name, are read: there are more below this directory. Start ishango explore in a directory further down to see the others.`;
}

// "1 run", "2 runs", "1,000 runs".
export function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

// Kinds: a note, a warning (something is missing), an error (something went wrong).
export function notice(text, kind = "note") {
  return h(
    "p",
    { class: kind === "note" ? "notice" : `notice ${kind}`, role: kind === "error" ? "alert" : undefined },
    text,
  );
}
