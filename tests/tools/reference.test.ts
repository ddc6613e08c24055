import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { before, describe, it } from "mocha";
import * as neon from "../../sdk/index";
import { filesIn } from "../support/files";
import { suiteFolder } from "../support/folder";
import { anchorsOf } from "../support/markdown";

const committed = join(process.cwd(), "docs", "reference");
const options = join(process.cwd(), "tools", "reference", "typedoc.config.mjs");

/** Runs what `npm run docs` runs, into another folder. */
async function generate(out: string, config = options): Promise<{ code: number; text: string }> {
  const args = ["node_modules/typedoc/bin/typedoc", "--options", config, "--out", out];
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: stdout + stderr };
  }
}

describe("tools: the reference", () => {
  const folder = suiteFolder("neon-pulumi-reference-");
  let fresh: ReadonlyMap<string, string>;
  before(async () => {
    const out = join(folder, "reference");
    const { code, text } = await generate(out);
    assert.equal(code, 0, `\`npm run docs\` fails:\n${text}`);
    fresh = pages(out);
  });

  it("in docs/reference is what `npm run docs` writes now", () => {
    const there = existsSync(committed) ? pages(committed) : new Map<string, string>();
    const names = [...new Set([...fresh.keys(), ...there.keys()])];
    const stale = names.filter((name) => fresh.get(name) !== there.get(name));
    assert.deepEqual(stale, [], "docs/reference is not current: run `npm run docs`");
  });

  it("describes everything that a program can import", () => {
    const exported = Object.keys(neon).filter((name) => name !== "default");
    const headings = [...fresh.values()].flatMap((text) => [...text.matchAll(/^### (\w+)(?:\(\))?$/gm)]);
    const described = new Set(headings.map(([, name]) => name));
    assert.ok(exported.length > 0);
    assert.deepEqual(
      exported.filter((name) => !described.has(name)),
      [],
    );
  });

  it("says of every argument what it is", () => {
    const rows = [...fresh].flatMap(([name, text]) =>
      [...text.matchAll(/^\| <a id="property-.*$/gm)].map(([row]) => ({ name, cells: row.split(/(?<!\\)\|/) })),
    );
    assert.ok(rows.length > 0);
    for (const { name, cells } of rows) {
      const [, property = "", type = "", description = ""] = cells;
      assert.match(type, /\S/, `${name}:${property}`);
      assert.match(description, /\w/, `${name}:${property}`);
    }
  });

  it("shows arguments before outputs, and nothing that all resources have in the same way", () => {
    for (const [name, text] of fresh) {
      assert.doesNotMatch(text, /The declared value|requireOutput<|#### Constructors/, name);
      for (const section of text.split(/^(?=### )/m)) {
        const [before, after] = section.split("#### Outputs\n", 2);
        if (after !== undefined) assert.match(before ?? "", /^#### Arguments$/m, `${name}: ${title(section)}`);
      }
    }
  });

  it("has two examples or more on each page", () => {
    const examplesIn = (text: string): number => {
      const sections = text.split(/^(?=#)/m).filter((section) => /^#+ Examples?\n/.test(section));
      return sections.flatMap((section) => [...section.matchAll(/^```ts$/gm)]).length;
    };
    const without = [...fresh].filter(([name, text]) => name !== "README.md" && examplesIn(text) < 2);
    assert.deepEqual(
      without.map(([name]) => name),
      [],
    );
  });

  it("has no link that leads nowhere", () => {
    const anchors = new Map([...fresh].map(([name, text]) => [name, anchorsOf(text)]));
    for (const [name, text] of fresh) {
      for (const [, page = "", anchor] of text.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
        if (/^https?:/.test(page)) continue;
        const target = anchors.get(page === "" ? name : page);
        assert.ok(target, `${name} links to ${page}`);
        assert.ok(anchor === undefined || target.has(anchor), `${name} links to ${page}#${anchor ?? ""}`);
      }
    }
  });

  it("is the same on every machine", () => {
    for (const [name, text] of fresh) {
      assert.ok(!text.includes(process.cwd()), `${name} names a folder of this machine`);
      assert.doesNotMatch(text, /\bblob\/|Defined in|node_modules/, name);
    }
  });

  it("is refused while something that a program can import is not described", async () => {
    const source = join(folder, "undescribed");
    mkdirSync(source);
    writeFileSync(
      join(source, "index.ts"),
      `/** Arguments. */
       export interface ThingArgs {
         /** Its name. */
         readonly name: string;
         readonly size: number;
       }
       export function getThing(): void {}
       interface Hidden {
         readonly name: string;
       }
       /** Answers what is not exported. */
       export function getHidden(): Hidden {
         throw new Error();
       }`,
    );
    writeFileSync(join(source, "tsconfig.json"), JSON.stringify({ compilerOptions: { types: [] }, include: ["*.ts"] }));
    writeFileSync(join(source, "package.json"), JSON.stringify({ name: "things" }));
    const plugins = [require.resolve("typedoc-plugin-markdown"), join(dirname(options), "pages.mjs")];
    const own = JSON.stringify({ tsconfig: "tsconfig.json", entryPoints: ["index.ts"], plugin: plugins });
    writeFileSync(
      join(source, "typedoc.config.mjs"),
      `import options from ${JSON.stringify(pathToFileURL(options))};
       export default { ...options, ...${own} };`,
    );
    const { code, text } = await generate(join(source, "reference"), join(source, "typedoc.config.mjs"));
    assert.notEqual(code, 0, text);
    assert.match(text, /ThingArgs\.size\b.*does not have any documentation/);
    assert.match(text, /getThing\b.*does not have any documentation/);
    assert.match(text, /Hidden\b.*not included in the documentation/);
    assert.doesNotMatch(text, /ThingArgs\.name\b/);
  });
});

/** The first line of a section. */
function title(section: string): string {
  return section.split("\n", 1)[0] ?? "";
}

/** The pages in a folder, by their names in it. */
function pages(folder: string): Map<string, string> {
  const files = filesIn(folder).filter((file) => file.endsWith(".md"));
  return new Map(files.map((file) => [relative(folder, file).replaceAll("\\", "/"), readFileSync(file, "utf8")]));
}
