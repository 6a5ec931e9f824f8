// The runs below the directory, live: by study, or one by one.

import { snapshot } from "./api.js";
import {
  agentsAndDrift,
  grouped,
  holds,
  matching,
  nested,
  options,
  sortedGroups,
  sortedRuns,
  study,
  telling,
  toggled,
  varying,
} from "./bench.js";
import { decimals } from "./controls.js";
import { csv } from "./csv.js";
import { announce, counted, cutShort, h, heading, notice, replace } from "./dom.js";
import { Filters } from "./filters.js";
import { address, read, turned, usual } from "./list_state.js";
import { listen } from "./live.js";
import { link } from "./route.js";
import { groupRow, runRow } from "./rows.js";
import { download } from "./saving.js";
import { stopAsking } from "./sparkline.js";
import { KeyedTable, pageOf, pager } from "./tables.js";
import { waiting } from "./waiting.js";

export const title = "Runs";
const TEXT =
  "Runs lie in directories; below each stand its conditions, their starts and the runs, which then differ in nothing but their seed. The gap says how far a lexicon ended above the best that any of its size can be: 0 is the frontier itself. Runs that " +
  "ishango evolve, generations or sweep write appear here while they are played.";
const STUDIES = 50,
  RUNS = 50,
  INNER = 25,
  MOST_COLUMNS = 5,
  MOST_BESIDE = 3,
  MOST = 4,
  SOONEST = 700;

export function show(main, { fields }) {
  const view = new List(main, read(fields));
  const stop = listen((news) => view.news(news));
  return () => {
    stop();
    view.close();
  };
}

class List {
  state;
  chosen;

  constructor(main, state) {
    Object.assign(this, { state, runs: [], timer: 0, drawn: 0, chosen: new Set() });
    this.filters = new Filters((change, typed) => this.go({ ...change, page: 1 }, typed));
    this.said = h("div", {});
    this.cut = h("div", {});
    this.nearest = h("section", { class: "card nearestruns", "aria-label": "Nearest the frontier", hidden: true });
    this.versus = h("p", { class: "versus", hidden: true });
    this.switch = h("div", { class: "row lists", role: "group", "aria-label": "List" });
    this.tables = { studies: new KeyedTable("runs studies", "Studies"), runs: new KeyedTable("runs", "Runs") };
    this.inner = new Map();
    this.pages = h("div", {});
    this.box = h("div", { class: "scroll" });
    this.bar = h("div", { class: "comparebar", role: "status", hidden: true });
    this.card = h(
      "section",
      { class: "card", "aria-label": "All runs" },
      this.filters.element,
      this.switch,
      this.box,
      this.pages,
    );
    main.append(heading(title, TEXT), this.said, this.cut, this.versus, this.nearest, this.card, this.bar);
    waiting(this.said, { heard: false }, this.card);
  }

  news(news) {
    this.runs = news.runs;
    const isShown = waiting(this.said, news, this.card);
    const cut = isShown ? cutShort(news.limit) : null;
    replace(this.cut, cut ? notice(cut) : []);
    if (!isShown) this.nearest.hidden = this.versus.hidden = true;
    else if (news.first || !this.drawn) this.draw();
    else this.soon();
  }

  // Runs may change many times a second; the list need not follow each.
  soon() {
    this.timer ||= setTimeout(() => this.draw(), Math.max(0, this.drawn + SOONEST - performance.now()));
  }

  go(change, typed = false) {
    Object.assign(this.state, change);
    history[typed ? "replaceState" : "pushState"](null, "", address(this.state));
    this.draw();
  }

  draw() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.drawn = performance.now();
    const { state } = this,
      found = matching(this.runs, state);
    const studies = [...new Map(found.map((run) => [run.study, study(run)])).values()].filter((each) => each.id);
    const everything = [...new Map(this.runs.map((run) => [run.study, study(run)])).values()].filter((each) => each.id);
    this.filters.draw(this.runs, state, options(everything));
    this.drawNearest(found);
    this.drawVersus();
    const fields = telling(studies, varying(studies)),
      shown = fields.slice(0, MOST_COLUMNS);
    if (state.list === "runs") this.drawRuns(found, ["who", ...shown.slice(0, MOST_BESIDE)]);
    else this.drawStudies(found);
    this.drawSwitch(found, fields, studies.length);
    this.drawBar();
    this.card.dataset.found = String(found.length);
  }

  drawSwitch(found, fields, studies) {
    const one = (list, words) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(this.state.list === list),
          onclick: () => this.go({ list, sort: usual(list), page: 1, open: [] }),
        },
        words,
      );
    const key = JSON.stringify([this.state.list, found.length, studies, fields]);
    this.found = [found, fields];
    if (key === this.switchKey) return;
    this.switchKey = key;
    const hidden = fields.length - MOST_COLUMNS;
    replace(
      this.switch,
      one("studies", "By directory"),
      one("runs", `One by one (${found.length.toLocaleString("en")})`),
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          onclick: () => download("runs.csv", new Blob([csv(...this.found)], { type: "text/csv" })),
        },
        "Save as CSV",
      ),
      hidden > 0
        ? h(
            "span",
            { class: "note" },
            `${hidden} more ${hidden === 1 ? "field varies" : "fields vary"}: in the CSV, and to filter by.`,
          )
        : null,
    );
    announce(`${counted(found.length, "run")} in ${counted(studies, "condition")}, seeds aside.`);
  }

  drawStudies(found) {
    const { state } = this,
      groups = sortedGroups(nested(grouped(found)), state.sort);
    const columns = [
      ["study", "directory, condition, start", true],
      ["n", "runs", true],
      ["progress", "progress", true],
      ["gap", "median gap (middle half)", true],
      ["way", "the way they went", false],
    ];
    const rows = pageOf(groups, STUDIES, state.page).flatMap((group) => this.branch(group, 0, [], columns.length));
    this.tables.studies.draw(columns, rows, state.sort, (key) => this.go({ sort: turned(state.sort, key), page: 1 }));
    this.place(this.tables.studies, groups.length, STUDIES, "directories", found.length);
  }

  // The row of a group and, where it is open, those below it.
  branch(group, level, parents, columns) {
    const { state } = this,
      isOpen = holds(group, state.open);
    const row = groupRow(group, level, isOpen, () =>
      this.go({
        open: [...new Set([...toggled(group, state.open), ...(isOpen ? parents.slice(-1) : [])])],
        inner: 1,
      }),
    );
    if (!isOpen) return [row];
    if (!group.children.length) return [row, this.opened(group, columns)];
    return [
      row,
      ...sortedGroups(group.children, state.sort).flatMap((each) =>
        this.branch(each, level + 1, [...parents, group.id], columns),
      ),
    ];
  }

  // The runs of the study that is open, below its row.
  opened(group, columns) {
    const { state } = this,
      list = sortedRuns(group.runs, "gap");
    const inner = this.inner.get(group.id) ?? {
      table: new KeyedTable("runs", "Runs of the study"),
      row: h("tr", { class: "inner" }),
    };
    this.inner.set(group.id, inner);
    inner.table.draw(
      this.runColumns([], false, list),
      pageOf(list, INNER, state.inner).map((run) => this.row(run, [])),
      "",
      () => {},
    );
    replace(
      inner.row,
      h(
        "td",
        { colspan: String(columns) },
        h(
          "div",
          { class: "innerbox" },
          inner.table.element,
          pager(list.length, INNER, state.inner, (inner) => this.go({ inner }), "runs"),
        ),
      ),
    );
    return [`${group.id}:runs`, "open", () => inner.row];
  }

  drawRuns(found, fields) {
    const { state } = this,
      list = sortedRuns(found, state.sort);
    this.tables.runs.draw(
      this.runColumns(fields, true, list),
      pageOf(list, RUNS, state.page).map((run) => this.row(run, fields)),
      state.sort,
      (key) => this.go({ sort: turned(state.sort, key), page: 1 }),
    );
    this.place(this.tables.runs, list.length, RUNS, "runs", found.length);
  }

  runColumns(fields, sortable, runs = []) {
    // Learners of one system play no games.
    const won = [...new Set(runs.map((run) => study(run).won).filter(Boolean))];
    const one = (key, words) => [key, words, sortable];
    return [
      ["", "", false],
      one("run", "run"),
      one("state", "state"),
      ...fields.map((field) => one(field, field === "who" ? "who decides" : field)),
      one("seed", "seed"),
      one("round", "round"),
      one("size", "size"),
      one("cost", "average"),
      one("gap", "gap"),
      one("won", won.join(" / ") || "games won"),
      one("understood", "understood"),
      ["messages", "messages", false],
      ["", "", false],
    ];
  }

  row(run, fields) {
    return runRow(
      run,
      fields,
      this.chosen.has(run.name),
      (name, isChosen) => this.choose(name, isChosen),
      this.runColumns(fields, true).length,
    );
  }

  place(table, count, size, what, found) {
    const content = found
      ? table.element
      : h(
          "p",
          { class: "nothing" },
          "No run is like that. ",
          h("button", { type: "button", onclick: () => this.go({ text: "", filters: {}, page: 1 }) }, "Show all"),
        );
    if (this.box.firstChild !== content) replace(this.box, content);
    const key = `${count} ${this.state.page} ${what}`;
    if (key !== this.pagesKey)
      replace(
        this.pages,
        pager(
          count,
          size,
          this.state.page,
          (page) => {
            this.go({ page });
            this.card.scrollIntoView();
          },
          what,
        ),
      );
    this.pagesKey = key;
  }

  // What the paper asks first: agents held against drift. And who has no run yet finds where to start one.
  drawVersus() {
    const pair = snapshot ? null : agentsAndDrift(this.runs),
      key = JSON.stringify([pair, this.runs.length > 0]);
    if (key === this.versusKey) return;
    this.versusKey = key;
    this.versus.hidden = snapshot !== null;
    replace(
      this.versus,
      pair
        ? h(
            "a",
            { class: "button small", href: link({ compare: pair.map((run) => run.name), groups: "starts" }) },
            "Agents against drift, from the same starts",
          )
        : null,
      h("a", { class: "button small", href: "#view=builder&launch=yes" }, "Start a run"),
    );
  }

  // Whoever comes to talk finds whom to talk to.
  drawNearest(found) {
    const best = sortedRuns(
      found.filter((run) => run.can_talk && run.gap !== null),
      "gap",
    ).slice(0, 3);
    this.nearest.hidden = !best.length;
    const key = JSON.stringify(best);
    if (key === this.nearestKey) return;
    this.nearestKey = key;
    replace(
      this.nearest,
      h("h2", {}, "Agents one can talk to, nearest the frontier first"),
      h(
        "p",
        { class: "note" },
        "Those of Algorithm 1 whose checkpoint is there, under any grammar. The gap tells of the lexicon, not of how well they understand each other.",
      ),
      h(
        "ol",
        {},
        best.map((run) =>
          h(
            "li",
            {},
            h("a", { href: link({ run: run.name }), class: "set" }, run.title),
            h(
              "span",
              { class: "note" },
              ` gap ${decimals(run.gap, 4)}, size ${run.size}${run.state === "done" ? "" : `, ${run.state}`} `,
            ),
            h(
              "a",
              {
                class: "button small",
                href: link({ talk: run.name }),
                "aria-label": `Talk to the agents of ${run.name}`,
              },
              "Talk to them",
            ),
          ),
        ),
      ),
    );
  }

  choose(name, isChosen) {
    if (isChosen) this.chosen.add(name);
    else this.chosen.delete(name);
    this.draw();
  }

  drawBar() {
    const names = [...this.chosen];
    this.bar.hidden = !names.length;
    replace(
      this.bar,
      h(
        "span",
        {},
        names.length < 2
          ? "One run is chosen; choose another to compare."
          : names.length > MOST
            ? `${names.length} runs are chosen; at most ${MOST} can be compared.`
            : `${names.length} runs are chosen.`,
      ),
      names.length >= 2 && names.length <= MOST
        ? h(
            "a",
            { class: "button", href: `#${names.map((name) => `compare=${encodeURIComponent(name)}`).join("&")}` },
            "Lay them over each other",
          )
        : null,
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          onclick: () => {
            this.chosen.clear();
            this.draw();
          },
        },
        "Choose none",
      ),
    );
  }

  close() {
    clearTimeout(this.timer);
    stopAsking();
  }
}
