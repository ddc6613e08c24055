import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { type Claim, type ClaimType, titleOf } from "../../../provider/ownership/claim";
import { newTag } from "../../../provider/ownership/ownership-tag";
import { ResourceRegistry } from "../../../provider/ownership/registry";
import { type ClaimEntry, OwnClaimLog } from "../../../provider/ownership/shared-claims";
import { TestClaimLog } from "../../support/claim-logs";

const key = { kind: "Branch", id: "shop-1/br-1" };

function urn(name: string): string {
  return `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/neon:Branch::${name}`;
}

function claimOf(name: string, as: ClaimType = "managed", id = key.id): Claim {
  return { kind: key.kind, id, urn: urn(name), origin: name, as, service: "neon" };
}

/** Two processes of one run, and the log that they share. */
function processes(
  services: readonly [string, string] = ["neon", "neon"],
): readonly [ResourceRegistry, ResourceRegistry, readonly ClaimEntry[]] {
  const log = new TestClaimLog();
  return [
    new ResourceRegistry(log.process(), () => services[0]),
    new ResourceRegistry(log.process(), () => services[1]),
    log.entries,
  ];
}

describe("ownership › registry", () => {
  it("counts a claim, and publishes it, only once the program declares the resource", () => {
    const [one, two, published] = processes();
    one.claim(claimOf("a"));
    assert.deepEqual([one.claimsTo(key), two.claimsTo(key)], [[], []]);
    for (const _ of ["first", "second"]) one.declare(urn("a"));
    one.claim(claimOf("a"));
    assert.deepEqual([one.claimsTo(key), two.claimsTo(key)], [[claimOf("a")], [claimOf("a")]]);
    assert.equal(published.length, 1);
    one.claim({ ...claimOf("b"), urn: "" });
    assert.deepEqual(two.claimsOfOthers(key, urn("a")), [], "without a URN");
    assert.deepEqual(two.claimsOfOthers(key, urn("b")), [claimOf("a")]);
  });

  it("distinguishes objects of one id by kind, and by service, also when one is released", () => {
    const [one, two] = processes(["neon", "local"]);
    for (const registry of [one, two]) registry.declare(urn("a"));
    one.claim(claimOf("a"));
    for (const other of [
      { ...key, kind: "Role" },
      { ...key, id: "shop-1/br-2" },
    ]) {
      assert.deepEqual(one.claimsTo(other), []);
    }
    assert.deepEqual(two.claimsTo(key), []);
    two.claim(claimOf("a"));
    two.release(key);
    assert.deepEqual(one.claimsTo(key), [claimOf("a")]);
  });

  it("keeps an object adopted for the rest of the run, unless it is released", () => {
    const registry = new ResourceRegistry(new OwnClaimLog(), () => "neon");
    registry.declare(urn("a"));
    registry.claim(claimOf("a", "managed", "shop-1/br-2"));
    for (const as of ["managed", "adopted", "managed"] as const) registry.claim(claimOf("a", as));
    assert.deepEqual(registry.claimsTo(key), [claimOf("a", "adopted")]);
    registry.release(key);
    assert.deepEqual([registry.claimsTo(key), registry.hasReleased(key)], [[], true]);
    assert.equal(registry.claimsTo({ ...key, id: "shop-1/br-2" }).length, 1);
  });

  it("tells the holders of one object apart by its creation or adoption: an alias changes the URN", () => {
    const registry = new ResourceRegistry(new OwnClaimLog(), () => "neon");
    registry.declare(urn("new"));
    registry.claim({ ...claimOf("new"), origin: "its creation" });
    const others = (origin?: string): number => registry.claimsOfOtherOrigin(key, origin).length;
    assert.deepEqual([others("its creation"), others("another creation"), others()], [0, 1, 1]);
    assert.equal(registry.claim({ ...claimOf("old"), origin: "its creation" }), undefined);
  });

  for (const [first, second, isGranted] of [
    ["wanted", "adopted", false],
    ["adopted", "wanted", false],
    ["managed", "adopted", false],
    ["part", "adopted", false],
    ["former", "adopted", false],
    ["wanted", "managed", true],
    ["adopted", "managed", false],
    ["managed", "managed", false],
    ["part", "managed", true],
    ["former", "managed", true],
    ["managed", "part", true],
  ] as const) {
    it(`${isGranted ? "grants" : "refuses"} what one resource has as ${first} to another one as ${second}, in whichever process`, () => {
      const [one, two] = processes();
      one.declare(urn("a"));
      for (const registry of [one, two]) registry.declare(urn("b"));
      assert.equal(one.claim(claimOf("a", first)), undefined);
      for (const registry of [one, two]) {
        assert.deepEqual(registry.claim(claimOf("b", second)), isGranted ? undefined : claimOf("a", first));
      }
      assert.equal(one.claim(claimOf("a", first)), undefined, "the first one keeps it");
    });
  }

  it("refuses the adoption of what another resource has created since it was wanted", () => {
    const [one, two] = processes();
    one.declare(urn("a"));
    two.declare(urn("b"));
    assert.equal(one.claim({ ...claimOf("a", "wanted"), origin: undefined }), undefined);
    assert.equal(two.claim(claimOf("b")), undefined);
    assert.deepEqual(one.claim(claimOf("a", "adopted")), claimOf("b"));
    assert.deepEqual(one.claimsTo(key), [claimOf("b")]);
  });

  it("grants an object again once the adoption that claimed it has failed, and not the one that is managed", () => {
    const [one, two] = processes();
    for (const name of ["a", "b"]) for (const registry of [one, two]) registry.declare(urn(name));
    for (const as of ["wanted", "adopted"] as const) {
      one.claim(claimOf("a", as));
      assert.deepEqual(two.claim(claimOf("b", "adopted")), claimOf("a", as));
    }
    one.withdraw(urn("a"), "a");
    assert.equal(two.claim(claimOf("b", "adopted")), undefined);
    two.claim(claimOf("b", "managed", "shop-1/br-2"));
    two.withdraw(urn("b"), "another adoption");
    assert.equal(two.claimsTo({ ...key, id: "shop-1/br-2" }).length, 1);
  });

  it("names the resource of the run that a tag names, in every process", () => {
    const [one, two] = processes();
    one.declare(urn("a"));
    one.claim(claimOf("a"));
    two.declare(urn("b"));
    assert.equal(two.namedBy(newTag(urn("a"), undefined)), urn("a"));
    assert.equal(two.namedBy(newTag(urn("b"), undefined)), urn("b"));
    assert.equal(two.namedBy(newTag(urn("c"), undefined)), undefined);
  });

  it("names a resource by type and logical name", () => {
    assert.equal(titleOf(urn("pr-42")), 'Branch "pr-42"');
    assert.equal(titleOf(`urn:pulumi:dev::shop::shop:index:Shop$pulumi-nodejs:dynamic/neon:Role::a::b`), 'Role "a::b"');
  });
});
