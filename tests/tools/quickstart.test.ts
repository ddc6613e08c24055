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
    const { root, compiler } = await tool<Paths>("base/paths.mjs");
    const [folder, name] = relative(root, compiler).split(sep);
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;
    const entry = packages[`${folder ?? ""}/${name ?? ""}`];
    assert.ok(entry, `${compiler} is not of a locked package`);
    assert.equal(entry.dev ?? entry.devOptional, undefined);
  });
});

interface EngineLines {
  readonly engineLine: (line: string) => Readonly<Record<string, unknown>> | undefined;
}

interface Tree {
  readonly branchLines: (branches: readonly object[]) => readonly string[];
}

describe("tools: what `npm start` prints on a terminal", () => {
  it("is made of the engine's lines about resources", async () => {
    const { engineLine } = await tool<EngineLines>("steps/engine-lines.mjs");
    const type = "pulumi-nodejs:dynamic/neon:Branch";
    assert.deepEqual(engineLine(` +  ${type} preview created (0.98s) `), {
      resource: "Branch preview",
      action: "created",
      isDone: true,
      duration: "0.98s",
      note: "",
    });
    assert.deepEqual(
      engineLine(` +  ${type} preview creating (1s) start_compute running, 1 s`)?.["note"],
      "start_compute running, 1 s",
    );
    for (const line of ["@ updating....", " +  pulumi:pulumi:Stack neon-pulumi-dev created (9s)", "Resources:", ""]) {
      assert.equal(engineLine(line), undefined, line);
    }
  });

  it("draws branches below their parents", async () => {
    const { branchLines } = await tool<Tree>("steps/tree.mjs");
    const branch = (id: string, parentId?: string) => ({
      id,
      name: id,
      parentId,
      isDefault: id === "main",
      computes: [],
    });
    assert.deepEqual(branchLines([branch("main"), branch("a", "main"), branch("b", "a"), branch("c", "main")]), [
      "└─ main  default",
      "   ├─ a",
      "   │  └─ b",
      "   └─ c",
    ]);
  });
});
