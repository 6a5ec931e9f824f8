// What the plane shows as one tidy table for a spreadsheet or a script: a row for each thing and each stay of a run.

import { bandsUpTo, staysOf } from "./medians.js";

// `round`: the one that is looked at, which is what medians and bands are of.
export function planeRows({ tables, titles, rounds, proved }, round = Infinity) {
  const at = ({ x, y }) => ({ [titles.x]: x, [titles.y]: y });
  const words = ({ digits, multipliers }) => ({ D: digits, M: multipliers });
  const until = Math.min(round, rounds ?? 0);
  return [
    ...tables.frontier.map((row) => ({
      what: row.proved === false ? "best known" : "proved optimum",
      ...at(row),
      ...words(row),
    })),
    ...(proved ? tables.bound.map((row) => ({ what: "least possible", ...at(row) })) : []),
    ...tables.languages.map((row) => ({
      what: "languages",
      name: row.names,
      languages: row.languages,
      ...at(row),
      ...words(row),
    })),
    ...tables.paths.flatMap((run) => stays(run, tables.lexicons, at, words)),
    ...bandsUpTo(staysOf(tables.paths), round).flatMap((row) =>
      ["low", "median", "high"].map((name) => ({
        what: { low: "lower quartile", median: "median", high: "upper quartile" }[name],
        group: row.group,
        "to round": until,
        ...at({ x: row.x, y: row[name] }),
      })),
    ),
  ];
}

function stays(run, lexicons, at, words) {
  return run.lexicon.flatMap((lexicon, i) =>
    lexicon === null
      ? []
      : [
          {
            what: "run",
            name: run.run,
            group: run.group,
            start: run.start,
            "from round": run.round[i],
            "to round": Math.min(run.until[i] - 1, run.last),
            ...at({ x: run.x[i], y: run.y[i] }),
            ...words(lexicons[lexicon]),
          },
        ],
  );
}
