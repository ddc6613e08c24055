import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { HttpError } from "../../api/index";

const conflict = (method: "POST" | "PATCH", path: string): string =>
  new HttpError({ method, path, status: 409, reason: "no", code: undefined, requestId: "r" }).message;

describe("what to do about a 409", () => {
  it("is another name or `adopt`, if the request creates an object", () => {
    for (const path of ["/projects/p/branches", "/projects/p/branches/b/roles", "/projects/p/branch_anonymized"]) {
      assert.match(conflict("POST", path), /already exists\. Choose another name\./);
    }
  });

  it("is not another name, if the request acts on an object", () => {
    for (const path of ["/projects/p/endpoints/ep-1/start", "/projects/p/branches/b/restore", "/projects/p/transfer"]) {
      assert.match(
        conflict("POST", path),
        /conflicts with the object's state or an account limit\. Resolve that first\.$/,
      );
    }
  });
});
