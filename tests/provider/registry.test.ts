import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { type Claim, type ClaimType, titleOf } from "../../provider/ownership/claim";
import { ResourceRegistry } from "../../provider/ownership/registry";
import { noOthers, type SharedClaims } from "../../provider/ownership/shared-claims";

const key = { kind: "Branch", id: "shop-1/br-1" };

function urn(name: string): string {
  return `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/neon:Branch::${name}`;
}

function claimOf(name: string, as: ClaimType = "managed", id = key.id): Claim {
  return { kind: key.kind, id, urn: urn(name), origin: name, as, service: "neon" };
}

/** Two processes of one run. */
function processes(
  services: readonly [string, string] = ["neon", "neon"],
): readonly [ResourceRegistry, ResourceRegistry, readonly Claim[]] {
  const published: readonly Claim[][] = [[], []];
  const shared = (own: number): SharedClaims => ({
    publish: (claim) => published[own]?.push(claim),
    ofOthers: () => published[1 - own] ?? [],
  });
  return [
    new ResourceRegistry(shared(0), () => services[0]),
    new ResourceRegistry(shared(1), () => services[1]),
    published[0] ?? [],
  ];
}

describe("the resource registry", () => {
  it("counts a claim only if the program declares the resource, in any order", () => {
    const registry = new ResourceRegistry(noOthers, () => "neon");
    registry.claim(claimOf("a"));
    assert.deepEqual(registry.claimsTo(key), []);
    registry.declare(urn("a"));
    assert.deepEqual(registry.claimsTo(key), [claimOf("a")]);
    registry.declare(urn("b"));
    registry.claim(claimOf("b", "part"));
    assert.deepEqual(registry.claimsTo(key), [claimOf("a"), claimOf("b", "part")]);
  });

  it("publishes a claim only once the program declares the resource", () => {
    const [one, two, published] = processes();
    one.claim(claimOf("a"));
    assert.deepEqual(two.claimsTo(key), []);
    one.declare(urn("a"));
    one.declare(urn("a"));
    one.claim(claimOf("a"));
    assert.deepEqual(two.claimsTo(key), [claimOf("a")]);
    assert.equal(published.length, 1);
  });

  it("distinguishes objects with the same id by kind", () => {
    const registry = new ResourceRegistry(noOthers, () => "neon");
    registry.declare(urn("a"));
    registry.claim(claimOf("a"));
    assert.deepEqual(registry.claimsTo({ ...key, kind: "Role" }), []);
    assert.deepEqual(registry.claimsTo({ ...key, id: "shop-1/br-2" }), []);
  });

  it("distinguishes objects with the same id by service, also when one is released", () => {
    const [one, two] = processes(["neon", "local"]);
    for (const registry of [one, two]) registry.declare(urn("a"));
    one.claim(claimOf("a"));
    assert.deepEqual(two.claimsTo(key), []);
    two.claim(claimOf("a"));
    two.release(key);
    assert.deepEqual(one.claimsTo(key), [claimOf("a")]);
  });

  it("keeps an object adopted for the rest of the run", () => {
    const registry = new ResourceRegistry(noOthers, () => "neon");
    registry.declare(urn("a"));
    registry.claim(claimOf("a"));
    registry.claim(claimOf("a", "adopted"));
    registry.claim(claimOf("a"));
    assert.deepEqual(registry.claimsTo(key), [claimOf("a", "adopted")]);
  });

  it("tells the holders of one object apart by its creation or adoption: an alias changes the URN", () => {
    const registry = new ResourceRegistry(noOthers, () => "neon");
    registry.declare(urn("new"));
    registry.claim({ ...claimOf("new"), origin: "its creation" });
    assert.deepEqual(registry.claimsOfOtherOrigin(key, "its creation"), []);
    assert.equal(registry.claimsOfOtherOrigin(key, "another creation").length, 1);
    assert.equal(registry.claimsOfOtherOrigin(key, undefined).length, 1);
  });

  it("returns the claims of other resources only, of this process and of others", () => {
    const [one, two] = processes();
    for (const registry of [one, two]) registry.declare(urn("a"));
    one.claim(claimOf("a"));
    assert.deepEqual(two.claimsOfOthers(key, urn("a")), []);
    assert.deepEqual(two.claimsOfOthers(key, urn("b")), [claimOf("a")]);
    assert.deepEqual(one.claimsOfOthers(key, urn("b")), [claimOf("a")]);
  });

  it("removes the claim of a released object", () => {
    const registry = new ResourceRegistry(noOthers, () => "neon");
    registry.declare(urn("a"));
    registry.claim(claimOf("a", "adopted"));
    registry.claim(claimOf("a", "managed", "shop-1/br-2"));
    registry.release(key);
    assert.deepEqual(registry.claimsTo(key), []);
    assert.equal(registry.claimsTo({ ...key, id: "shop-1/br-2" }).length, 1);
    registry.claim(claimOf("a"));
    assert.deepEqual(registry.claimsTo(key), [claimOf("a")]);
  });

  it("ignores resources without a URN", () => {
    const [one, two] = processes();
    one.declare("");
    one.claim({ ...claimOf("a"), urn: "" });
    assert.deepEqual([...one.claimsTo(key), ...two.claimsTo(key)], []);
  });

  it("names a resource by type and logical name", () => {
    assert.equal(titleOf(urn("pr-42")), 'Branch "pr-42"');
    assert.equal(titleOf(`urn:pulumi:dev::shop::shop:index:Shop$pulumi-nodejs:dynamic/neon:Role::a::b`), 'Role "a::b"');
  });
});
