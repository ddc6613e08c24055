import { get, type IncomingMessage } from "node:http";

import type { Page } from "puppeteer-core";

import { openPage, startBrowser } from "../../support/browser";
import type { TestPlatform } from "../../support/platform";
import { withPlatformProcess } from "../../support/platform-process";
import { numbersBelow } from "../lanes";
import type { Row, Run } from "../row";
import { median } from "../statistics";
import { cpuOf } from "../usage";

const openPages = 20;
/** What each branch gets: its creation, and the starts and suspensions of its compute. */
const operationsOfBranch = 4;
const client = { "user-agent": "neon-pulumi (bench)" };

/** Sends a change that has to succeed, as soon as the project is free. */
async function change(platform: TestPlatform, path: string, body?: unknown): Promise<string> {
  for (;;) {
    const answer = await platform.call("POST", path, body, { unchecked: true, headers: client });
    if (answer.status < 300) return (answer.body as { endpoints?: { id: string }[] }).endpoints?.[0]?.id ?? "";
    if (answer.status !== 423) throw new Error(`POST ${path}: ${answer.status}`);
  }
}

/** Makes a project with so many branches, each with its operations. */
async function fill(platform: TestPlatform, branches: number): Promise<void> {
  const { project } = await platform.project({ name: "home" });
  const at = `/projects/${project.id}`;
  for (const index of numbersBelow(branches)) {
    const body = { branch: { name: `pr-${index}` }, endpoints: [{ type: "read_write" }] };
    const endpoint = await change(platform, `${at}/branches`, body);
    for (const verb of ["suspend", "start"]) await change(platform, `${at}/endpoints/${endpoint}/${verb}`);
  }
}

/** Milliseconds until the whole answer has arrived, and its size. */
async function answerOf(url: string, rounds: number): Promise<{ readonly ms: number; readonly kilobytes: number }> {
  const times: number[] = [];
  let length = 0;
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    const response = await fetch(url);
    length = (await response.arrayBuffer()).byteLength;
    if (!response.ok) throw new Error(`GET ${url}: ${response.status}`);
    times.push(performance.now() - began);
  }
  return { ms: median(times), kilobytes: length / 1000 };
}

async function firstPaint(page: Page): Promise<number> {
  const paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
  return Number(await (await page.waitForFunction(paint)).jsonValue());
}

/** Shows the page in a browser, and goes to the last branch with the keyboard. */
async function show(url: string, rounds: number): Promise<{ readonly paint: number; readonly end: number }> {
  const browser = await startBrowser();
  if (typeof browser === "string") throw new Error(browser);
  try {
    const [paints, ends]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      const { page } = await openPage(browser);
      await page.goto(url);
      await page.waitForSelector(".connection.live");
      paints.push(await firstPaint(page));
      await page.focus(".list-row[tabindex='0']");
      const began = performance.now();
      await page.keyboard.press("End");
      await page.waitForFunction(
        "document.activeElement.getAttribute('aria-rowindex') === document.querySelector('[role=treegrid]').getAttribute('aria-rowcount')",
      );
      ends.push(performance.now() - began);
      await page.close();
    }
    return { paint: median(paints), end: median(ends) };
  } finally {
    await browser.close();
  }
}

/** The share of a core that a platform uses for open pages while nothing happens. */
async function idle(pid: number, consoleUrl: string, milliseconds: number): Promise<number> {
  const streams = await Promise.all(
    numbersBelow(openPages).map(
      () =>
        new Promise<IncomingMessage>((resolve, reject) => {
          get(`${consoleUrl}/console/events`, (answer) => resolve(answer.resume())).once("error", reject);
        }),
    ),
  );
  const before = cpuOf(pid);
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const used = cpuOf(pid) - before;
  for (const stream of streams) stream.destroy();
  return (100 * used) / milliseconds;
}

async function measureConsole(run: Run) {
  const branches = run.size(5_000, 20);
  return await withPlatformProcess(["--operation-time", "0"], async ({ platform, pid }) => {
    const { consoleUrl } = platform.platform;
    run.say(`${branches} branches with ${branches * operationsOfBranch} operations`);
    await fill(platform, branches);
    const rounds = run.size(5, 1);
    const shown = await show(consoleUrl, rounds);
    return {
      branches,
      branchesPage: await answerOf(`${consoleUrl}/`, rounds),
      operationsPage: await answerOf(`${consoleUrl}/operations`, rounds),
      timelinePage: await answerOf(`${consoleUrl}/timeline`, rounds),
      ...shown,
      idle: await idle(pid, consoleUrl, run.size(60_000, 200)),
    };
  });
}

export const consolePage: Row = {
  name: "console",
  title: "The console of the local platform",
  compares: `A project with 5,000 branches and 20,000 operations, in the console of a local platform: the time until a page has
arrived as a whole; the time until a headless Chromium has painted it first, and until the key End has led to the last
branch; and the share of a core that the platform uses in a minute in which 20 pages are open and nothing happens.`,
  measuresTime: true,
  measure: async (run) => {
    const measured = await measureConsole(run);
    const { branches, branchesPage, operationsPage, timelinePage, paint, end } = measured;
    const page = `page of ${branches} branches`;
    return {
      figures: [
        { title: `${page}: answer`, value: branchesPage.ms, unit: "ms", atMost: 1_000 },
        { title: `${page}: first paint in a browser`, value: paint, unit: "ms" },
        { title: `${page}: to the last branch`, value: end, unit: "ms", atMost: 1_000 },
        {
          title: `page of ${branches * operationsOfBranch} operations: answer`,
          value: operationsPage.ms,
          unit: "ms",
          atMost: 1_000,
        },
        { title: "page of the timeline of their run: answer", value: timelinePage.ms, unit: "ms" },
        { title: `${openPages} open pages: share of a core`, value: measured.idle, unit: "%", atMost: 5 },
      ],
      comparison: {
        heads: ["page", "answer", "size"],
        lines: Object.entries({ branches: branchesPage, operations: operationsPage, timeline: timelinePage }).map(
          ([name, { ms, kilobytes }]) => [name, `${ms.toFixed(0)} ms`, `${kilobytes.toFixed(0)} kB`],
        ),
      },
    };
  },
};
