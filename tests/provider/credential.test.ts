import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { failsWith } from "../support/expected-errors";
import { type Stage, suiteStage } from "../support/stage";

/** A credential that a program has issued, and what it declares to rotate it. */
async function issued(stage: Stage) {
  const { id: projectId, branchId } = await stage.project();
  const base = { projectId, branchId, scopes: ["storage:read"] };
  const resource = stage.resource("Credential");
  await resource.up(base);
  const { tokenId } = resource.outputs;
  const path = `/projects/${projectId}/branches/${branchId}/credentials/${String(tokenId)}`;
  const secrets = () => [resource.outputs["apiToken"], resource.outputs["s3SecretAccessKey"]];
  return {
    resource,
    rotated: (trigger = "1") => ({ ...base, rotateTrigger: trigger }),
    tokenId,
    path,
    secrets,
    /** What is valid now. */
    valid: async () => {
      const { body } = await stage.platform.call("POST", `${path}/reveal`);
      const { api_token: token, s3_secret_access_key: key } = body as unknown as Record<string, unknown>;
      return [token, key];
    },
    sentBy: async (step: () => Promise<unknown>) =>
      (await stage.sentBy(projectId, step)).map((one) => `${one.method} ${one.path.replace(path, "")}`),
  };
}

describe("Credential", () => {
  const stage = suiteStage();

  it("takes the new secrets from Neon when the answer of a rotation is lost", async () => {
    const { resource, rotated, path, secrets, valid, sentBy } = await issued(stage());
    const before = secrets();
    await stage().platform.fault({ method: "POST", path: `^${path}/rotate$`, reset: "after" });
    assert.deepEqual(await sentBy(() => resource.up(rotated())), ["POST /rotate"]);
    assert.notDeepEqual(secrets(), before);
    assert.deepEqual(secrets(), await valid());
    assert.equal(await resource.up(rotated()), "same");
  });

  it("sends a rotation again that did not arrive, although somebody else has rotated before", async () => {
    const { resource, rotated, path, secrets, valid, sentBy } = await issued(stage());
    await stage().platform.call("POST", `${path}/rotate`);
    const theirs = await valid();
    await stage().platform.fault({ method: "POST", path: `^${path}/rotate$`, reset: "before" });
    assert.deepEqual(await sentBy(() => resource.up(rotated())), ["POST /rotate", "POST /rotate"]);
    assert.notDeepEqual(secrets(), theirs);
    assert.deepEqual(secrets(), await valid());
  });

  it("takes the new secrets of a credential that Neon could not reveal before the rotation", async () => {
    const { resource, rotated, path, secrets, valid, sentBy } = await issued(stage());
    await stage().platform.fault({ method: "POST", path: `^${path}/reveal$`, status: 409 });
    await stage().platform.fault({ method: "POST", path: `^${path}/rotate$`, reset: "after" });
    assert.deepEqual(await sentBy(() => resource.up(rotated())), ["POST /rotate"]);
    assert.deepEqual(secrets(), await valid());
  });

  it("says that the secrets may have changed if the answer is lost and Neon cannot reveal them, and rotates in the next up", async () => {
    const { resource, rotated, tokenId, path, secrets, valid, sentBy } = await issued(stage());
    const before = secrets();
    const unrevealed = { method: "POST", path: `^${path}/reveal$`, status: 409, times: 2 };
    await stage().platform.fault(unrevealed);
    await stage().platform.fault({ method: "POST", path: `^${path}/rotate$`, reset: "after" });
    const sent = await sentBy(() =>
      assert.rejects(
        resource.up(rotated()),
        failsWith(
          "its outcome is unknown",
          `Neon does not reveal the secrets of the credential ${resource.name} (${String(tokenId)})`,
          "If they have, those in the state are not valid any more",
          "Run the same command again",
        ),
      ),
    );
    assert.deepEqual(sent, ["POST /rotate"]);
    assert.deepEqual(secrets(), before);
    await stage().platform.clearFaults();
    assert.deepEqual(await sentBy(() => resource.up(rotated())), ["POST /rotate"]);
    assert.deepEqual(secrets(), await valid());
  });

  it("has the new secrets in the state if what follows the rotation fails, and does not rotate again", async () => {
    const { resource, rotated, path, secrets, valid, sentBy } = await issued(stage());
    const list = { method: "GET", path: `^${path.replace(/\/[^/]+$/, "")}$`, status: 400, times: 100 };
    await stage().platform.fault(list);
    await assert.rejects(resource.up(rotated()));
    await stage().platform.clearFaults();
    assert.deepEqual(secrets(), await valid());
    assert.deepEqual(await sentBy(() => resource.up(rotated())), []);
    assert.equal(await resource.up(rotated()), "same");
  });

  it("is not rotated when it is adopted, whatever the trigger", async () => {
    const { resource, rotated, tokenId, secrets, sentBy } = await issued(stage());
    const adopting = await stage().nextRun(stage().resource("Credential"));
    const args = { ...rotated(), name: resource.name, adopt: String(tokenId) };
    assert.deepEqual(await sentBy(() => adopting.up(args)), []);
    assert.equal(adopting.outputs["apiToken"], secrets()[0]);
  });

  for (const [name, issuer] of [
    ["Default object storage credential", "Neon issues one for each branch"],
    ["neon-env main", "`neon env pull` issues one for local environments"],
  ] as const) {
    it(`named ${name} is released instead of revoked, unless this stack has issued it`, async () => {
      const { id: projectId, branchId } = await stage().project();
      const base = { projectId, branchId, name, scopes: ["storage:read", "storage:write"] };
      const own = stage().resource("Credential");
      await own.up(base);
      const path = `/projects/${projectId}/branches/${branchId}/credentials`;
      const { body } = await stage().platform.call("POST", path, { ...base, principal_type: "user" });
      const { token_id: adopt } = body as unknown as { readonly token_id: string };
      const adopted = stage().resource("Credential");
      await adopted.up({ ...base, adopt });
      await stage().nextRun(own);
      await stage().nextRun(adopted);
      assert.equal((await stage().sentBy(projectId, () => own.destroy())).length, 1);
      assert.deepEqual(await stage().sentBy(projectId, () => adopted.destroy()), []);
      assert.deepEqual(adopted.said("warning"), [
        `The credential ${name} (${adopt}) was not issued by a program: ${issuer}. Pulumi only removes it from the state.`,
      ]);
    });
  }
});
