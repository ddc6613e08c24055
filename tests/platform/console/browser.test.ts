import { source as axeSource } from "axe-core";
import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { Readable } from "node:stream";
import type { Page } from "puppeteer-core";

import { NeonClient } from "../../../api";
import { s3 } from "../../../api/schemas/s3";
import { suiteBrowser, type TestPage } from "../../support/browser";
import { startTestPlatform, suitePlatform } from "../../support/platform";
import { makeFastFolder, testPostgres } from "../../support/postgres-files";
import { deployed, waitForBuild } from "../support/function";

const provider = { "user-agent": "neon-pulumi (node 22.12.0; linux x64)" };

const secretValue = "value-that-no-page-shows";

/** A function that logs what it is sent, and says it. */
const greeting = {
  "index.mjs": `export default async (request) => {
    const text = await request.text();
    const { method, url, headers } = request;
    console.log("got " + method + " " + new URL(url).pathname + " " + text + " for " + headers.get("x-shop"));
    return Response.json({ said: text });
  };`,
};

describe("local platform: console in a browser", () => {
  const openPage = suiteBrowser();
  const platform = suitePlatform({ operationTime: "50ms", postgres: testPostgres() });
  let projectId = "";
  let branchId = "";
  let branchPath = "";
  before(async () => {
    const created = await platform().project({ name: "shop", branch: { name: "main" } });
    projectId = created.project.id;
    branchId = created.branch.id;
    branchPath = `/projects/${projectId}/branches/${branchId}`;
    await deployed(platform(), `${branchPath}/functions/api`, { files: greeting, environment: { TOKEN: secretValue } });
    await platform().call("POST", `${branchPath}/buckets`, { name: "uploads" });
    await waitForBuild(platform(), `${branchPath}/functions/api`);
  });

  const upload = async (key: string): Promise<void> => {
    const path = `${branchPath}/buckets/uploads/objects/${encodeURIComponent(key)}/presign`;
    const { url, method } = (await platform().call("POST", path, { operation: "upload" })).body;
    assert.ok((await fetch(url, { method, body: `content of ${key}` })).ok);
  };

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
    const states: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/console/state")) states.push(request.url());
    });
    const shown = shows(page, "made-elsewhere", ".list-row");
    await platform().call("POST", `/projects/${projectId}/branches`, { branch: { name: "made-elsewhere" } });
    await shown;
    assert.equal(await page.evaluate("globalThis.isTheSamePage"), true);
    await platform().settled(projectId);
    await shows(page, "Create branch made-elsewhere", ".operation-rows li");
    assert.deepEqual(states, [], "the whole state was read again");
    await close(opened);
  });

  it("shows a branch that is created while the page reads its state again", async () => {
    const opened = await open("/");
    const { page } = opened;
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      if (!request.url().includes("/console/state")) return void request.continue();
      // The answer is older than the branch, and arrives after it. The folder says when the page has it.
      void (async () => {
        const state = (await (await fetch(request.url())).json()) as object;
        await platform().call("POST", `/projects/${projectId}/branches`, { branch: { name: "made-meanwhile" } });
        await shows(page, "made-meanwhile", ".list-row");
        await request.respond({
          contentType: "application/json",
          body: JSON.stringify({ ...state, dataFolder: "read again" }),
        });
      })();
    });
    await page.click(`.brand`);
    await shows(page, "read again", ".path");
    const rows = String(await page.evaluate("document.querySelector('.branch-list').textContent"));
    assert.match(rows, /made-meanwhile/);
    await platform().settled(projectId);
    await close(opened);
  });

  it("shows what is added to the branch that it shows, a compute and a role, and no branch of another project", async () => {
    const { branch } = (await platform().call("POST", `/projects/${projectId}/branches`, {})).body;
    await platform().settled(projectId);
    const opened = await open(`/projects/${projectId}/branches/${branch.id}`);
    const { page } = opened;
    assert.equal(await page.$("button[aria-label='Copy connection string']"), null);
    const endpoint = { branch_id: branch.id, type: "read_write" };
    await platform().call("POST", `/projects/${projectId}/endpoints`, { endpoint });
    await page.waitForSelector("button[aria-label='Copy connection string']");
    await platform().settled(projectId);
    await platform().call("POST", `/projects/${projectId}/branches/${branch.id}/roles`, { role: { name: "ann" } });
    await platform().project({ name: "elsewhere", branch: { name: "of-another-project" } });
    await shows(page, "elsewhere", "option");
    await shows(page, "ann", ".detail li");
    const rows = String(await page.evaluate("document.querySelector('.branch-list').textContent"));
    assert.doesNotMatch(rows, /of-another-project/);
    await close(opened);
  });

  it("scrolls through hundreds of branches and operations, of which few are in the document", async () => {
    const [branches, operations] = [300, 899];
    const running = await startTestPlatform({ operationTime: "0", postgres: false });
    try {
      // The page of a platform without projects shows the first one.
      const { page } = await openPage();
      await page.goto(running.platform.consoleUrl);
      await page.waitForSelector(".connection.live");
      const { project } = await running.project({ name: "many" });
      await shows(page, "many", "h1");
      for (let index = 1; index < branches; index += 1) {
        const path = `/projects/${project.id}/branches`;
        const body = { branch: { name: `pr-${index}` }, endpoints: [{ type: "read_write" }] };
        assert.equal((await running.call("POST", path, body, { unchecked: true })).status, 201);
      }
      const rows = async (): Promise<number> => (await page.$$(".list-row")).length;
      const focused = (): Promise<unknown> => page.evaluate("document.activeElement.getAttribute('aria-rowindex')");
      const endIs = (role: string, count: number) =>
        page.waitForFunction(
          `document.querySelector("[role=${role}]").getAttribute("aria-rowcount") === "${count + 1}"`,
        );
      await endIs("treegrid", branches);
      await page.keyboard.press("/");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("End");
      await page.waitForFunction(`document.activeElement.textContent.includes("pr-${branches - 1}")`);
      assert.ok((await rows()) < 80, `${await rows()} rows are in the document`);
      // Tab leads into the list also when the row that was active is out of sight.
      await page.evaluate("document.querySelector('.list').scrollTop = 0");
      await shows(page, "main", ".list-row");
      await page.keyboard.press("/");
      await page.keyboard.press("ArrowDown");
      assert.ok(Number(await focused()) < 80);

      await page.goto(`${running.platform.consoleUrl}/operations`);
      await page.waitForSelector(".connection.live");
      await page.keyboard.press("/");
      await page.keyboard.type("create timeline");
      await shows(page, "Create timeline", ".list-row");
      await page.keyboard.down("Shift");
      await page.keyboard.press("Home");
      await page.keyboard.up("Shift");
      await page.keyboard.press("Backspace");
      await endIs("grid", operations);
      assert.ok((await rows()) < 80, `${await rows()} rows are in the document`);
      await page.close();
    } finally {
      await running.close();
    }
  });

  it("runs several statements of SQL, and shows their types, an error with its place, and a plan", async () => {
    const opened = await open(`/sql?branch=${branchId}`);
    const { page } = opened;
    await typeSql(page, "create table orders (id int primary key, note text); select ';' as text, 1 as number;");
    await chord(page, "Control", "Enter");
    await shows(page, ";", ".result td");
    await shows(page, "integer", ".result th");
    await typeSql(page, "select 1;\nselect '😀', * form orders");
    await chord(page, "Control", "Enter");
    await shows(page, "syntax error", ".callout.bad");
    await shows(page, "form", ".sql-error");
    await shows(page, "Statement 2 select '😀', * form orders", ".callout.bad");
    // The plan is that of the statement at the cursor.
    await typeSql(page, "select 1;\nselect count(*) from orders");
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
    const left = await open(`/sql?branch=${branchId}`);
    await typeSql(left.page, "select count(*) from generate_series(1, 1e15)");
    await chord(left.page, "Control", "Enter");
    await left.page.waitForSelector(".run-row .danger");
    await left.page.close();
    await typeSql(
      page,
      "do $$ begin while exists (select from pg_stat_activity where query like 'select count(*) from generate%') loop perform pg_stat_clear_snapshot(); end loop; end $$; select 'all ended' as state",
    );
    await chord(page, "Control", "Enter");
    await shows(page, "all ended", ".result td");
    await typeSql(page, "select repeat('x', 1000000) from generate_series(1, 100)");
    await chord(page, "Control", "Enter");
    await shows(page, "longer than 16 MB", ".callout.bad");
    await typeSql(page, "select n from generate_series(1, 5000) n");
    await chord(page, "Control", "Enter");
    await shows(page, "the first 1,000 are shown", ".result");
    await close(opened);
  });

  it("sets a fault that the next request gets, and shows when it is used up", async () => {
    const opened = await open("/faults");
    const { page } = opened;
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

  it("calls a function by its button, and shows the answer, its log line, and a deployment that fails", async () => {
    const opened = await open(branchPath);
    const { page } = opened;
    await shows(page, "Functions 1", ".detail li");
    await page.click(`a[href="${branchPath}/functions"]`);
    await shows(page, "completed", "ul[aria-label=Deployments] li");
    await shows(page, "with TOKEN", "ul[aria-label=Deployments] li");
    await page.select("form[aria-label=Call] select", "POST");
    await page.focus("input[name=path]");
    await page.keyboard.type("orders");
    await page.type("input[aria-label='Name of header 1']", "X-Shop");
    await page.type("input[aria-label='Value of header 1']", "north");
    await page.type("input[aria-label='Name of header 2']", "x-other");
    await page.type("textarea[name=body]", `{"a":1}`);
    await page.click("form[aria-label=Call] button");
    await shows(page, `{"said":"{\\"a\\":1}"}`, ".answer pre");
    await shows(page, "200", ".answer .badge");
    await shows(page, `got POST /orders {"a":1} for north`, ".log li");
    const domain = { domain: "api.example.com", entity_type: "function", entity_id: "api" };
    await platform().call("POST", `${branchPath}/custom-domains`, domain);
    await shows(page, "api.example.com pending", "ul[aria-label='Custom domains'] li");
    await page.evaluate("document.querySelector('input[name=path]').select()");
    await page.keyboard.type("//elsewhere.example");
    await page.click("form[aria-label=Call] button");
    await shows(page, "got POST //elsewhere.example", ".log li");
    await deployed(platform(), `${branchPath}/functions/api`, { files: { "index.mjs": "throw new Error('at load')" } });
    await shows(page, "at load", "ul[aria-label=Deployments] .problem");
    const state = await fetch(
      `${platform().platform.consoleUrl}/console/state?path=${encodeURIComponent(`${branchPath}/functions`)}`,
    );
    for (const text of [await page.content(), await state.text()]) assert.ok(!text.includes(secretValue));
    await close(opened);
  });

  it("shows an object that appears, its folder and its content, and when a trigger last invoked its function", async () => {
    const type = "storage_object_created";
    const { body } = await platform().call("POST", `${branchPath}/triggers`, {
      ...{ type, name: "thumbnails", function_slug: "api", [type]: { bucket_name: "uploads", prefix: "in/" } },
    });
    assert.ok(!("code" in body), JSON.stringify(body));
    const schedule = { type: "schedule", name: "hourly", function_slug: "api", schedule: { cron: "0 * * * *" } };
    await platform().call("POST", `${branchPath}/triggers`, { ...schedule, enabled: false });
    const opened = await open(`${branchPath}/buckets`);
    const { page } = opened;
    await shows(page, "No objects", ".page p");
    const triggers = await open(`${branchPath}/triggers`);
    await shows(triggers.page, "thumbnails enabled", "tbody tr");
    await shows(triggers.page, "never", "tbody tr");
    await shows(triggers.page, "hourly disabled", "tbody tr");
    await upload("in/ä b.txt");
    await shows(triggers.page, "200 just now", "tbody td li");
    await close(triggers);
    await page.bringToFront();
    await shows(page, "in/", "tbody th");
    await page.click("tbody th a");
    await shows(page, "ä b.txt", "tbody th");
    await shows(page, "22 B", "tbody td");
    await shows(page, "content-type: ", "tbody td li");
    const href = String(await page.evaluate("document.querySelector('tbody th a').getAttribute('href')"));
    const downloaded = await fetch(platform().platform.consoleUrl + href);
    assert.equal(await downloaded.text(), "content of in/ä b.txt");
    assert.match(
      downloaded.headers.get("content-disposition") ?? "",
      /^attachment; filename\*=UTF-8''%C3%A4%20b\.txt$/,
    );
    await close(opened);
  });

  it("gives a key that works while there is no project", async () => {
    const running = await startTestPlatform({ operationTime: "0", postgres: false });
    try {
      const { page } = await openPage();
      for (const path of ["/", "/timeline"]) {
        await page.goto(running.platform.consoleUrl + path);
        await shows(page, "NEON_API_KEY=napi_", "code");
        const text = String(await page.evaluate("[...document.querySelectorAll('code')].at(-1).textContent"));
        const key = /NEON_API_KEY=(napi_\w+)/.exec(text)?.[1];
        assert.equal((await running.call("GET", "/projects", undefined, { key })).status, 200);
      }
      await page.close();
    } finally {
      await running.close();
    }
  });

  it("leads into the tree with the arrow keys at once, with the link that skips the navigation, and out of a panel with Escape", async () => {
    await platform().call("POST", `/projects/${projectId}/branches`, { branch: { name: "second-row" } });
    await platform().settled(projectId);
    const opened = await open(`/projects/${projectId}`);
    const { page } = opened;
    const focused = (): Promise<unknown> => page.evaluate("document.activeElement.getAttribute('aria-rowindex')");
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(), "2");
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction("document.activeElement.getAttribute('aria-rowindex') === '3'");
    await page.reload();
    await page.waitForSelector(".connection.live");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#main:focus");
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(), "2");
    await page.keyboard.press("Enter");
    await page.waitForSelector("aside[aria-label='Branch main']");
    await page.keyboard.press("Escape");
    await page.waitForSelector("aside[aria-label='Project shop']");
    await close(opened);
  });

  it("says that nothing matches a search, in each list", async () => {
    for (const [path, text] of [
      [`/projects/${projectId}`, "No branch matches “zzz”."],
      ["/operations", "No operation matches"],
      ["/requests", "No request matches “zzz”."],
    ] as const) {
      const opened = await open(path);
      await opened.page.type("[data-search]", "zzz");
      await shows(opened.page, text, ".list-empty");
      await close(opened);
    }
  });

  it("leads through its main tasks with the keyboard alone", async () => {
    const opened = await open(`/projects/${projectId}`);
    const { page } = opened;
    const press = async (...keys: ("g" | "s" | "k" | "f" | "t" | "/" | "?" | "Escape" | "ArrowDown" | "Enter")[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    /** Presses Tab until an element has the focus. */
    const tabTo = async (selector: string): Promise<void> => {
      for (let presses = 0; presses < 100; presses += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
      }
      assert.fail(`Tab does not lead to ${selector}`);
    };
    // A branch that appears is found and opened.
    await press("/");
    await page.keyboard.type("by-key");
    await platform().call("POST", `/projects/${projectId}/branches`, {
      branch: { name: "by-keyboard" },
      endpoints: [{ type: "read_write" }],
    });
    await platform().settled(projectId);
    await shows(page, "by-keyboard", ".list-row");
    // The first row is its parent.
    await press("ArrowDown", "ArrowDown");
    await page.waitForFunction("document.activeElement.textContent.includes('by-keyboard')");
    await press("Enter");
    await page.waitForSelector("aside[aria-label='Branch by-keyboard']");
    // SQL runs on it, and completes its tables.
    await tabTo("a.primary");
    await press("Enter");
    await typeSql(page, "create table of_keys (id int); select 6*7 as answer");
    await chord(page, "Control", "Enter");
    await shows(page, "42", ".result td");
    await shows(page, "of_keys", ".schema summary");
    await typeSql(page, "select * from of_");
    await chord(page, "Control", " ");
    await shows(page, "of_keys", ".cm-tooltip-autocomplete li");
    await press("Escape", "Escape");
    // A key is created and revoked.
    await press("g", "k");
    await shows(page, "API keys", "h1");
    await tabTo("input[name=name]");
    await page.keyboard.type("by keyboard");
    await press("Enter");
    await page.waitForSelector("[data-secret]");
    await tabTo("button[aria-label='Revoke by keyboard']");
    await press("Enter");
    await page.waitForSelector("td .danger:focus");
    await press("Enter");
    await page.waitForFunction("!document.querySelector('tbody').textContent.includes('by keyboard')");
    // A fault is set.
    await press("g", "f");
    await shows(page, "Faults", "h1");
    await tabTo("input[role=switch]");
    await page.keyboard.press("Space");
    await shows(page, "Pending (1)", "h2");
    await platform().clearFaults();
    await press("g", "t");
    await page.waitForFunction("document.title.startsWith('Timeline · ')");
    await press("?");
    await page.waitForSelector("dialog[open]");
    await press("Escape");
    await page.waitForSelector("dialog:not([open])");
    await close(opened);
  });

  it("executes no script in the name of an object, neither at first nor after a change", async () => {
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

  it("reconnects after a restart of the platform, and shows its new contents", async () => {
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

  const own = ["/", "/operations", "/timeline", "/sql", "/requests", "/faults", "/keys", "/people"];
  for (const path of [...own, ":branch/functions", ":branch/triggers", ":branch/buckets"]) {
    it(`${path} has no serious accessibility problem, light and dark`, async () => {
      const opened = await open(path.replace(":branch", branchPath));
      await opened.page.evaluate(axeSource);
      for (const value of ["light", "dark"]) {
        await opened.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
        const found = (await opened.page.evaluate(
          "axe.run().then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html + ' ' + failureSummary).join('; ')))",
        )) as string[];
        assert.deepEqual(found, [], value);
      }
      await close(opened);
    });

    it(`${path} fits on a phone, and in a window that is as small as at 200 %`, async () => {
      for (const look of [
        { width: 390, height: 800 },
        { width: 640, height: 380 },
      ]) {
        const opened = await open(path.replace(":branch", branchPath), look);
        const tooWide = (await opened.page.evaluate(
          "[document.documentElement, ...document.querySelectorAll('#main, .side, .side nav')].map((box) => box.scrollWidth - box.clientWidth)",
        )) as number[];
        assert.deepEqual(tooWide, [0, 0, 0, 0]);
        const cut = (await opened.page.evaluate(
          "[...document.querySelectorAll('.table-box')].filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent)",
        )) as string[];
        assert.deepEqual(cut, [], "tables are cut");
        // Content below the window can be scrolled to.
        const hidden = (await opened.page.evaluate(
          "[...document.querySelectorAll('#main, #main > *')].filter((box) => getComputedStyle(box).overflowY === 'hidden' && box.scrollHeight > box.clientHeight + 1).map((box) => box.outerHTML.slice(0, 80))",
        )) as string[];
        assert.deepEqual(hidden, []);
        await close(opened);
      }
    });
  }

  it("a site in a public bucket works: pages, scripts, styles, what they load, and what the browser keeps", async () => {
    const at = { projectId, branchId, bucketName: "site" };
    await platform().call("POST", `${branchPath}/buckets`, { name: at.bucketName, access_level: "public_read" });
    const client = new NeonClient({ apiKey: platform().apiKey, apiUrl: platform().apiUrl });
    const files: readonly (readonly [key: string, type: string, text: string])[] = [
      [
        "index.html",
        "text/html; charset=utf-8",
        `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><link rel="stylesheet" href="assets/main.css">
        <script type="module" src="assets/main.js"></script><h1>Grüße</h1><a href="docs/index.html">Docs</a>`,
      ],
      ["assets/main.css", "text/css", "h1 { color: rgb(1, 2, 3); }"],
      [
        "assets/main.js",
        "text/javascript",
        'const { name } = await (await fetch("assets/data.json")).json(); document.body.append(`loaded ${name}`);',
      ],
      ["assets/data.json", "application/json", '{ "name": "data" }'],
      ["docs/index.html", "text/html", '<!doctype html><link rel="icon" href="data:,"><p>Read me</p>'],
    ];
    for (const [key, content_type, text] of files) {
      const headers = { content_type, ...(key.startsWith("assets/") && { cache_control: "public, max-age=3600" }) };
      const open = () => Promise.resolve(Readable.from([Buffer.from(text)]));
      await client.send(
        s3.put({ ...at, key }, headers, () => Promise.resolve({ size: Buffer.byteLength(text), open })),
      );
    }
    const { s3_endpoint: endpoint } = (await platform().call("GET", `${branchPath}/storage`)).body as unknown as {
      readonly s3_endpoint: string;
    };
    const opened = await openPage();
    const { page } = opened;
    await page.goto(`${endpoint}/site/index.html`);
    await shows(page, "Grüße", "h1");
    await shows(page, "loaded data");
    assert.equal(await page.evaluate('getComputedStyle(document.querySelector("h1")).color'), "rgb(1, 2, 3)");
    const before = await platform().latestRequest();
    await page.click("a");
    await shows(page, "Read me");
    await page.goBack();
    await shows(page, "loaded data");
    const again = (await platform().requests(before)).map(({ path }) => path);
    assert.deepEqual(
      again.filter((path) => path.includes("/assets/")),
      [],
      "what may be kept is not asked for again",
    );
    await close(opened);
  });
});
