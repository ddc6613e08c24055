import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { path } from "../../api/core/request";
import { branches, operations, organizationApiKeys, projects, regions, vpcEndpointAssignments } from "../../api/index";

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
});

describe("requests", () => {
  it("list the VPC endpoints of an organization, in one region or in all", () => {
    assert.equal(vpcEndpointAssignments.list("o", "r").path, "/organizations/o/vpc/region/r/vpc_endpoints");
    assert.equal(vpcEndpointAssignments.listAll("o").path, "/organizations/o/vpc/vpc_endpoints");
  });

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
    assert.deepEqual(projects.create({ name: "shop" }), projects.create({ name: "shop" }));
  });
});
