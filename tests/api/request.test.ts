import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import {
  apiKeys,
  branches,
  connectionUris,
  databases,
  endpoints,
  operations,
  organizationApiKeys,
  organizations,
  permissions,
  projects,
  regions,
  roles,
  users,
  vpcEndpointAssignments,
  vpcEndpointRestrictions,
  type Request,
} from "../../api/index";
import { path } from "../../api/request";

describe("path", () => {
  for (const [segment, encoded] of [
    ["a/b", "a%2Fb"],
    ["100%", "100%25"],
    ["%2F", "%252F"],
    ["a b?c#d", "a%20b%3Fc%23d"],
    ["größe", "gr%C3%B6%C3%9Fe"],
    ["🐘", "%F0%9F%90%98"],
    ["...", "..."],
    ["%2e%2e", "%252e%252e"],
  ] as const) {
    it(`encodes ${segment} as one segment`, () => {
      assert.equal(path`/projects/${segment}/branches`, `/projects/${encoded}/branches`);
    });
  }

  for (const segment of ["", ".", ".."]) {
    it(`rejects the segment "${segment}"`, () => {
      assert.throws(
        () => path`/projects/${segment}`,
        new TypeError(`"${segment}" is not allowed as a segment of a request path`),
      );
      assert.throws(() => path`/projects/p/branches/${segment}/roles`, TypeError);
    });
  }

  it("builds paths from which URL parsers restore any names", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text !== "." && text !== "..");
    fc.assert(
      fc.property(name, name, (branch, role) => {
        const built = path`/projects/p/branches/${branch}/roles/${role}`;
        const { pathname, search, hash } = new URL(`https://platform.example/api/v2${built}`);
        const segments = pathname.split("/").slice(3).map(decodeURIComponent);
        assert.deepEqual(segments, ["projects", "p", "branches", branch, "roles", role]);
        assert.equal(search + hash, "");
      }),
    );
  });
});

describe("requests", () => {
  const body = { name: "shop" };
  const requests: Readonly<Record<string, readonly [Request<unknown>, sent?: unknown]>> = {
    "GET /projects": [projects.list()],
    "GET /projects/p": [projects.get("p")],
    "POST /projects": [projects.create(body), { project: body }],
    "PATCH /projects/p": [projects.update("p", body), { project: body }],
    "DELETE /projects/p": [projects.delete("p")],
    "GET /projects/p/operations": [operations.list("p")],
    "GET /projects/p/operations/o": [operations.get("p", "o")],
    "GET /projects/p/branches": [branches.list("p")],
    "GET /projects/p/branches/b": [branches.get("p", "b")],
    "POST /projects/p/branches": [branches.create("p", { branch: body }), { branch: body }],
    "PATCH /projects/p/branches/b": [branches.update("p", "b", { expires_at: null }), { branch: { expires_at: null } }],
    "DELETE /projects/p/branches/b": [branches.delete("p", "b")],
    "GET /projects/p/endpoints": [endpoints.list("p")],
    "GET /projects/p/branches/b/endpoints": [endpoints.listOfBranch("p", "b")],
    "GET /projects/p/endpoints/e": [endpoints.get("p", "e")],
    "POST /projects/p/endpoints": [
      endpoints.create("p", { branch_id: "b", type: "read_only" }),
      { endpoint: { branch_id: "b", type: "read_only" } },
    ],
    "PATCH /projects/p/endpoints/e": [endpoints.update("p", "e", { disabled: true }), { endpoint: { disabled: true } }],
    "DELETE /projects/p/endpoints/e": [endpoints.delete("p", "e")],
    "POST /projects/p/endpoints/e/start": [endpoints.act("p", "e", "start")],
    "POST /projects/p/endpoints/e/suspend": [endpoints.act("p", "e", "suspend")],
    "POST /projects/p/endpoints/e/restart": [endpoints.act("p", "e", "restart")],
    "GET /projects/p/branches/b/roles": [roles.list("p", "b")],
    "GET /projects/p/branches/b/databases": [databases.list("p", "b")],
    "GET /projects/p/connection_uri": [connectionUris.get("p", { databaseName: "d", roleName: "r" })],
    "GET /regions": [regions.list()],
    "GET /users/me": [users.me()],
    "GET /api_keys": [apiKeys.list()],
    "POST /api_keys": [apiKeys.create("ci"), { key_name: "ci" }],
    "DELETE /api_keys/7": [apiKeys.revoke(7)],
    "GET /users/me/organizations": [organizations.list()],
    "GET /organizations/o": [organizations.get("o")],
    "GET /organizations/o/api_keys": [organizationApiKeys.list("o")],
    "POST /organizations/o/api_keys": [organizationApiKeys.create("o", "ci"), { key_name: "ci" }],
    "DELETE /organizations/o/api_keys/7": [organizationApiKeys.revoke("o", 7)],
    "GET /projects/p/permissions": [permissions.list("p")],
    "POST /projects/p/permissions": [permissions.grant("p", "a@b.example"), { email: "a@b.example" }],
    "DELETE /projects/p/permissions/x": [permissions.revoke("p", "x")],
    "GET /organizations/o/vpc/vpc_endpoints": [vpcEndpointAssignments.listAll("o")],
    "GET /organizations/o/vpc/region/r/vpc_endpoints": [vpcEndpointAssignments.list("o", "r")],
    "GET /organizations/o/vpc/region/r/vpc_endpoints/v": [vpcEndpointAssignments.get("o", "r", "v")],
    "POST /organizations/o/vpc/region/r/vpc_endpoints/v": [
      vpcEndpointAssignments.set("o", "r", "v", "office"),
      { label: "office" },
    ],
    "DELETE /organizations/o/vpc/region/r/vpc_endpoints/v": [vpcEndpointAssignments.delete("o", "r", "v")],
    "GET /projects/p/vpc_endpoints": [vpcEndpointRestrictions.list("p")],
    "POST /projects/p/vpc_endpoints/v": [vpcEndpointRestrictions.set("p", "v", "office"), { label: "office" }],
    "DELETE /projects/p/vpc_endpoints/v": [vpcEndpointRestrictions.delete("p", "v")],
  };

  for (const [route, [request, sent]] of Object.entries(requests)) {
    it(`build ${route}`, () => {
      assert.equal(`${request.method} ${request.path}`, route);
      assert.deepEqual(request.body, sent);
    });
  }

  it("send project_id for an API key of one project", () => {
    assert.deepEqual(organizationApiKeys.create("o", "ci", "p").body, { key_name: "ci", project_id: "p" });
  });

  it("send org_id for the regions of an organization", () => {
    assert.deepEqual(regions.list("o").query, { org_id: "o" });
  });

  it("percent-encode their arguments", () => {
    assert.equal(projects.get("a/b").path, "/projects/a%2Fb");
    assert.equal(operations.get("p", "../../users/me").path, "/projects/p/operations/..%2F..%2Fusers%2Fme");
    assert.throws(() => branches.delete("p", ".."), TypeError);
    assert.throws(() => projects.delete(""), TypeError);
  });

  it("are plain data", () => {
    assert.deepEqual(projects.create(body), projects.create(body));
  });
});
