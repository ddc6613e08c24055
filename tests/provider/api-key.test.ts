import assert from "node:assert/strict";
import type { ApiKeyCreateResponse, OrgApiKeysListResponseItem } from "@neondatabase/api-client";
import { after, before, describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { CallError, type ProviderServer, type Values } from "../support/provider-server";
import { EngineResource } from "../support/engine";
import { failsWith, refusesInputs } from "../support/expected-errors";
import { concurrently, onStages, type Stage, suiteStage } from "../support/stage";
import { assertRefreshed } from "../support/up-to-date";

const kinds: readonly KeyKind[] = [
  { kind: "ApiKey", base: once(() => Promise.resolve({})) },
  {
    kind: "OrganizationApiKey",
    base: once(async (stage) => ({ orgId: await stage.platform.firstOrganization() })),
  },
  {
    kind: "ProjectApiKey",
    base: once(async (stage) => {
      const orgId = await stage.platform.firstOrganization();
      return { orgId, projectId: (await stage.project({ org_id: orgId })).id };
    }),
  },
];

describe("API keys", () => {
  const stage = suiteStage();
  const concurrent = concurrently();

  for (const { kind, base: baseOf } of kinds) {
    describe(kind, () => {
      const test = (title: string, run: (base: Values) => Promise<void>): void =>
        concurrent(title, async () => run(await baseOf(stage())));

      test("delete › fails if this run uses the key, which stays valid", async (base) => {
        const resource = stage().resource(kind);
        await resource.up(base);
        const later = await stage().anotherServer({ config: { apiKey: String(resource.outputs["key"]) } });
        try {
          resource.server = later;
          await assert.rejects(resource.destroy(), failsWith("was not revoked: this run uses it", "Use another key"));
        } finally {
          await later.stop();
        }
        resource.server = stage().server;
        assert.equal(await resource.refresh(), "same");
        await resource.destroy();
      });

      test("refresh and delete › leave a key that only has the number of the one in the state", async (base) => {
        const resource = stage().resource(kind);
        await resource.up(base);
        const { outputs } = resource.present;
        const earlier = new Date(Date.parse(String(outputs["createdAt"])) - 60_000).toISOString();
        // The state is of a service that has given its own keys these numbers.
        for (const other of [{ createdAt: earlier }, { name: `${resource.name}-2` }]) {
          resource.state = { ...resource.present, outputs: { ...outputs, ...other } };
          const refused = failsWith("another one of the same number", "`neon:apiUrl`");
          await assert.rejects(resource.refresh(), refused);
          await assert.rejects(resource.destroy(), refused);
        }
        assert.equal((await keysNamed(stage(), base, resource.name)).length, 1);
      });

      test("replace › keeps the old key until everything that depends on it is updated, and warns", async (base) => {
        const resource = stage().resource(kind);
        await resource.up({ ...base, rotateTrigger: "1" });
        const old = resource.outputs;
        const args = { ...base, rotateTrigger: "2" };
        await resource.preview(args);
        const warning = /The old key is revoked after everything in the program that depends on it/;
        assert.match(resource.warning, warning);
        assert.equal(await resource.up(args, { deletesLater: true }), "replace");
        for (const { key } of [old, resource.outputs]) assert.equal(await statusWith(stage(), key, base), 200);
        await resource.deleteReplaced();
        assert.equal(await statusWith(stage(), old["key"], base), 401);
        await assertOnlyKey(stage(), resource, base);
        await assertSettled(resource, args);
      });

      test("delete › fails, as a refresh does, if this API key cannot see the key", async (base) => {
        const resource = stage().resource(kind);
        await resource.up(base);
        const { id, outputs } = resource.present;
        // A revoked key is in no list, like one that this API key cannot see.
        await resource.destroy();
        const [theirs, why] =
          kind === "ApiKey"
            ? [
                { createdBy: "00000000-0000-4000-8000-000000000000" },
                /The API key \S+ \(\d+\) belongs to user 00000000-.*, but neon:apiKey is that of user \S+, who cannot see it\. Use a personal API key of the owner\./,
              ]
            : [
                { orgId: "org-not-seen-000001" },
                /Organization org-not-seen-000001 was not found, but this API key may be unable to see it/,
              ];
        await assert.rejects(stage().server.read(kind, id, { ...outputs, ...theirs }), why);
        await assert.rejects(stage().server.delete(kind, id, { ...outputs, ...theirs }), why);
      });
    });
  }

  concurrent(
    "ApiKey › replace › replaces the key when the trigger is declared later, and not when it is omitted",
    async () => {
      const resource = stage().resource("ApiKey");
      await resource.up({});
      assert.equal((await resource.preview({ rotateTrigger: "1" })).step, "replace");
      await resource.up({ rotateTrigger: "1" });
      const { id } = resource;
      assert.equal(await resource.up({}), "same");
      assert.equal(await resource.up({ rotateTrigger: "1" }), "same");
      assert.equal(resource.id, id);
    },
  );

  describe("with an API key of less permission", () => {
    let orgId = "";
    let projectId = "";
    /** Runs with an organization API key, with a project API key, and with the key of a member who is no administrator. */
    let ofOrganization: ProviderServer;
    let ofProject: ProviderServer;
    let ofMember: ProviderServer;
    before(async () => {
      const { platform } = stage();
      orgId = await platform.firstOrganization();
      projectId = (await stage().project({ org_id: orgId })).id;
      const run = (apiKey: string): Promise<ProviderServer> => stage().anotherServer({ config: { apiKey, orgId } });
      await platform.member(orgId, "member@example.com");
      [ofOrganization, ofProject, ofMember] = await Promise.all([
        createKey(stage(), { orgId }, "organization").then(({ key }) => run(key)),
        createKey(stage(), { orgId, projectId }, "project").then(({ key }) => run(key)),
        platform.signIn("member@example.com").then(run),
      ]);
    });
    after(() => Promise.all([ofOrganization, ofProject, ofMember].map((server) => server.stop())));

    async function assertForbidden(
      kind: KeyKind["kind"],
      args: Values,
      reason: RegExp,
      server: ProviderServer,
    ): Promise<void> {
      const resource = new EngineResource(server, kind, stage().name("refused"));
      await assert.rejects(resource.up(args), reason);
      assert.equal(resource.state, undefined);
      assert.deepEqual(await keysNamed(stage(), kind === "ApiKey" ? {} : { orgId }, resource.name), []);
    }

    it("ApiKey › create › reports 403 for any key but a personal one", async () => {
      const reason = /was not created \(POST .* failed with HTTP 403.*Only a personal API key can create another one/;
      for (const server of [ofOrganization, ofProject]) await assertForbidden("ApiKey", {}, reason, server);
    });

    it("OrganizationApiKey › create › reports 403 for any key but the personal one of an administrator", async () => {
      const reason =
        /was not created \(POST .* failed with HTTP 403.*Only a personal API key of an administrator of the organization/;
      for (const server of [ofOrganization, ofProject, ofMember]) {
        await assertForbidden("OrganizationApiKey", {}, reason, server);
      }
      const unseen =
        /was not created: the object does not exist, or this API key cannot see it \(POST .* failed with HTTP 404.*Only a personal API key of an administrator of the organization/;
      await assertForbidden("OrganizationApiKey", { orgId: "org-not-seen-000001" }, unseen, stage().server);
    });

    it("ProjectApiKey › create › reports 403 for a project API key, and accepts one of the organization", async () => {
      const reason =
        /was not created \(POST .* failed with HTTP 403.*Only a personal API key of a member .* project API keys cannot/;
      await assertForbidden("ProjectApiKey", { projectId }, reason, ofProject);
      const unseen = /cannot see it \(POST .* failed with HTTP 404.*Only a personal API key of a member/;
      await assertForbidden("ProjectApiKey", { projectId: "no-such-project-1" }, unseen, ofOrganization);

      const resource = new EngineResource(ofOrganization, "ProjectApiKey", stage().name("made"));
      await resource.up({ projectId });
      assert.equal(resource.outputs["orgId"], orgId);
      await assertOnlyKey(stage(), resource, { orgId, projectId });
      assert.equal(await resource.refresh(), "same");
      await resource.destroy();
    });

    it("ProjectApiKey › delete › reports 403 when the caller is not an administrator", async () => {
      const resource = new EngineResource(ofMember, "ProjectApiKey", stage().name("made"));
      await resource.up({ projectId });
      await assertOnlyKey(stage(), resource, { orgId, projectId });
      assert.equal(await resource.up({ projectId }), "same");
      await assert.rejects(resource.refresh(), /HTTP 403/);
      await assert.rejects(
        resource.destroy(),
        /was not revoked \(DELETE .* failed with HTTP 403.*Only a personal API key of an administrator of the organization/,
      );
      await assertOnlyKey(stage(), resource, { orgId, projectId });
      resource.server = stage().server;
      assert.equal(await resource.refresh(), "same");
      await resource.destroy();
      assert.deepEqual(await keysNamed(stage(), { orgId }, resource.name), []);
    });

    it("OrganizationApiKey and ProjectApiKey › check › require an organization from the program or from neon:orgId", async () => {
      for (const [kind, args] of [
        ["OrganizationApiKey", {}],
        ["ProjectApiKey", { projectId }],
      ] as const) {
        await assert.rejects(
          stage().resource(kind).preview(args),
          refusesInputs({ orgId: "is required: declare it, or set neon:orgId" }),
        );
      }
      // A key stays in its organization, whatever the settings are later.
      const resource = new EngineResource(ofOrganization, "ProjectApiKey", stage().name("kept"));
      await resource.up({ projectId });
      resource.server = stage().server;
      assert.equal((await resource.preview({ projectId })).step, "same");
      assert.equal((await resource.preview({ projectId, orgId })).step, "same");
      assert.equal((await resource.preview({ projectId, orgId: "org-other-000001" })).step, "replace");
    });
  });
});

describe("API keys", () => {
  const onStage = onStages(2);

  for (const { kind, base: baseOf } of kinds) {
    describe(kind, () => {
      const test = (title: string, run: (stage: Stage, base: Values) => Promise<void>): void =>
        onStage(title, async (stage) => run(stage, await baseOf(stage)));

      test("create › needs no permission to list keys", async (stage, base) => {
        const resource = stage.resource(kind);
        await stage.platform.fault({ method: "GET", path: `^${pathOf(base)}$`, status: 403 });
        await resource.up(base);
        // Two lists look for what is there, the last one reads the key back: no response was lost.
        const sent = (await stage.requests(pathOf(base))).map(({ method }) => method);
        assert.deepEqual(sent, ["GET", "GET", "POST", "GET"]);
        const { outputs } = resource;
        assert.equal(await resource.refresh(), "same");
        assert.deepEqual(resource.outputs, outputs);
        await assertOnlyKey(stage, resource, base);
        await stage.platform.fault({ method: "GET", path: `^${pathOf(base)}$`, status: 403 });
        await assert.rejects(resource.refresh(), /HTTP 403/);
      });
    });
  }

  onStage(
    "ApiKey › create › keeps a key that cannot be read back with its secret, and the next up continues",
    async (stage) => {
      const resource = stage.resource("ApiKey");
      await stage.platform.fault({ method: "GET", path: "^/api_keys$", status: 400, times: 9 });
      await assert.rejects(resource.up({}), (error) => {
        assert.ok(error instanceof CallError);
        assert.match(String(error.partial?.properties["key"]), /^napi_/);
        assert.ok(!error.partial?.reasons.join().includes("napi_"));
        return true;
      });
      await stage.platform.clearFaults();
      const { key } = resource.outputs;
      assert.equal(await resource.up({}), "update");
      assert.equal(resource.outputs["key"], key);
      await assertOnlyKey(stage, resource, {});
      assert.equal(await resource.up({}), "same");
    },
  );
});

/** A kind of key, and the inputs that it requires. */
interface KeyKind {
  readonly kind: KindName & `${string}ApiKey`;
  /** Creates what the inputs refer to, once on each stage. */
  readonly base: (stage: Stage) => Promise<Values>;
}

function once(make: (stage: Stage) => Promise<Values>): KeyKind["base"] {
  const made = new WeakMap<Stage, Promise<Values>>();
  return (stage) => {
    const base = made.get(stage) ?? make(stage);
    made.set(stage, base);
    return base;
  };
}

/** The path of the keys that a program with these inputs creates. */
function pathOf({ orgId }: Values): string {
  return typeof orgId === "string" ? `/organizations/${orgId}/api_keys` : "/api_keys";
}

/** The body of the request that creates such a key. */
function bodyOf({ projectId }: Values, name: string): Values {
  return { key_name: name, ...(projectId === undefined ? {} : { project_id: projectId }) };
}

/** The valid keys with this name. */
async function keysNamed(stage: Stage, base: Values, name: string): Promise<OrgApiKeysListResponseItem[]> {
  const { body } = await stage.platform.call("GET", pathOf(base));
  return (body as unknown as OrgApiKeysListResponseItem[]).filter((key) => key.name === name);
}

/** Creates a key without the provider. */
async function createKey(stage: Stage, base: Values, name: string): Promise<ApiKeyCreateResponse> {
  const answer = await stage.platform.call("POST", pathOf(base), bodyOf(base, name));
  assert.equal(answer.status, 200, answer.body.message);
  return answer.body as unknown as ApiKeyCreateResponse;
}

/** The status of a request with this key. */
async function statusWith(stage: Stage, key: unknown, { projectId }: Values): Promise<number> {
  const path = typeof projectId === "string" ? `/projects/${projectId}` : "/projects?limit=1";
  return (await stage.platform.call("GET", path, undefined, { key: String(key) })).status;
}

/** Asserts that neither an unchanged program nor a refresh finds a difference. */
async function assertSettled(resource: EngineResource, args: Values): Promise<void> {
  assert.equal(await resource.up(args), "same");
  assert.equal(resource.plan?.changes, false);
  await assertRefreshed(resource);
  assert.equal(await resource.up(args), "same");
}

/** Asserts that the key in the state is the only one with the resource's name, and that its secret is valid. */
async function assertOnlyKey(stage: Stage, resource: EngineResource, base: Values): Promise<void> {
  const [key, ...others] = await keysNamed(stage, base, resource.name);
  assert.deepEqual(others, []);
  assert.equal(key?.id, resource.outputs["keyId"]);
  assert.equal(await statusWith(stage, resource.outputs["key"], base), 200);
}
