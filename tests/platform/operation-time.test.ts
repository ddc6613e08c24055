import { OperationAction } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { operationTime } from "../../platform/model/operations/operation-time";
import { seededRandom } from "../../platform/storage/seeded-random";
import { suiteProjects } from "./support/project";

describe("local platform: operation times that are changed while it runs", () => {
  const { clock, platform, project } = suiteProjects({ operationTime: "1s" });

  it("apply to what starts from then on, and stay as they are if the new ones are invalid", async () => {
    const { id, call } = await project();
    const change = (time: string) =>
      platform().local<{ message?: string }>("PUT", "/operation_time", { operation_time: time });
    assert.equal((await change("1m,create_branch=3s")).status, 200);
    const invalid = await change("soon");
    assert.equal(invalid.status, 400);
    assert.match(invalid.body.message ?? "", /"soon" is not a duration/);
    assert.deepEqual((await platform().local("GET", "/operation_time")).body, {
      operation_time: "1m,create_branch=3s",
    });
    await call("POST", "/branches", {});
    const status = async () =>
      (await platform().call("GET", `/projects/${id}/operations`)).body.operations.find(
        ({ action }) => action === OperationAction.CreateBranch,
      )?.status;
    clock.advance(2_900);
    assert.equal(await status(), "running");
    clock.advance(200);
    assert.equal(await status(), "finished");
  });
});

describe("local platform: operation times", () => {
  const of = (specification: string, seed = "1") => operationTime(specification, seededRandom(seed));

  it("parses one time for all actions and times for single actions", () => {
    assert.equal(of("200ms")("create_branch"), 200);
    const mixed = of("500ms, start_compute=2s, create_branch=1m30s");
    assert.deepEqual(["start_compute", "create_branch", "suspend_compute"].map(mixed), [2000, 90_000, 500]);
    assert.equal(of("start_compute=2s")("other"), 1000);
    assert.equal(of("0")("other"), 0);
  });

  it("rejects a range in the wrong order or from zero, and a time without its action", () => {
    assert.throws(() => of("5s-200ms"), /the shorter duration first/);
    assert.throws(() => of("0-5s"), /starts at zero/);
    assert.throws(() => of("1s,=2s"), /has no action before/);
  });

  it("draws from a range log-uniformly", () => {
    const time = of("10ms-1000ms");
    const drawn = Array.from({ length: 2000 }, () => time("any"));
    assert.ok(drawn.every((milliseconds) => milliseconds >= 10 && milliseconds <= 1000));
    const short = drawn.filter((milliseconds) => milliseconds < 100).length;
    assert.ok(short > 900 && short < 1100, String(short));
  });

  it("returns the same times for the same seed", () => {
    const [one, same, other] = [of("1ms-1s", "a"), of("1ms-1s", "a"), of("1ms-1s", "b")];
    const drawn = one("any");
    assert.equal(drawn, same("any"));
    assert.notEqual(drawn, other("any"));
    assert.notEqual(drawn, one("any"));
  });
});
