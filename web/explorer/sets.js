// Sets of words as they stand in links and on the command line: 1-9,11.

export function parseSet(text, largest) {
  const words = new Set();
  for (const part of (text || "").split(",")) {
    const match = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part.trim());
    if (!match) continue;
    const last = Math.min(Number(match[2] ?? match[1]), largest);
    for (let word = Math.max(1, Number(match[1])); word <= last; word++) words.add(word);
  }
  return sorted(words);
}

// Three or more in a row become a stretch.
export function formatSet(words) {
  const stretches = [];
  for (const word of sorted(words)) {
    const last = stretches.at(-1);
    if (last && last.at(-1) === word - 1) last.push(word);
    else stretches.push([word]);
  }
  return stretches.map((each) => (each.length > 2 ? `${each[0]}-${each.at(-1)}` : each.join(","))).join(",") || "none";
}

export function spaced(words) {
  return formatSet(words).replaceAll(",", ", ").replaceAll("-", "–");
}

export function sorted(words) {
  return [...new Set(words)].sort((a, b) => a - b);
}
