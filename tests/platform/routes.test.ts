import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publishedRoutes } from "../support/openapi";
import { suitePlatform } from "../support/platform";
import { runPlatform } from "../support/platform-process";
import { pagesRoutes, routeShape as shape, sdkRoutes } from "../support/sdk-routes";
import { routes } from "../../platform/routes/index";
import { localRoutes } from "../../platform/routes/local";

/** The text of a section of a document. */
const section = (documentName: string, heading: string) => {
  const document = readFileSync(join(process.cwd(), documentName), "utf8");
  const [, text] = document.split(`\n${heading}\n`, 2);
  assert.ok(text, `${documentName} has no section "${heading}"`);
  return text.split("\n## ", 1)[0] ?? "";
};

describe("local platform: routes", () => {
  const platform = suitePlatform();
  const served = routes.map(({ method, path }) => `${method} ${path}`);
  let published: readonly string[];
  before(async () => {
    published = [...publishedRoutes(), ...(await sdkRoutes()), ...pagesRoutes()];
  });

  it("every API route is published and unique", () => {
    const known = new Set(published.map(shape));
    const shapes = served.map(shape);
    assert.deepEqual(
      served.filter((route) => !known.has(shape(route))),
      [],
      "neither published document has these: if a page of the vendor's reference does, add it to docs/internals/coverage.md",
    );
    assert.equal(new Set(shapes).size, shapes.length);
  });

  it("every published route that is not served returns 404", async () => {
    const shapes = new Set(served.map(shape));
    const missing = published.filter((route) => !shapes.has(shape(route)));
    for (const route of missing) {
      const [method = "", template = ""] = route.split(" ");
      const path = template.replaceAll(/\{\w+\}/g, "none-such-1");
      // Not with `call`, because the published document has other 404 responses for some of them.
      const headers = { authorization: `Bearer ${platform().apiKey}` };
      const response = await fetch(platform().apiUrl + path, { method, headers });
      assert.equal(response.status, 404, route);
      const { message } = (await response.json()) as { message: string };
      assert.equal(message, "this route does not exist");
    }
  });

  it("docs/local-services.md describes every local route", () => {
    const documented = [
      ...section("docs/local-services.md", "## Local routes").matchAll(/`([A-Z]+ \/local[^\s`]+)`/g),
    ].map(([, route]) => route);
    const own = localRoutes.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(documented.sort(), own.sort(), 'edit its section "Local routes"');
  });

  it("docs/local-platform.md describes only options of --help", async () => {
    const { stdout } = await runPlatform(["--help"]);
    const told = new Set([...stdout.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option]) => option));
    const documented = [...section("docs/local-platform.md", "### Options").matchAll(/`(--[\w-]+)/g)].map(
      ([, option]) => option,
    );
    assert.ok(documented.length > 0);
    assert.deepEqual(
      documented.filter((option) => !told.has(option) && option !== "--help"),
      [],
      'edit its section "Options"',
    );
  });
});
