import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";

import { stackHash } from "../../../provider/ownership/stack";
import { currentDoor } from "../../support/door";
import { assertSays } from "../../support/expected-errors";
import { suiteStage } from "../../support/stage";

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
  const environment = { PULUMI_BACKEND_URL: "https://pulumi.example" };

  for (const [organization, title, maker] of [
    ["acme", "this stack's if the organization is the same", "by an earlier run for this resource"],
    ["other", "another stack's if the organization is another one", "by a run for a resource with this URN in another"],
  ] as const) {
    it(`is called ${title}`, async () => {
      const first = await stage().nextRun(stage().resource("Project"), { environment });
      await first.up({}, { organization: "acme" });
      const second = await stage().nextRun(stage().resource("Project", first.name), { environment });
      await second.preview({}, { organization });
      // The plugin's protocol does not tell the organization.
      const isTold = currentDoor() === "dynamic";
      assertSays(second.warning, first.id, isTold ? maker : "with this URN, in this stack or in another one.");
    });
  }
});
