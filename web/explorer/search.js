// Which languages a text finds.

// Those whose name, code, family or area has the text; names that begin with it first. Case and accents do not matter.
export function search(languages, text) {
  const wanted = plain(text);
  if (!wanted) return [];
  const rank = (each) => {
    const name = plain(each.name);
    if (name === wanted || each.glottocode === wanted) return 0;
    if (name.startsWith(wanted)) return 1;
    if (name.includes(wanted)) return 2;
    return [each.family, each.area].some((other) => plain(other).startsWith(wanted)) ? 3 : 4;
  };
  const found = languages.map((each) => ({ each, place: rank(each) })).filter(({ place }) => place < 4);
  return found.sort((one, other) => one.place - other.place).map(({ each }) => each);
}

function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();
}
