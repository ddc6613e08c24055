import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { HttpError } from "../../api/index";
import type { Method } from "../../api/core/request";

/** The message of the error for an answer to a request. Its end says what to do. */
function remediationOf(request: string, status: number, reason = "no", code?: string): string {
  const [method, path = ""] = request.split(" ");
  return new HttpError({ method: method as Method, path, status, reason, code, requestId: "r" }).message;
}

const branches = "/projects/p/branches";
const endpoints = "/projects/p/endpoints";
const name = /already exists\. Choose another name\.$/;
const noName = /already exists, or the state of what it belongs to excludes it\. Resolve that first\.$/;
const otherName = /conflicts with another object\. Choose another name\.$/;
const state = /conflicts with the object's state or an account limit\. Resolve that first\.$/;
const busy = /operations on the project are still running/;
const noCompute = /The branch has no read-write compute\. Create one first\.$/;
const second = "read_write endpoint already exists";
const limit = "ENDPOINTS_LIMIT_EXCEEDED";

/** Answers of the real service whose status says less than their text or code. */
const recorded: readonly (readonly [request: string, status: number, reason: string, says: RegExp, code?: string])[] = [
  [`POST ${branches}`, 422, "branch not ready yet", busy],
  [`POST ${endpoints}`, 422, second, noName, limit],
  [`POST ${endpoints}`, 400, second, noName, limit],
  [`POST ${branches}/b/roles`, 412, "create a read-write endpoint to manage roles on this branch", noCompute],
  [
    `DELETE ${branches}/b/databases/d`,
    412,
    "create a read-write endpoint to manage databases on this branch",
    noCompute,
  ],
  [`PATCH ${endpoints}/ep-1`, 412, "suspend interval is too short for your plan", state],
  [`POST ${endpoints}`, 422, "endpoints limit exceeded", state, limit],
];

describe("what to do about an answer of the real service", () => {
  for (const [request, status, reason, says, code] of recorded) {
    it(`is true of ${status}, ${reason} (${request})`, () => {
      assert.match(remediationOf(request, status, reason, code), says);
    });
  }
});

/** What a 409 of each request says to do. */
const conflicts: readonly (readonly [request: string, says: RegExp])[] = [
  ["POST /projects/p/branches", name],
  ["POST /projects/p/branch_anonymized", name],
  ["POST /projects/p/branches/b/roles", name],
  ["POST /projects/p/branches/b/databases", name],
  ["POST /projects/p/branches/b/buckets", name],
  ["POST /projects/p/endpoints", noName],
  ["POST /projects/p/jwks", noName],
  ["POST /projects/p/permissions", noName],
  ["POST /projects/p/branches/b/auth", noName],
  ["POST /projects/p/branches/b/auth/oauth_providers", noName],
  ["POST /projects/p/branches/b/data-api/neondb", noName],
  ["POST /projects/p/endpoints/ep-1/start", state],
  ["POST /projects/p/branches/b/restore", state],
  ["POST /projects/p/transfer", state],
  ["PATCH /projects/p/branches/b", otherName],
  ["PATCH /projects/p/branches/b/databases/a%2Fb", otherName],
  ["PATCH /projects/p", state],
  ["PATCH /projects/p/endpoints/ep-1", state],
  ["PATCH /projects/p/branches/b/auth/email_provider", state],
  ["PUT /projects/p/branches/b/backup_schedule", state],
  ["DELETE /projects/p/branches/b", state],
];

describe("what to do about a 409", () => {
  for (const [request, says] of conflicts) {
    it(`is true of ${request}`, () => {
      assert.match(remediationOf(request, 409), says);
    });
  }
});
