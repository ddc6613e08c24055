import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { TestPlatform } from "../../support/platform";
import { runPlatform, spawnPlatform } from "../../support/platform-process";
import { failed } from "../support/command";

describe("local platform: command line", () => {
  it("prints its URLs and a key as one line of JSON and exits with 0 on SIGTERM and SIGINT [1.1.7]", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const { child, platform } = await spawnPlatform(["--operation-time", "50ms-100ms", "--seed", "7"]);
      const { apiUrl, consoleUrl, apiKey } = platform;
      assert.deepEqual(Object.keys(platform).sort(), ["apiKey", "apiUrl", "caFile", "close", "consoleUrl", "postgres"]);
      assert.equal(apiUrl, `${consoleUrl}/api/v2`);
      assert.match(apiKey, /^napi_/);
      const running = new TestPlatform(platform);
      assert.equal((await running.call("GET", "/users/me")).status, 200);
      await running.call("POST", "/projects", { project: {} });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill(signal);
      assert.equal(await ended, 0);
    }
  });

  it("answers received requests before it exits", async () => {
    const { child, platform } = await spawnPlatform(["--latency", "10s"]);
    const running = new TestPlatform(platform);
    const pending = running.call("POST", "/projects", { project: {} });
    while ((await running.requests()).length === 0);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    assert.equal((await pending).status, 201);
    assert.equal(await ended, 0);
  });

  it("reports a port that is in use", async () => {
    const { platform } = await spawnPlatform([]);
    const { port } = new URL(platform.apiUrl);
    const ended = await runPlatform(["--port", port]);
    await platform.close();
    assert.equal(failed(ended), `neon-platform: port ${port} on 127.0.0.1 is in use by another program\n`);
  });

  it("prints its version", async () => {
    const { code, stdout } = await runPlatform(["--version"]);
    assert.equal(code, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  for (const [args, message] of [
    [["--port", "many"], /--port "many" is not a port/],
    [["--port", "70000"], /--port "70000" is not a port/],
    [["--host", "0.0.0.0"], /"0\.0\.0\.0" is not a loopback address/],
    [["--operation-time", "soon"], /"soon" is not a duration/],
    [["--latency", "-5s"], /"-5s" is not a duration/],
    [["--request-timeout", "0"], /requestTimeoutMs must be at least 1, but it is 0/],
    [["--data", "/dev/null/data"], /\/dev\/null\/data/],
    [["--colour", "red"], /unknown option/],
    [["rnu", "--", "ls"], /unknown command 'rnu'\n.*Did you mean run\?/],
  ] as const) {
    it(`rejects ${args.join(" ")}`, async () => {
      assert.match(failed(await runPlatform(args)), message);
    });
  }
});
