import assert from "node:assert/strict";
import { join } from "node:path";

import { describe, it } from "mocha";

import { runToEnd } from "../support/ended";
import { suitePlatform } from "../support/platform";
import { targetOf } from "./account";

const key = "napi_very_secret";
const credentials = { NEON_API_KEY: key, NEON_API_HOST: "https://console.neon.tech/api/v2", NEON_ORG_ID: "org-a-b-1" };

describe("contract: target of the suite", () => {
  it("is the local platform without NEON_CONTRACT, even if the environment has credentials", () => {
    for (const environment of [{}, credentials, { ...credentials, NEON_CONTRACT: "" }]) {
      assert.deepEqual(targetOf(environment), { is: "local" });
    }
    assert.deepEqual(targetOf({ ...credentials, NEON_CONTRACT: "local" }), { is: "local" });
  });

  it("is the account of the environment if NEON_CONTRACT is real", () => {
    assert.deepEqual(targetOf({ ...credentials, NEON_CONTRACT: "real" }), {
      is: "real",
      account: { apiKey: key, apiUrl: "https://console.neon.tech/api/v2", orgId: "org-a-b-1" },
    });
  });

  for (const [what, environment] of [
    ["without a key", { ...credentials, NEON_API_KEY: "" }],
    ["without a base URL", { ...credentials, NEON_API_HOST: undefined }],
    ["with an unknown value of NEON_CONTRACT", { ...credentials, NEON_CONTRACT: "yes" }],
  ] as const) {
    it(`is an error ${what}, which does not quote the key`, () => {
      assert.throws(
        () => targetOf({ NEON_CONTRACT: "real", ...environment }),
        (error: Error) => /NEON_/.test(error.message) && !error.message.includes(key),
      );
    });
  }
});

describe("contract: a run against an account", () => {
  const platform = suitePlatform({ operationTime: "5ms" });

  /** Runs the suite as against a real account, which here is a local platform in another process. */
  async function run() {
    const { apiUrl, apiKey } = platform();
    const env = { PATH: process.env["PATH"], NEON_API_HOST: apiUrl, NEON_API_KEY: apiKey, NEON_CONTRACT: "real" };
    const mocha = join("node_modules", "mocha", "bin", "mocha.js");
    const args = [mocha, "--bail", "--exit", join(__dirname, "contract.test.js")];
    const { code, stdout, stderr } = await runToEnd(process.execPath, args, { env });
    return { code, text: stdout + stderr };
  }

  it("that fails halfway deletes what it has created, and prints no secret", async () => {
    await platform().call("POST", "/projects", { project: { name: "somebody else's" } });
    await platform().fault({
      method: "GET",
      path: "/reveal_password$",
      times: 1,
      status: 403,
      body: { code: "", message: "no" },
    });
    const { code, text } = await run();
    await platform().clearFaults();
    assert.notEqual(code, 0);
    assert.match(text, /made project [a-z0-9-]+/);
    assert.match(text, /the account at 127\.0\.0\.1/);
    assert.match(text, /a role › is created with a password/);
    const { projects } = (await platform().call("GET", "/projects")).body;
    assert.deepEqual(
      projects.map(({ name }) => name),
      ["somebody else's"],
    );
    const secrets = [platform().apiKey, "postgresql://", "Bearer"];
    for (const secret of secrets) assert.ok(!text.includes(secret), `it prints ${secret}`);
  });
});
