// `npm run screenshots`: the picture of `pulumi up` (`-- up` makes this one alone), and those of the console in docs/console,
// from demonstrations that are made for them.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findCli } from "./cli/find.mjs";
import { demonstration } from "./screenshots/demonstration.mjs";
import { terminalSvg } from "./screenshots/terminal-svg.mjs";
import { recordUp } from "./screenshots/up.mjs";
import { Failure } from "./base/failure.mjs";
import { main } from "./base/main.mjs";
import { built, root } from "./base/paths.mjs";
import { say, step } from "./base/progress.mjs";
import { build } from "./steps/build.mjs";

const folder = join(root, "docs", "console");
/** WebP, because a picture of a page is a third of the size that it has as PNG. */
const quality = 82;
const settleMs = 500;

/** @typedef {import("puppeteer-core").Browser} Browser */
/** @typedef {import("puppeteer-core").Page} Page */

/**
 * What is built, as far as it is used here.
 *
 * @typedef {object} Modules
 * @property {() => Promise<Browser | string>} startBrowser
 * @property {(browser: Browser, look: object) => Promise<{ page: Page }>} openPage
 * @property {(options: object) => Promise<import("./screenshots/demonstration.mjs").Platform>} startPlatform
 * @property {(run: object) => string} timelineSvg
 */

/**
 * @param {...string} path
 * @returns {Promise<Modules>} What the file exports of it.
 */
const load = async (...path) => (await import(pathToFileURL(built(...path)).href)).default;

await main(async () => {
  await build();
  const { startPlatform } = await load("platform", "index.js");
  await takeUp(startPlatform);
  return process.argv.includes("up") ? 0 : await takeConsole(startPlatform);
});

/** @param {Modules["startPlatform"]} startPlatform */
async function takeUp(startPlatform) {
  const cli = await findCli();
  const platform = await startPlatform({ operationTime: "600ms-3s", seed: "pictures" });
  try {
    const lines = await step("pulumi up", () => recordUp(cli, platform));
    const title =
      "pulumi up creates a project and a branch; the row of the branch shows the operation that it waits for";
    writeFileSync(join(root, "docs", "up.svg"), terminalSvg(lines, title));
  } finally {
    await platform.close();
  }
}

/** @param {Modules["startPlatform"]} startPlatform */
async function takeConsole(startPlatform) {
  const { startBrowser, openPage } = await load("tests", "support", "browser.js");
  const browser = await startBrowser();
  if (typeof browser === "string") throw new Failure(browser);
  const { timelineSvg } = await load("platform", "pulumi-run", "svg.js");
  const platform = await startPlatform({ operationTime: "200ms-2s", seed: "pictures", postgres: true });
  try {
    await step("demonstration", () => demonstration(platform));
    mkdirSync(folder, { recursive: true });
    const { page } = await openPage(browser, { width: 1280, height: 760 });
    await page.goto(platform.consoleUrl);
    await page.waitForSelector(".connection.live", { visible: false });
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    await page.screenshot({ path: join(folder, "branches.webp"), type: "webp", quality });
    await page.close();
    const run = await (await fetch(`${platform.consoleUrl}/local/timeline`)).json();
    writeFileSync(join(folder, "timeline.svg"), timelineSvg(run));
    say(`✔ 2 pictures in ${folder}`);
  } finally {
    await browser.close();
    await platform.close();
  }
  return 0;
}
