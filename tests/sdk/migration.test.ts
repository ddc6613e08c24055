import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { secretOutputsOf } from "./program";
import { Registrations } from "./registrations";

const args = { projectId: "spring-example-302709", branchId: "br-1", run: "true" };

describe("Migration", () => {
  const registered = new Registrations();
  before(() => registered.listen());

  it("registers its type token, its archive, and which variables are secret", async () => {
    const environment = { PLAIN: "plain", TOKEN: pulumi.secret("s3cr3t"), KNOWN: pulumi.output("known") };
    new neon.Migration("variables", { ...args, environment });
    const { inputs, type } = await registered.one("variables");
    assert.equal(type, "pulumi-nodejs:dynamic/neon:Migration");
    const { secretMembers } = inputs["__neon"] as { readonly secretMembers: unknown };
    assert.deepEqual(secretMembers, ["environment.TOKEN"]);
  });

  it("takes all variables for secret if they are one secret", async () => {
    new neon.Migration("secret variables", { ...args, environment: pulumi.secret({ A: "1", B: "2" }) });
    const { inputs } = await registered.one("secret variables");
    const { secretMembers } = inputs["__neon"] as { readonly secretMembers: unknown };
    assert.deepEqual(secretMembers, ["environment.A", "environment.B"]);
  });

  it("marks the hash of the variables as secret", () => {
    assert.deepEqual(
      secretOutputsOf((options) => new neon.Migration("hash", args, options)),
      ["environment"],
    );
  });

  it("refuses an import with a message that says what to do", () => {
    assert.throws(
      () => new neon.Migration("imported", args, { import: "a/b/c" }),
      /^\w*Error: Migration "imported": a migration cannot be imported\. Declare it\.$/,
    );
  });
});
