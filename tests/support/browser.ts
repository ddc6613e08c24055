import { after, afterEach, before } from "mocha";
import assert from "node:assert/strict";
import type { Browser, Page } from "puppeteer-core";

/** The path of a Chromium to use instead of the one that npm has installed. */
const variable = "NEON_TEST_BROWSER";

/** A page of a browser, with its errors and forbidden requests. */
export interface TestPage {
  readonly page: Page;
  /** Errors and warnings on the console, and errors of scripts. */
  readonly problems: string[];
  /** Requests to other hosts than that of the page. */
  readonly foreign: string[];
}

/** The size, theme and scale of a page. */
export interface PageLook {
  readonly width?: number;
  readonly height?: number;
  readonly isDark?: boolean;
  readonly scale?: number;
}

/**
 * Starts a headless Chromium.
 *
 * @returns the reason why none can run, as a text
 */
export async function startBrowser(): Promise<Browser | string> {
  try {
    const [{ default: chromium }, { launch }] = await Promise.all([
      import("@sparticuz/chromium"),
      import("puppeteer-core"),
    ]);
    const given = process.env[variable];
    // The pages need no graphics card. Emulating one takes more time than the rest of the browser.
    chromium.setGraphicsMode = false;
    const executablePath = given ?? (await chromium.executablePath());
    const args = given === undefined ? chromium.args : [];
    return await launch({ executablePath, args: [...args, "--no-sandbox"], headless: "shell" });
  } catch (error) {
    return `no Chromium runs here; set ${variable} to the path of one: ${String(error).split("\n", 1)[0] ?? ""}`;
  }
}

/** Opens an empty page of a browser. */
export async function openPage(browser: Browser, look: PageLook = {}): Promise<TestPage> {
  const { width = 1280, height = 800, isDark = false, scale = 1 } = look;
  const page = await browser.newPage();
  const problems: string[] = [];
  const foreign: string[] = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    const own = new URL(page.url()).host;
    if (protocol.startsWith("http") && own !== "" && host !== own) foreign.push(request.url());
  });
  await page.setViewport({ width, height, deviceScaleFactor: scale });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: isDark ? "dark" : "light" },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  return { page, problems, foreign };
}

/** Opens pages of one browser for a suite. If no browser runs, skips the tests with a message. */
export function suiteBrowser(): (look?: PageLook) => Promise<TestPage> {
  let browser: Browser | undefined;
  before(async function () {
    const started = await startBrowser();
    if (typeof started !== "string") {
      browser = started;
      return;
    }
    console.error(`skipped: ${started}`);
    this.skip();
  });
  // Each page keeps a connection open, and a browser has at most six to one server.
  afterEach(async () => {
    for (const page of (await browser?.pages()) ?? []) if (page.url() !== "about:blank") await page.close();
  });
  after(async () => {
    await browser?.close();
  });
  return async (look) => {
    assert.ok(browser);
    return await openPage(browser, look);
  };
}
