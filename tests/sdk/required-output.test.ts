import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, valueOf } from "./program";
import { pretendEngine } from "./registrations";

describe("requireOutput", () => {
  /** What the provider returns, besides the arguments. */
  let outputs: object;
  beforeEach(() => {
    pretendEngine(({ name, inputs }) => ({ id: `${name}-id`, state: { ...(inputs as object), ...outputs } }));
  });

  const connection = { host: "ep.example", roleName: "app", databaseName: "shop" };
  const newBranch = (): neon.Branch => new neon.Branch("pr-42", { projectId: "p" });

  it("returns the value of an output as a type without `undefined`, secret if the output is", async () => {
    outputs = { ...connection, connectionUri: pulumi.secret("postgresql://app@ep.example/shop") };
    const uri: pulumi.Output<string> = newBranch().requireOutput("connectionUri");
    const host: pulumi.Output<string> = new neon.Project("shop").requireOutput("host");
    assert.deepEqual(await Promise.all([valueOf(uri), valueOf(host)]), [
      "postgresql://app@ep.example/shop",
      "ep.example",
    ]);
    assert.deepEqual(await Promise.all([pulumi.isSecret(uri), pulumi.isSecret(host)]), [true, false]);
  });

  const noCompute = /^Branch "pr-42" has no (\w+)\. The branch has no read-write compute\. Declare one as `compute`/;
  for (const [output, returned, message] of [
    ["host", {}, noCompute],
    ["connectionUri", {}, noCompute],
    ["roleName", {}, noCompute],
    [
      "roleName",
      { host: "ep" },
      /has no roleName\. The branch has several roles, or none\. Call `getConnectionUriOutput`/,
    ],
    ["connectionUri", { host: "ep" }, /has no connectionUri\. The branch has several roles, or none\./],
    ["connectionUri", { host: "ep", roleName: "app" }, /The branch has several databases, or none\./],
    ["connectionUri", connection, /The project does not store passwords/],
    ["expiresAt", {}, 'Branch "pr-42" has no expiresAt.'],
  ] as const) {
    it(`fails for ${output} if the branch has ${Object.keys(returned).join(", ") || "no connection"}, and says why`, async () => {
      outputs = returned;
      await assertFails(valueOf(newBranch().requireOutput(output)), message);
    });
  }

  it("fails for the host of a branch whose compute is a separate Endpoint, and names the outputs that have it at once", async () => {
    outputs = {};
    await assertFails(
      valueOf(newBranch().requireOutput("host")),
      /With a separate `Endpoint`, use its own `host`, or pass its `endpointId` to `getConnectionUriOutput`: .* only after a refresh\.$/,
    );
  });

  it("fails for the password of a role and the key of an adopted API key, and says what to do", async () => {
    outputs = {};
    const role = new neon.Role("app", { projectId: "p", branchId: "b" });
    await assertFails(
      valueOf(role.requireOutput("password")),
      /^Role "app" has no password\. .*Change `passwordTrigger`/,
    );
    const group = new neon.Role("group", { projectId: "p", branchId: "b", noLogin: true });
    await assertFails(
      valueOf(group.requireOutput("password")),
      /^Role "group" has no password\. A role that cannot log in has no password: remove `noLogin`, or use another role\.$/,
    );
    const key = new neon.ApiKey("deploy", { adopt: "1" });
    await assertFails(valueOf(key.requireOutput("key")), /^ApiKey "deploy" has no key\. Neon returns a key only when/);
  });

  it("is unknown in a preview while the output is", async () => {
    pretendEngine(({ inputs }) => ({ id: "", state: inputs as object }), true);
    const uri = newBranch().requireOutput("connectionUri") as unknown as { readonly isKnown: Promise<boolean> };
    assert.equal(await uri.isKnown, false);
  });

  it("accepts only outputs that can be absent", () => {
    const wrong = [
      // @ts-expect-error The name always has a value.
      (): unknown => newBranch().requireOutput("name"),
      // @ts-expect-error There is no such output.
      (): unknown => newBranch().requireOutput("url"),
    ];
    assert.equal(wrong.length, 2);
  });
});
