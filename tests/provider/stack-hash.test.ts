import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";

import { stackHash } from "../../provider/ownership/stack";
import { currentDoor } from "../support/door";
import { failsWith } from "../support/expected-errors";
import { suiteServer, suiteStage } from "../support/stage";

const urn = "urn:pulumi:dev::shop::neon:index:Project::store";

describe("the hash of a stack", () => {
  let root: string;
  before(() => (root = mkdtempSync(join(tmpdir(), "neon-pulumi-stack-"))));
  after(() => rmSync(root, { recursive: true, force: true }));

  const hash = (backend: string, organization?: string, of = urn): string | undefined =>
    stackHash({ environment: { PULUMI_BACKEND_URL: backend, PULUMI_HOME: root }, folder: root }, organization, of);

  for (const { backend, organization, isKnown } of [
    { backend: "s3://states", organization: undefined, isKnown: true },
    { backend: "gs://states", organization: undefined, isKnown: true },
    { backend: "https://api.pulumi.com", organization: "acme", isKnown: true },
    { backend: "https://api.pulumi.com", organization: undefined, isKnown: false },
    { backend: "file:///var/states", organization: "organization", isKnown: false },
    { backend: "file://~", organization: undefined, isKnown: false },
  ]) {
    const where = organization === undefined ? backend : `${backend} in organization ${organization}`;
    it(`is ${isKnown ? "known" : "not known, because several stacks can have its name"}: ${where}`, () => {
      assert.equal(hash(backend, organization) !== undefined, isKnown);
    });
  }

  it("is another one for another backend, organization, project and stack, and one for all resources of a stack", () => {
    const hashes = [
      hash("s3://states"),
      hash("s3://other"),
      hash("https://api.pulumi.com", "acme"),
      hash("https://api.pulumi.com", "other"),
      hash("s3://states", undefined, urn.replace("dev", "prod")),
      hash("s3://states", undefined, urn.replace("shop", "store")),
    ];
    assert.equal(new Set(hashes).size, hashes.length);
    assert.equal(hash("s3://states"), hash("s3://states", undefined, `${urn}-2`));
  });

  it("is that of the backend which the environment names, else the project file, else the credentials file", () => {
    const [home, folder] = [join(root, "home"), join(root, "program")];
    for (const path of [home, folder]) mkdirSync(path, { recursive: true });
    const of = (environment: Readonly<Record<string, string>>): string | undefined =>
      stackHash({ environment: { PULUMI_HOME: home, ...environment }, folder }, undefined, urn);
    assert.equal(of({}), undefined, "nothing names a backend");
    writeFileSync(join(home, "credentials.json"), JSON.stringify({ current: "s3://of-the-login" }));
    assert.equal(of({}), hash("s3://of-the-login"));
    writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\nbackend:\n  url: s3://of-the-project\n");
    assert.equal(of({}), hash("s3://of-the-project"));
    assert.equal(of({ PULUMI_BACKEND_URL: "s3://named" }), hash("s3://named"));
  });
});

describe("a project of the same name and URN", () => {
  const stage = suiteStage();
  const next = suiteServer(stage);
  const stops = "by an earlier run for this resource";
  const asks = "by a run for a resource with this URN, in this stack or in another one.";
  const warnsOfOther = "by a run for a resource with this URN in another stack. Another one is created. If";
  const dynamic = currentDoor() === "dynamic";

  for (const { title, one, other, says } of [
    { title: "in one bucket", one: ["s3://states"], other: ["s3://states"], says: stops },
    { title: "in two buckets", one: ["s3://states"], other: ["s3://other"], says: warnsOfOther },
    { title: "in a folder", one: ["file:///states"], other: ["file:///states"], says: asks },
    {
      title: "in one organization of a service",
      one: ["https://pulumi.example", "acme"],
      other: ["https://pulumi.example", "acme"],
      // The plugin's protocol does not tell the organization.
      says: dynamic ? stops : asks,
    },
    {
      title: "in two organizations of a service",
      one: ["https://pulumi.example", "acme"],
      other: ["https://pulumi.example", "other"],
      says: dynamic ? warnsOfOther : asks,
    },
    {
      title: "in a service that does not tell its organization",
      one: ["https://pulumi.example"],
      other: ["https://pulumi.example"],
      says: asks,
    },
  ] as const) {
    it(`${says === warnsOfOther ? "is named, and another one is created" : "stops the create"}: ${title}`, async () => {
      const name = stage().name("store");
      const run = async ([backend, organization]: readonly [string, string?]) => {
        const server = await stage().anotherServer({ environment: { PULUMI_BACKEND_URL: backend } });
        const resource = stage().resource("Project", name);
        resource.server = server;
        const options = organization === undefined ? {} : { organization };
        const up = async (args = {}): Promise<string> => {
          try {
            return await resource.up(args, options);
          } finally {
            await server.stop();
          }
        };
        return { resource, up };
      };
      const first = await run(one);
      await first.up();
      const { id } = first.resource;
      const second = await run(other);
      if (says !== warnsOfOther) {
        const ways = ["NEON_ADOPT", "or `adopt: false` if the other one is another stack's"];
        await assert.rejects(second.up(), failsWith(`already exists: ${id}, created at `, says, ...ways));
        const third = await run(other);
        assert.equal(await third.up({ adopt: false }), "create");
      } else {
        assert.equal(await second.up(), "create");
        const text = second.resource.warning;
        assert.ok(
          text.startsWith(`There is a project of the same name: ${id}, created at `) && text.includes(says),
          text,
        );
      }
      assert.equal((await stage().projects(name)).length, 2);
    });
  }

  it("is of no concern if its resource has another URN, or if nothing says what has made it", async () => {
    const name = stage().name("store");
    await stage().project({ name });
    await stage().resource("Project").up({ name });
    const ours = stage().resource("Project");
    ours.server = next();
    await ours.up({ name });
    assert.deepEqual(ours.said("warning"), []);
  });
});
