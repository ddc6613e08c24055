import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, it } from "mocha";

import { pulumiOrganizationOf } from "../../provider/ownership/workspace";

const urn = "urn:pulumi:dev::shop::neon:index:Project::shop";

describe("the organization of a stack whose plugin is not told", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "neon-pulumi-workspace-"));
    mkdirSync(join(root, "home", "workspaces"), { recursive: true });
    mkdirSync(join(root, "program"));
    writeFileSync(join(root, "program", "Pulumi.yaml"), "name: shop\nruntime: yaml\n");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** Has the workspace of the program's folder say this, as `pulumi stack select` does. */
  function write(workspace: string): void {
    const place = createHash("sha1")
      .update(join(root, "program", "Pulumi.yaml"))
      .digest("hex");
    writeFileSync(join(root, "home", "workspaces", `shop-${place}-workspace.json`), workspace);
  }

  const select = (stack: string): void => write(JSON.stringify({ stack }));

  function organization(backend = "https://api.pulumi.com"): string | undefined {
    const environment = { PULUMI_BACKEND_URL: backend };
    return pulumiOrganizationOf({ environment, home: join(root, "home"), folder: join(root, "program") }, urn);
  }

  it("is the one of the selected stack", () => {
    select("acme/shop/dev");
    assert.equal(organization(), "acme");
  });

  it("does not exist in a folder or a bucket, whatever is selected", () => {
    select("acme/shop/dev");
    for (const backend of ["file:///states", "s3://states"]) assert.equal(organization(backend), undefined);
  });

  const unknown: Readonly<Record<string, () => void>> = {
    "no stack is selected": () => undefined,
    "another stack is selected": () => select("acme/shop/prod"),
    "a stack of another project is selected": () => select("acme/other/dev"),
    "a stack of a folder is selected": () => select("organization-less"),
    "the workspace is unreadable": () => write("{"),
  };
  for (const [when, prepare] of Object.entries(unknown)) {
    it(`is one of its own each time if ${when}, so that nothing of another stack is recovered`, () => {
      prepare();
      const [one, other] = [organization(), organization()];
      assert.ok(one !== undefined && other !== undefined && one !== other);
      assert.notEqual(one, "acme");
    });
  }
});
