import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { HttpError } from "../../api/index";
import type { Method } from "../../api/core/request";

const conflict = (method: Method, path: string): string =>
  new HttpError({ method, path, status: 409, reason: "no", code: undefined, requestId: "r" }).message;

/** Answers of the real service whose status says less than their text or code. */
const recorded = [
  [
    422,
    undefined,
    "branch not ready yet",
    "POST",
    "/projects/p/branches",
    /operations on the project are still running/,
  ],
  [
    422,
    "ENDPOINTS_LIMIT_EXCEEDED",
    "read_write endpoint already exists",
    "POST",
    "/projects/p/endpoints",
    /already exists, or the state/,
  ],
  [
    400,
    "ENDPOINTS_LIMIT_EXCEEDED",
    "read_write endpoint already exists",
    "POST",
    "/projects/p/endpoints",
    /already exists, or the state/,
  ],
  [
    412,
    undefined,
    "create a read-write endpoint to manage roles on this branch",
    "POST",
    "/projects/p/branches/b/roles",
    /The branch has no read-write compute\. Create one first\.$/,
  ],
  [
    412,
    undefined,
    "create a read-write endpoint to manage databases on this branch",
    "DELETE",
    "/projects/p/branches/b/databases/d",
    /The branch has no read-write compute\. Create one first\.$/,
  ],
  [
    412,
    undefined,
    "suspend interval is too short for your plan",
    "PATCH",
    "/projects/p/endpoints/ep-1",
    /conflicts with the object's state or an account limit/,
  ],
  [
    422,
    "ENDPOINTS_LIMIT_EXCEEDED",
    "endpoints limit exceeded",
    "POST",
    "/projects/p/endpoints",
    /conflicts with the object's state or an account limit/,
  ],
] as const;

describe("what to do about an answer of the real service", () => {
  for (const [status, code, reason, method, path, says] of recorded) {
    it(`is true of ${status}, ${reason} (${method} ${path})`, () => {
      assert.match(new HttpError({ method, path, status, reason, code, requestId: "r" }).message, says);
    });
  }
});

const name = /already exists\. Choose another name\.$/;
const noName = /already exists, or the state of what it belongs to excludes it\. Resolve that first\.$/;
const otherName = /conflicts with another object\. Choose another name\.$/;
const state = /conflicts with the object's state or an account limit\. Resolve that first\.$/;

/** What a 409 of each request says to do. */
const conflicts: readonly (readonly [method: Method, path: string, says: RegExp])[] = [
  ["POST", "/projects/p/branches", name],
  ["POST", "/projects/p/branch_anonymized", name],
  ["POST", "/projects/p/branches/b/roles", name],
  ["POST", "/projects/p/branches/b/databases", name],
  ["POST", "/projects/p/branches/b/buckets", name],
  ["POST", "/projects/p/endpoints", noName],
  ["POST", "/projects/p/jwks", noName],
  ["POST", "/projects/p/permissions", noName],
  ["POST", "/projects/p/branches/b/auth", noName],
  ["POST", "/projects/p/branches/b/auth/oauth_providers", noName],
  ["POST", "/projects/p/branches/b/data-api/neondb", noName],
  ["POST", "/projects/p/endpoints/ep-1/start", state],
  ["POST", "/projects/p/branches/b/restore", state],
  ["POST", "/projects/p/transfer", state],
  ["PATCH", "/projects/p/branches/b", otherName],
  ["PATCH", "/projects/p/branches/b/databases/a%2Fb", otherName],
  ["PATCH", "/projects/p", state],
  ["PATCH", "/projects/p/endpoints/ep-1", state],
  ["PATCH", "/projects/p/branches/b/auth/email_provider", state],
  ["PUT", "/projects/p/branches/b/backup_schedule", state],
  ["DELETE", "/projects/p/branches/b", state],
];

describe("what to do about a 409", () => {
  for (const [method, path, says] of conflicts) {
    it(`is true of ${method} ${path}`, () => {
      assert.match(conflict(method, path), says);
    });
  }
});
