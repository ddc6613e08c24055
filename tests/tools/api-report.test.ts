import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "mocha";
import { suiteFolder } from "../support/folder";
import { tool } from "../support/tool";

interface ApiReport {
  readonly reports: string;
  readonly writeReports: (folder: string) => void;
}

describe("tools: the reports of the public types", () => {
  const folder = suiteFolder("neon-pulumi-api-");
  let committed: ReadonlyMap<string, string>;
  let current: ReadonlyMap<string, string>;
  before(async () => {
    const { reports, writeReports } = await tool<ApiReport>("api-report/report.mjs");
    writeReports(folder);
    committed = filesIn(reports);
    current = filesIn(folder);
  });

  it("in etc are current", () => {
    const names = [...new Set([...current.keys(), ...committed.keys()])];
    const stale = names.filter((name) => current.get(name) !== committed.get(name));
    assert.ok(stale.length === 0, `etc is not current (${stale.join(", ")}): run \`npm run api\``);
  });

  it("show no type or member without a description that a program can import", () => {
    assert.doesNotMatch(current.get("neon-pulumi.api.md") ?? "", /\(undocumented\)/);
  });

  it("show wire schemas, which API types are inferred from", () => {
    assert.match(current.get("neon-pulumi-api.api.md") ?? "", /^const branch: z\.ZodObject<\{$/m);
  });

  it("are the same on every machine", () => {
    for (const [name, text] of current) {
      assert.ok(!text.includes(process.cwd()), `${name} names a folder of this machine`);
      assert.ok(!text.includes("\r"), `${name} has line ends of this machine`);
    }
  });
});

function filesIn(folder: string): ReadonlyMap<string, string> {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
