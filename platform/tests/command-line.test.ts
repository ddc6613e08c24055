import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { TestPlatform } from "../../tests/support/platform";
import { runPlatform, spawnPlatform } from "../../tests/support/platform-process";
import { operationTime } from "../model/operations/operation-time";
import { seededRandom } from "../storage/seeded-random";

describe("platform: the program", () => {
  it("says in one line of JSON where it is and how to get in, and ends cleanly when told to", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const { child, platform } = await spawnPlatform(["--operation-time", "50ms-100ms", "--seed", "7"]);
      const { apiUrl, consoleUrl, apiKey } = platform;
      assert.deepEqual(Object.keys(platform).sort(), ["apiKey", "apiUrl", "close", "consoleUrl"]);
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

  it("answers what has arrived before it ends", async () => {
    const { child, platform } = await spawnPlatform(["--latency", "10s"]);
    const running = new TestPlatform(platform);
    const pending = running.call("POST", "/projects", { project: {} });
    while ((await running.requests()).length === 0);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    assert.equal((await pending).status, 201);
    assert.equal(await ended, 0);
  });

  it("says so when its port is taken", async () => {
    const { platform } = await spawnPlatform([]);
    const { port } = new URL(platform.apiUrl);
    const { code, stderr, stdout } = await runPlatform(["--port", port]);
    await platform.close();
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.equal(stderr, `neon-platform: port ${port} on 127.0.0.1 is in use by another program\n`);
  });

  for (const [args, message] of [
    [["--port", "many"], /--port "many" is not a port/],
    [["--port", "70000"], /--port "70000" is not a port/],
    [["--host", "0.0.0.0"], /"0\.0\.0\.0" is not a loopback address/],
    [["--operation-time", "soon"], /"soon" is not a duration/],
    [["--operation-time", "5s-200ms"], /the shorter duration first/],
    [["--operation-time", "0-5s"], /starts at zero/],
    [["--operation-time", "1s,=2s"], /has no action before/],
    [["--latency", "-5s"], /"-5s" is not a duration/],
    [["--request-timeout", "0"], /requestTimeoutMs must be at least 1, but it is 0/],
    [["--data", "/dev/null/data"], /\/dev\/null\/data/],
    [["--colour", "red"], /unknown option/],
    [["extra"], /too many arguments/],
  ] as const) {
    it(`refuses ${args.join(" ")}`, async () => {
      const { code, stderr, stdout } = await runPlatform(args);
      assert.equal(code, 1);
      assert.equal(stdout, "");
      assert.match(stderr, message);
      assert.ok(!stderr.includes("    at "), stderr);
    });
  }
});

describe("platform: operation times", () => {
  const of = (specification: string, seed = "1") => operationTime(specification, seededRandom(seed));

  it("are one for all, or one for each action", () => {
    assert.equal(of("200ms")("create_branch"), 200);
    const mixed = of("500ms, start_compute=2s, create_branch=1m30s");
    assert.deepEqual(["start_compute", "create_branch", "suspend_compute"].map(mixed), [2000, 90_000, 500]);
    assert.equal(of("start_compute=2s")("other"), 1000);
    assert.equal(of("0")("other"), 0);
  });

  it("are drawn from a range so that each order of magnitude comes as often", () => {
    const time = of("10ms-1000ms");
    const drawn = Array.from({ length: 2000 }, () => time("any"));
    assert.ok(drawn.every((milliseconds) => milliseconds >= 10 && milliseconds <= 1000));
    const short = drawn.filter((milliseconds) => milliseconds < 100).length;
    assert.ok(short > 900 && short < 1100, String(short));
  });

  it("are the same for the same seed", () => {
    const [one, same, other] = [of("1ms-1s", "a"), of("1ms-1s", "a"), of("1ms-1s", "b")];
    const drawn = one("any");
    assert.equal(drawn, same("any"));
    assert.notEqual(drawn, other("any"));
    assert.notEqual(drawn, one("any"));
  });
});
