import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { describe, it } from "mocha";

import { tool } from "../support/tool";

interface Actionlint {
  readonly findActionlint: () => Promise<{ readonly path: string } | { readonly missing: string }>;
}

const workflows = [
  ".github/workflows/release.yml",
  ".github/workflows/test.yml",
  "examples/branch-per-pull-request/.github/workflows/preview.yml",
] as const;

describe("GitHub workflows", () => {
  it("actionlint finds nothing in them", async function () {
    const { findActionlint } = await tool<Actionlint>("actionlint/find.mjs");
    const found = await findActionlint();
    if ("missing" in found) {
      console.log(`actionlint cannot be built: ${found.missing}`);
      this.skip();
    }
    // Without the linters of scripts, which only some machines have.
    const args = ["-shellcheck=", "-pyflakes=", "-oneline", ...workflows];
    const { stdout } = await promisify(execFile)(found.path, args).catch(
      (error: unknown) => error as { stdout: string },
    );
    assert.equal(stdout, "");
  });
});
