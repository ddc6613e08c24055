import { source as axeSource } from "axe-core";
import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import type { Page } from "puppeteer-core";

import { suiteBrowser, type TestPage } from "../../../tests/support/browser";
import { startTestPlatform, suitePlatform } from "../../../tests/support/platform";
import { makeFastFolder, testPostgres } from "../../../tests/support/postgres-files";

const provider = { "user-agent": "neon-pulumi (node 22.12.0; linux x64)" };

describe("local platform: console in a browser", () => {
  const openPage = suiteBrowser();
  const platform = suitePlatform({ operationTime: "50ms", postgres: testPostgres() });
  let projectId = "";
  let branchId = "";
  before(async () => {
    const created = await platform().project({ name: "shop", branch: { name: "main" } });
    projectId = created.project.id;
    branchId = created.branch.id;
  });

  const open = async (path: string, look = {}): Promise<TestPage> => {
    const opened = await openPage(look);
    await opened.page.goto(platform().platform.consoleUrl + path);
    await opened.page.waitForSelector(".connection.live");
    return opened;
  };
  const close = async ({ page, problems, foreign }: TestPage): Promise<void> => {
    assert.deepEqual(problems, []);
    assert.deepEqual(foreign, []);
    await page.close();
  };
  /** Waits until the page shows a text. */
  const shows = (page: Page, text: string, selector = "body") =>
    page.waitForFunction(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => each.textContent.includes(${JSON.stringify(text)}))`,
      { polling: "mutation" },
    );
  const chord = async (page: Page, modifier: "Control", key: "a" | "Enter" | " "): Promise<void> => {
    await page.keyboard.down(modifier);
    await page.keyboard.press(key);
    await page.keyboard.up(modifier);
  };
  const typeSql = async (page: Page, sql: string): Promise<void> => {
    await page.waitForSelector(".cm-content");
    await page.focus(".cm-content");
    await chord(page, "Control", "a");
    await page.keyboard.type(sql);
  };

  it("shows a branch that is created elsewhere, without a reload", async () => {
    const opened = await open("/");
    const { page } = opened;
    await page.evaluate("globalThis.isTheSamePage = true");
    const shown = shows(page, "made-elsewhere", ".list-row");
    await platform().call("POST", `/projects/${projectId}/branches`, { branch: { name: "made-elsewhere" } });
    await shown;
    assert.equal(await page.evaluate("globalThis.isTheSamePage"), true);
    await platform().settled(projectId);
    await shows(page, "Create branch made-elsewhere", ".operation-rows li");
    await close(opened);
  });

  it("runs SQL: several statements, their types, an error with its place, a plan, and a completion", async () => {
    const opened = await open(`/sql?branch=${branchId}`);
    const { page } = opened;
    await typeSql(page, "select 6*7 as answer");
    await chord(page, "Control", "Enter");
    await shows(page, "42", ".result td");
    await shows(page, "integer", ".result th");
    await typeSql(page, "create table orders (id int primary key, note text); select ';' as text;");
    await chord(page, "Control", "Enter");
    await shows(page, ";", ".result td");
    await shows(page, "orders", ".schema summary");
    await typeSql(page, "select ord");
    await chord(page, "Control", " ");
    await shows(page, "orders", ".cm-tooltip-autocomplete li");
    await page.keyboard.press("Escape");
    await typeSql(page, "select 1;\nselect * form orders");
    await chord(page, "Control", "Enter");
    await shows(page, "syntax error", ".callout.bad");
    await shows(page, "form", ".sql-error");
    await typeSql(page, "select count(*) from orders");
    await page.click(".run-row .button:not(.primary)");
    await shows(page, "Aggregate", ".plan");
    await close(opened);
  });

  it("cancels a query that does not end, and cuts a result that is too long", async () => {
    const opened = await open(`/sql?branch=${branchId}`);
    const { page } = opened;
    await typeSql(page, "select pg_sleep(1000)");
    await chord(page, "Control", "Enter");
    await page.waitForSelector(".run-row .danger");
    await page.click(".run-row .danger");
    await shows(page, "Cancelled", ".callout.bad");
    await typeSql(page, "select count(*) as sleeping from pg_stat_activity where query like 'select pg_sleep(1000)'");
    await shows(page, "Run", ".run-row .primary");
    await chord(page, "Control", "Enter");
    await shows(page, "0", ".result td");
    await typeSql(page, "select repeat('x', 1000000) from generate_series(1, 100)");
    await chord(page, "Control", "Enter");
    await shows(page, "longer than 16 MB", ".callout.bad");
    await typeSql(page, "select n from generate_series(1, 5000) n");
    await chord(page, "Control", "Enter");
    await shows(page, "the first 1,000 are shown", ".result");
    await close(opened);
  });

  it("creates a key, shows it once, and revokes it", async () => {
    const opened = await open("/keys");
    const { page } = opened;
    await page.type("input[name=name]", "of the page");
    await page.click("button[type=submit].primary");
    await page.waitForSelector("[data-secret]");
    const key = (await page.evaluate("document.querySelector('[data-secret]').textContent")) as string;
    assert.equal((await platform().call("GET", "/projects", undefined, { key })).status, 200);
    await page.reload();
    await page.waitForSelector(".connection.live");
    assert.ok(!(await page.content()).includes(key));
    await page.click("button[aria-label='Revoke of the page']");
    await page.click("td .danger");
    await page.waitForFunction("!document.querySelector('tbody').textContent.includes('of the page')");
    assert.equal((await platform().call("GET", "/projects", undefined, { key })).status, 401);
    await close(opened);
  });

  it("sets a fault that the next request gets, and shows when it is used up", async () => {
    const opened = await open("/faults");
    const { page } = opened;
    await page.click("input[role=switch]:not(:checked)");
    await shows(page, "Pending (1)", "h2");
    await platform().clearFaults();
    await shows(page, "Pending (0)", "h2");
    await page.type("input.mono", "/branches$");
    await page.evaluate(
      `[...document.querySelectorAll(".switch")].find((each) => each.textContent.startsWith("503")).click()`,
    );
    await shows(page, "Pending (1)", "h2");
    const path = `/projects/${projectId}/branches`;
    const { status } = await platform().call("POST", path, {}, { unchecked: true });
    assert.equal(status, 503);
    await shows(page, "Pending (0)", "h2");
    await close(opened);
  });

  it("draws a bar for each operation of a run, whose sum is that of the operations", async () => {
    const run = await platform().call("POST", "/projects", { project: { name: "run" } }, { headers: provider });
    const { id } = run.body.project;
    await platform().settled(id);
    for (const name of ["a", "b", "c"]) {
      const body = { branch: { name }, endpoints: [{ type: "read_write" }] };
      await platform().call("POST", `/projects/${id}/branches`, body, { headers: provider });
      await platform().settled(id);
    }
    const { operations } = (await platform().call("GET", `/projects/${id}/operations`)).body;
    const expected = operations.reduce((total, { total_duration_ms: ms }) => total + ms, 0);
    const opened = await open("/timeline");
    const bars = (await opened.page.evaluate(
      "[...document.querySelectorAll('rect[data-kind=operation]')].map((bar) => Number(bar.dataset.ms))",
    )) as number[];
    assert.equal(bars.length, operations.length);
    const sum = bars.reduce((total, ms) => total + ms, 0);
    assert.ok(Math.abs(sum - expected) <= expected * 0.01, `${sum} and ${expected}`);
    await close(opened);
  });

  it("can be used with the keyboard alone", async () => {
    const opened = await open("/");
    const { page } = opened;
    const press = async (...keys: ("g" | "o" | "s" | "k" | "f" | "t" | "b" | "/" | "?" | "Escape")[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press("/");
    await page.keyboard.type("main");
    await press("Escape");
    await page.focus(".list-row[tabindex='0']");
    await page.keyboard.press("Enter");
    await page.waitForSelector("aside[aria-label='Branch main']");
    for (const [key, heading] of [
      ["o", "Operations"],
      ["t", "created"],
      ["k", "API keys"],
      ["f", "Faults"],
    ] as const) {
      await press("g", key);
      await shows(page, heading, "h1");
    }
    await press("?");
    await page.waitForSelector("dialog[open]");
    await press("Escape");
    await page.waitForSelector("dialog:not([open])");
    await close(opened);
  });

  it("executes nothing that an object is called, neither at first nor when it changes", async () => {
    const name = `"><img src=x onerror="globalThis.isExecuted=1"><script>globalThis.isExecuted=1</script>`;
    const { project } = await platform().project({ name, branch: { name } });
    const opened = await open(`/projects/${project.id}`);
    await platform().call("PATCH", `/projects/${project.id}`, { project: { name: `${name} again` } });
    await shows(opened.page, `${name} again`, "h1");
    for (const path of ["/operations", "/requests", "/sql"]) {
      await opened.page.goto(platform().platform.consoleUrl + path);
      await opened.page.waitForSelector(".connection.live");
    }
    assert.equal(await opened.page.evaluate("globalThis.isExecuted"), undefined);
    await close(opened);
  });

  it("recovers when the platform was restarted, and shows what it has now", async () => {
    const data = makeFastFolder("neon-platform-console-");
    let running = await startTestPlatform({ data, operationTime: "1ms" });
    try {
      const { consoleUrl } = running.platform;
      const { page } = await openPage();
      await page.goto(consoleUrl);
      await page.waitForSelector(".connection.live");
      await running.close();
      await page.waitForSelector(".connection.lost");
      const reloaded = page.waitForNavigation();
      running = await startTestPlatform({ data, port: Number(new URL(consoleUrl).port), operationTime: "1ms" });
      await running.project({ name: "made-after-the-restart" });
      await reloaded;
      await page.waitForSelector(".connection.live");
      await shows(page, "made-after-the-restart", "h1");
      await page.close();
    } finally {
      await running.close();
      rmSync(data, { recursive: true, force: true });
    }
  });

  for (const path of ["/", "/operations", "/timeline", "/sql", "/requests", "/faults", "/keys", "/people"]) {
    it(`${path} has no serious problem for those who see or hear it otherwise, light and dark`, async () => {
      for (const isDark of [false, true]) {
        const opened = await open(path, { isDark });
        await opened.page.evaluate(axeSource);
        const found = (await opened.page.evaluate(
          "axe.run().then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html + ' ' + failureSummary).join('; ')))",
        )) as string[];
        assert.deepEqual(found, [], isDark ? "dark" : "light");
        await close(opened);
      }
    });
  }
});
