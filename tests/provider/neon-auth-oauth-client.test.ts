import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { refusesInputs } from "../support/expected-errors";
import { HurriedClock } from "../support/hurried-clock";
import type { Values } from "../support/provider-server";
import { enableAuth, enableOauthProvider } from "../support/samples/neon-auth";
import { neonAuthOauthClient as sample } from "../support/samples/neon-auth-oauth-client";
import { branchPath } from "../support/samples/object";
import { type Stage, suiteStage } from "../support/stage";

/** What a program declares of a client, and what is there and sent of those of its branch. */
async function declaredClient(stage: Stage) {
  const declared = await sample.declare(stage);
  const path = `${branchPath(declared)}/auth/oauth-provider/clients`;
  return {
    declared,
    path,
    clients: async () => {
      const { body } = await stage.platform.call("GET", path);
      return (body as unknown as { readonly clients: readonly Values[] }).clients;
    },
    sentBy: async (step: () => Promise<unknown>) =>
      (await stage.sentBy(String(declared["projectId"]), step)).map(
        (one) => `${one.method} ${one.path.replace(path, "").replace(/[A-Za-z]{32}/, "<id>")}`,
      ),
  };
}

describe("NeonAuthOauthClient", () => {
  const clock = new HurriedClock();
  const stage = suiteStage({ clock });

  it("takes the client of a lost response, and gives it another secret", async () => {
    const { declared, path, clients, sentBy } = await declaredClient(stage());
    const resource = stage().resource("NeonAuthOauthClient");
    await stage().platform.fault({ method: "POST", path: `^${path}$`, reset: "after" });
    assert.deepEqual(await sentBy(() => resource.up(declared)), ["POST ", "POST /<id>/rotate_secret"]);
    assert.match(String(resource.outputs["clientSecret"]), /^[A-Za-z]{32}$/);
    assert.deepEqual(
      (await clients()).map(({ client_id: id }) => id),
      [resource.outputs["clientId"]],
    );
    assert.equal(await resource.refresh(), "same");
    assert.equal(await resource.up(declared), "same");
  });

  it("goes on with a client whose new secret did not arrive either, and registers no second one", async () => {
    const { declared, path, clients, sentBy } = await declaredClient(stage());
    const resource = stage().resource("NeonAuthOauthClient");
    await stage().platform.fault({ method: "POST", path: `^${path}$`, reset: "after" });
    await stage().platform.fault({ method: "POST", path: "rotate_secret$", status: 400 });
    await assert.rejects(resource.up(declared), /rotate_secret/);
    assert.deepEqual(await sentBy(() => resource.up(declared)), ["POST /<id>/rotate_secret"]);
    assert.match(String(resource.outputs["clientSecret"]), /^[A-Za-z]{32}$/);
    assert.equal((await clients()).length, 1);
    assert.equal(await resource.up(declared), "same");
  });

  it("does not take a client of the same name for its own, nor rotate its secret", async () => {
    const { declared, path, clients, sentBy } = await declaredClient(stage());
    const { name, type, redirectUris, resources } = declared;
    const theirs = { name, type, redirect_uris: redirectUris, resources };
    await stage().platform.call("POST", path, theirs);
    clock.putForward(120_000);
    const resource = stage().resource("NeonAuthOauthClient");
    await stage().platform.fault({ method: "POST", path: `^${path}$`, reset: "before" });
    assert.deepEqual(
      await sentBy(() => assert.rejects(resource.up(declared), /No object was found that it could have created/)),
      ["POST "],
    );
    assert.equal((await clients()).length, 1);
  });

  it("sends a rotation again whose response was lost, because only a response has the secret", async () => {
    const { declared, sentBy } = await declaredClient(stage());
    const resource = stage().resource("NeonAuthOauthClient");
    await resource.up(declared);
    const before = resource.outputs["clientSecret"];
    await stage().platform.fault({ method: "POST", path: "rotate_secret$", reset: "after" });
    const rotated = { ...declared, rotateTrigger: "1" };
    assert.deepEqual(await sentBy(() => resource.up(rotated)), [
      "POST /<id>/rotate_secret",
      "POST /<id>/rotate_secret",
    ]);
    assert.notEqual(resource.outputs["clientSecret"], before);
    assert.equal(await resource.up(rotated), "same");
  });

  it("has no secret after an adoption until the trigger changes, and says so", async () => {
    const { declared, sentBy } = await declaredClient(stage());
    const theirs = stage().resource("NeonAuthOauthClient");
    await theirs.up(declared);
    const adopting = await stage().nextRun(stage().resource("NeonAuthOauthClient"));
    const args = { ...declared, adopt: theirs.outputs["clientId"] };
    assert.deepEqual(await sentBy(() => adopting.up(args)), []);
    assert.equal(adopting.outputs["clientSecret"], undefined);
    assert.deepEqual(await sentBy(() => adopting.up({ ...args, rotateTrigger: "1" })), ["POST /<id>/rotate_secret"]);
    assert.match(String(adopting.outputs["clientSecret"]), /^[A-Za-z]{32}$/);
  });

  it("of the type public has no secret", async () => {
    const { declared } = await declaredClient(stage());
    const resource = stage().resource("NeonAuthOauthClient");
    await resource.up({ ...declared, type: "public" });
    assert.equal(resource.outputs["clientSecret"], undefined);
    assert.equal(await resource.refresh(), "same");
  });

  it("is refused with the declaration that is missing if Neon Auth is no OAuth provider, or lacks the resource", async () => {
    const { declared } = await declaredClient(stage());
    const { id: projectId, branchId } = await stage().project();
    await enableAuth(stage(), { projectId, branchId });
    const resource = stage().resource("NeonAuthOauthClient");
    const advice = /Declare `plugins: \{ oauthProvider: \{ enabled: true/;
    await assert.rejects(resource.up({ ...declared, projectId, branchId }), advice);
    await assert.rejects(resource.up({ ...declared, resources: ["https://other.example.com"] }), advice);
  });
});

describe("NeonAuth as an OAuth provider", () => {
  const stage = suiteStage();
  const plugins = { oauthProvider: { enabled: true } };
  const onChild = (branchId: string, parent: string) =>
    refusesInputs({
      "plugins.oauthProvider.enabled": `must not be true on this branch: Neon enables the OAuth provider on root branches only, and ${branchId} has a parent, ${parent}`,
    });

  it("is refused in the preview on a branch with a parent, unless the branch has inherited it", async () => {
    const { id: projectId, branchId: parent } = await stage().project();
    const { id: branchId } = await stage().branch(projectId);
    const auth = stage().resource("NeonAuth");
    await assert.rejects(auth.preview({ projectId, branchId, plugins }), onChild(branchId, parent));
    await auth.up({ projectId, branchId });
    await assert.rejects(auth.preview({ projectId, branchId, plugins }), onChild(branchId, parent));
    await enableOauthProvider(stage(), { projectId, branchId: parent });
    const { id: heir } = await stage().branch(projectId);
    const inherited = stage().resource("NeonAuth");
    await inherited.up({ projectId, branchId: heir, adopt: true });
    assert.equal(await inherited.up({ projectId, branchId: heir, adopt: true, plugins }), "same");
    const replaced = { projectId, branchId: heir, plugins, databaseName: "other" };
    await assert.rejects(inherited.preview(replaced), onChild(heir, parent));
  });

  it("keeps the members of the MCP server that the program does not declare, and reverts those that it does", async () => {
    const { id: projectId, branchId } = await stage().project();
    const auth = stage().resource("NeonAuth");
    const resource = "https://mcp.example.com";
    const declared = { projectId, branchId, plugins: { oauthProvider: { enabled: true, mcp: { resource } } } };
    await auth.up(declared);
    const path = `${branchPath({ projectId, branchId })}/auth/plugins/oauth-provider`;
    const theirs = { resource: "https://other.example.com", client_id_metadata_documents: true };
    await stage().platform.call("PATCH", path, { mcp: theirs });
    assert.equal(await auth.refresh(), "changed");
    assert.equal(await auth.up(declared), "update");
    const { body } = await stage().platform.call("GET", path);
    const { mcp } = body as unknown as Values;
    assert.deepEqual(mcp, { resource, dynamic_registration: false, client_id_metadata_documents: true });
  });

  it("is of no matter to a program without it where the service does not know its route", async () => {
    const { id: projectId, branchId } = await stage().project();
    const auth = stage().resource("NeonAuth");
    const path = "/auth/plugins/oauth-provider$";
    const body = { code: "", message: "this route does not exist" };
    await stage().platform.fault({ path, status: 404, times: 1000, body });
    const declared = { projectId, branchId, name: "Shop" };
    await auth.up(declared);
    assert.equal(await auth.refresh(), "same");
    const unknown = /Neon does not know this route/;
    await assert.rejects(auth.up({ ...declared, plugins }), unknown);
    await stage().platform.clearFaults();
    await auth.up({ ...declared, plugins });
    await stage().platform.fault({ path, status: 404, times: 1000, body });
    await assert.rejects(auth.refresh(), unknown);
    await stage().platform.clearFaults();
  });

  it("leaves an MCP server alone that the program does not declare", async () => {
    const { id: projectId, branchId } = await stage().project();
    const auth = stage().resource("NeonAuth");
    const declared = { projectId, branchId, plugins };
    await auth.up(declared);
    const path = `${branchPath({ projectId, branchId })}/auth/plugins/oauth-provider`;
    const mcp = { resource: "https://mcp.example.com", dynamic_registration: true };
    await stage().platform.call("PATCH", path, { mcp });
    await auth.refresh();
    assert.deepEqual(await stage().sentBy(projectId, () => auth.up(declared)), []);
  });
});
