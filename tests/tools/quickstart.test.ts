import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";

import { tool } from "../support/tool";

interface Paths {
  readonly root: string;
  readonly compiler: string;
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: true; readonly devOptional?: true }>>;
}

describe("tools: `npm start`", () => {
  it("compiles with a package that is installed without development dependencies", async () => {
    const { root, compiler } = await tool<Paths>("paths.mjs");
    const [folder, name] = relative(root, compiler).split(sep);
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;
    const entry = packages[`${folder ?? ""}/${name ?? ""}`];
    assert.ok(entry, `${compiler} is not of a locked package`);
    assert.equal(entry.dev ?? entry.devOptional, undefined);
  });
});
