import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { type Door, useDoor } from "../support/door";
import { operationFaults, requestFaults } from "./fault";
import { runMatrix } from "./matrix";
import { operationPoints, requestPoints } from "./point";
import { quickSeed } from "../support/seeded-random";

describe("the fault matrix", function () {
  this.timeout(900_000);
  it("finds the requests that were sent, numbers equal ones, and polls operations once", () => {
    const sent = (method: string, path: string) => ({
      time: "",
      method,
      path: `/api/v2${path}`,
      status: 200,
      requestId: "",
    });
    const points = requestPoints([
      sent("GET", "/projects/a/branches/b"),
      sent("POST", "/projects/a/branches"),
      sent("GET", "/projects/a/operations?limit=100"),
      sent("GET", "/projects/a/operations?limit=100"),
      sent("GET", "/projects/a/branches/b"),
      { ...sent("PUT", ""), path: "/storage/br-1/files/in/a%20b.txt" },
      { ...sent("PUT", ""), path: "/storage/br-1/files?cors=" },
    ]);
    assert.deepEqual(
      points.map(({ title, isPoll }) => [title, isPoll]),
      [
        ["GET /projects/:project_id/branches/:branch_id #1", false],
        ["POST /projects/:project_id/branches #1", false],
        ["GET /projects/:project_id/operations #1", true],
        ["GET /projects/:project_id/branches/:branch_id #2", false],
        ["PUT /storage/:branch_id/:bucket_name/:object_key #1", false],
        ["PUT /storage/:branch_id/:bucket_name #1", false],
      ],
    );
    assert.deepEqual(
      operationPoints(["start_compute", "create_branch", "start_compute"]).map(({ title }) => title),
      ["start_compute #1", "create_branch #1", "start_compute #2"],
    );
  });

  it("names each fault once", () => {
    const titles = [...requestFaults, ...operationFaults].map(({ title }) => title);
    assert.deepEqual(titles, [...new Set(titles)]);
  });

  it("has no case, in a random part, in which program, state and platform disagree, an error is unclear, or a secret is shown", async () => {
    const seed = quickSeed();
    const said: string[] = [`seed ${seed}`];
    const drawn = (door: Door, sample: number) => {
      const leave = useDoor(door);
      return runMatrix({
        // A role has a secret and each verb, and starts operations.
        only: "Role",
        workers: 1,
        seed,
        sample,
        slow: false,
        deadline: Infinity,
        say: (line) => said.push(line),
      }).finally(leave);
    };
    const parts = [await drawn("dynamic", 6), await drawn("plugin", 2)];
    const ran = parts.flatMap((part) => part.ran);
    assert.equal(ran.length, 8, said.join("\n"));
    assert.ok(
      ran.some(({ result }) => result?.struck === true && result.shown !== undefined),
      "some of the faults are seen",
    );
    assert.deepEqual(
      parts.flatMap(({ failures }) => failures),
      [],
      said.join("\n"),
    );
  });
});
