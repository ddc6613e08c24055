import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suiteBrowser } from "../support/browser";
import { suitePlatform } from "../support/platform";
import { suiteStacks } from "../support/stack";

const names = ["a", "b", "c", "d", "e"];

/** A project with five branches, and a role in each of them and in the default one: twelve resources. */
const program = `
  const project = new neon.Project("watched", { name: "watched" });
  const roleOf = (name, branchId) => new neon.Role("role-" + name, { projectId: project.id, branchId, name: "role_" + name });
  roleOf("main", project.defaultBranchId);
  for (const name of ${JSON.stringify(names)}) {
    const branch = new neon.Branch(name, { projectId: project.id, name: "watched-" + name, compute: {} });
    roleOf(name, branch.branchId);
  }
`;

describe("programs: a run that is watched in the console", function () {
  this.timeout(900_000);
  const openPage = suiteBrowser();
  const platform = suitePlatform({ operationTime: "50ms" });
  const newStack = suiteStacks();

  it("shows each branch before the run ends, a bar for each operation, and faults that are set on the page", async () => {
    const { page, problems, foreign } = await openPage();
    const stack = await newStack({ platform: platform(), program });
    await page.goto(platform().platform.consoleUrl);
    await page.waitForSelector(".connection.live");
    // Record when each name is shown first.
    await page.evaluate(`
      globalThis.shownAt = {};
      new MutationObserver(() => {
        for (const row of document.querySelectorAll(".list-row .name")) globalThis.shownAt[row.textContent] ??= Date.now();
      }).observe(document.body, { childList: true, subtree: true });
    `);
    await stack.up();
    const ended = Date.now();
    const shownAt = (await page.evaluate("globalThis.shownAt")) as Readonly<Record<string, number>>;
    const { projects } = (await platform().call("GET", "/projects?search=watched")).body;
    const projectId = projects[0]?.id ?? "";
    const { operations } = (await platform().call("GET", `/projects/${projectId}/operations?limit=1000`)).body;
    for (const name of names) assert.ok((shownAt[`watched-${name}`] ?? Infinity) <= ended, name);

    await page.goto(`${platform().platform.consoleUrl}/timeline`);
    await page.waitForSelector("rect[data-kind=operation]");
    const bars = (await page.evaluate(
      "[...document.querySelectorAll('rect[data-kind=operation]')].map((bar) => Number(bar.dataset.ms))",
    )) as number[];
    assert.equal(bars.length, operations.length);
    const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
    const [drawn, listed] = [sum(bars), sum(operations.map(({ total_duration_ms: ms }) => ms))];
    assert.ok(Math.abs(drawn - listed) <= listed * 0.01, `${drawn} and ${listed}`);

    await page.goto(`${platform().platform.consoleUrl}/faults`);
    await page.waitForSelector(".connection.live");
    await page.select("section select", "create_branch");
    await page.click("input[role=switch]");
    await page.waitForFunction("document.querySelector('h2').textContent.includes('Pending (1)')");
    stack.write(`${program}; new neon.Branch("late", { projectId: project.id, name: "late" });`);
    const { text } = await stack.failing("up");
    assert.match(text, /create_branch did not succeed \(a scripted fault\)/);
    assert.deepEqual(problems, []);
    assert.deepEqual(foreign, []);
    await stack.destroy();
  });
});
