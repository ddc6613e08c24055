import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { poolerHostOf } from "../../api/endpoint-host";

describe("poolerHostOf", () => {
  for (const [what, host, expected] of [
    [
      "has -pooler behind the id of the compute",
      "ep-dry-sun-1.eu.aws.neon.tech",
      "ep-dry-sun-1-pooler.eu.aws.neon.tech",
    ],
    ["is the host itself if that is an address", "127.77.0.2", "127.77.0.2"],
    ["is unknown for any other host", "db.example.com", undefined],
  ] as const) {
    it(what, () => {
      assert.equal(poolerHostOf({ id: "ep-dry-sun-1", host }), expected);
    });
  }
});
