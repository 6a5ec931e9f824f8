// The page begins: story, playground, and what is said when something is missing.

import { makeApp } from "./app.ts";
import { announce, byId, h, still } from "./dom.ts";
import { Playground } from "./playground.ts";
import { people } from "./steps/people.ts";
import { children, prices } from "./steps/takes.ts";
import { ten } from "./steps/ten.ts";
import { turn } from "./steps/turn.ts";
import { wall } from "./steps/wall.ts";
import { why } from "./steps/why.ts";
import { costOfWords, sixWords } from "./steps/words.ts";

const STEPS = 8;

/** Links to the documentation lead there where it lies beside the page; else its file is named. */
function linkDocs(): void {
  const root = document.documentElement.dataset.docs ?? "";
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-doc]")) {
    const page = link.dataset.doc ?? "";
    if (root) link.href = `${root}${page}.html`;
    else if (link.closest("nav")) link.remove();
    else link.replaceWith(link.textContent ?? "", ": ", h("span", { class: "source" }, `docs/${page}.md`));
  }
}

/** The steps beside the story; the one that is read is marked, and stands in the address. */
function follow(app: ReturnType<typeof makeApp>): void {
  const progress = byId("progress");
  const links = Array.from({ length: STEPS }, (_, i) => {
    const title = byId(`title-${i + 1}`).textContent ?? "";
    return h("a", { href: `#step=${i + 1}`, title, "aria-label": `Step ${i + 1}: ${title}` }, i + 1);
  });
  progress.append(...links);
  const mark = (step: number): void => {
    links.forEach((link, i) => {
      if (i + 1 === step) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    });
  };
  mark(app.state.step);
  const watch = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting || byId("story").hidden) continue;
        const step = Number(entry.target.id.replace("step-", ""));
        mark(step);
        app.change({ step });
      }
    },
    { rootMargin: "-45% 0px -50% 0px" },
  );
  for (let step = 1; step <= STEPS; step++) {
    const section = byId(`step-${step}`);
    section.tabIndex = -1;
    watch.observe(section);
    if (step < STEPS)
      section.append(
        h(
          "p",
          { class: "more" },
          h("a", { class: "button", href: `#step=${step + 1}` }, `Next: ${byId(`title-${step + 1}`).textContent}`),
        ),
      );
  }
}

function goTo(step: number, smooth: boolean): void {
  const section = byId(`step-${step}`);
  section.scrollIntoView({ behavior: smooth && !still() ? "smooth" : "auto", block: "start" });
  section.focus({ preventScroll: true });
}

function begin(): void {
  const app = makeApp();
  linkDocs();
  document.body.classList.add("story-ready");
  const mount = (name: string, make: () => void | Promise<void>): void => {
    const fail = (problem: unknown): void => {
      console.error(problem);
      app.problem(
        `${name} does not work in this browser (${problem instanceof Error ? problem.message : problem}). The text can still be read.`,
      );
    };
    try {
      const made = make();
      if (made instanceof Promise) made.catch(fail);
    } catch (problem) {
      fail(problem);
    }
  };
  mount("Step 1", () => sixWords(app));
  mount("Step 2", () => costOfWords(app));
  mount("Step 3", () => wall(app));
  mount("Step 4", () => people(app));
  mount("Step 5", () => why(app));
  mount("Step 6", () => prices(app));
  mount("Step 6", () => children(app));
  mount("Step 7", () => ten(app));
  mount("Step 8", () => turn(app));
  follow(app);
  let playground: Playground | null = null;
  let first = true;
  app.onView((view) => {
    const isPlayground = view === "playground";
    byId("story").hidden = isPlayground;
    byId("progress").hidden = isPlayground;
    byId("playground").hidden = !isPlayground;
    document.title = isPlayground ? "Playground · Ishango" : "Count with me · Ishango";
    for (const link of document.querySelectorAll("header nav a[data-view]")) {
      if (link.getAttribute("data-view") === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (isPlayground) {
      mount("The playground", () => {
        playground ??= new Playground(app);
        playground.open();
        if (!first) {
          scrollTo(0, 0);
          byId("main").focus({ preventScroll: true });
          announce("Playground");
        }
      });
    } else {
      playground?.close();
      if (!first || app.state.step > 1) goTo(app.state.step, !first);
    }
    first = false;
  });
  document.documentElement.dataset.ready = "";
}

begin();
