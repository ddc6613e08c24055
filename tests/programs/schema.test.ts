import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { describe, it } from "mocha";

import { suiteFolder } from "../support/folder";
import { cliFolder } from "../support/cli";

describe("programs: the schema of the plugin", () => {
  const home = suiteFolder("neon-pulumi-home-");

  it("`pulumi schema check` accepts it without a warning", async () => {
    const pulumi = join(cliFolder(), "pulumi");
    const env = { ...process.env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "1" };
    const { stdout, stderr } = await promisify(execFile)(pulumi, ["schema", "check", "plugin/schema.json"], { env });
    assert.equal(stdout + stderr, "");
  });
});
