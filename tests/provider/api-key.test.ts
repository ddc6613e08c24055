import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ApiKeyCreateResponse, OrgApiKeysListResponseItem } from "@neondatabase/api-client";
import { after, before, describe, it } from "mocha";

import type { KindName } from "../../provider/v1";
import { Gate, type HeldChange } from "../reliability/kills/gate";
import { CallError, type DynamicServer, type Values } from "../support/dynamic-server";
import { CheckError, EngineResource } from "../support/engine";
import { entriesIn, journalIn } from "../support/journal";
import { concurrently, onStages, suiteServer, suiteStage, Stage } from "../support/stage";
import { until } from "../support/until";

/** A kind of key, and what a program has to say of one. */
interface KeyKind {
  readonly kind: KindName & `${string}ApiKey`;
  readonly noun: string;
  /** Makes what has to be there before, once on each stage. */
  readonly base: (stage: Stage) => Promise<Values>;
}

const kinds: readonly KeyKind[] = [
  { kind: "ApiKey", noun: "API key", base: once(() => Promise.resolve({})) },
  {
    kind: "OrganizationApiKey",
    noun: "organization API key",
    base: once(async (stage) => ({ orgId: await stage.platform.firstOrganization() })),
  },
  {
    kind: "ProjectApiKey",
    noun: "project API key",
    base: once(async (stage) => {
      const orgId = await stage.platform.firstOrganization();
      return { orgId, projectId: (await stage.project({ org_id: orgId })).id };
    }),
  },
];

function once(make: (stage: Stage) => Promise<Values>): KeyKind["base"] {
  const made = new WeakMap<Stage, Promise<Values>>();
  return (stage) => {
    const base = made.get(stage) ?? make(stage);
    made.set(stage, base);
    return base;
  };
}

/** Where the keys are that such a program makes. */
function pathOf({ orgId }: Values): string {
  return typeof orgId === "string" ? `/organizations/${orgId}/api_keys` : "/api_keys";
}

/** The valid keys of this name. */
async function keysNamed(stage: Stage, base: Values, name: string): Promise<OrgApiKeysListResponseItem[]> {
  const { body } = await stage.platform.call("GET", pathOf(base));
  return (body as unknown as OrgApiKeysListResponseItem[]).filter((key) => key.name === name);
}

/** A key that nobody manages. */
async function foreignKey(stage: Stage, base: Values, name: string): Promise<ApiKeyCreateResponse> {
  const { projectId } = base;
  const body = { key_name: name, ...(projectId === undefined ? {} : { project_id: projectId }) };
  const answer = await stage.platform.call("POST", pathOf(base), body);
  assert.equal(answer.status, 200, answer.body.message);
  return answer.body as unknown as ApiKeyCreateResponse;
}

/** How the platform answers whoever sends this key. */
async function statusWith(stage: Stage, key: unknown, { projectId }: Values): Promise<number> {
  const path = typeof projectId === "string" ? `/projects/${projectId}` : "/projects?limit=1";
  return (await stage.platform.call("GET", path, undefined, { key: String(key) })).status;
}

/** The one key of a resource's name is the one in its state, and its secret works. */
async function assertOnlyKey(stage: Stage, resource: EngineResource, base: Values): Promise<void> {
  const [key, ...others] = await keysNamed(stage, base, resource.name);
  assert.deepEqual(others, []);
  assert.equal(key?.id, resource.outputs["keyId"]);
  assert.equal(await statusWith(stage, resource.outputs["key"], base), 200);
}

/** What a state says, without what is ours in it. */
function shown({ outputs }: EngineResource): Values {
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => !name.startsWith("__")));
}

describe("access keys", () => {
  const home = mkdtempSync(join(tmpdir(), "neon-pulumi-home-"));
  const stage = suiteStage({ home, config: { logLevel: "debug" } });
  /** Every resource of these tests. */
  const resources: EngineResource[] = [];
  /** Another run, which has seen nothing of what this one has taken over. */
  const later = suiteServer(stage);
  after(() => rmSync(home, { recursive: true, force: true }));
  const concurrent = concurrently();

  function declared(kind: KindName): EngineResource {
    const resource = stage().resource(kind);
    resources.push(resource);
    return resource;
  }

  for (const { kind, noun, base: baseOf } of kinds) {
    const test = (title: string, run: (base: Values) => Promise<void>): void =>
      concurrent(`${kind}: ${title}`, async () => run(await baseOf(stage())));

    test("makes a key, tells its secret and keeps it, and then nothing is left to do", async (base) => {
      const resource = declared(kind);
      assert.equal(await resource.up(base), "create");
      const { orgId, projectId } = base;
      const body = { key_name: resource.name, ...(projectId === undefined ? {} : { project_id: projectId }) };
      const sent = (await stage().sent(resource.name)).map(({ method, path, body }) => [method, path, body]);
      assert.deepEqual(sent, [["POST", pathOf(base), body]]);
      await assertOnlyKey(stage(), resource, base);
      const [listed] = await keysNamed(stage(), base, resource.name);
      const key = resource.outputs["key"];
      assert.match(String(key), /^napi_/);
      const outputs = {
        ...base,
        keyId: listed?.id,
        name: resource.name,
        key,
        createdAt: listed?.created_at,
        createdBy: listed?.created_by.id,
      };
      assert.deepEqual(shown(resource), outputs);
      assert.equal(resource.id, (typeof orgId === "string" ? `${orgId}/` : "") + String(listed?.id));

      assert.equal(await resource.up(base), "same");
      assert.equal(resource.plan?.changes, false);
      // It has been used by now: when is nobody's difference.
      assert.equal(await resource.refresh(), "same");
      assert.deepEqual(shown(resource), outputs);
      assert.equal(resource.present.inputs["key"], undefined);
      assert.equal(await resource.up(base), "same");
    });

    test("revokes the key on destroy, at once", async (base) => {
      const resource = declared(kind);
      await resource.up(base);
      const { key } = resource.outputs;
      await resource.destroy();
      assert.equal(await statusWith(stage(), key, base), 401);
      assert.deepEqual(await keysNamed(stage(), base, resource.name), []);
    });

    test("rotates by making the new key first and revoking the old one last", async (base) => {
      const resource = declared(kind);
      const args = { ...base, rotateTrigger: "2030-01" };
      await resource.up(args);
      const old = resource.present;
      const plan = await resource.preview({ ...args, rotateTrigger: "2030-02" });
      assert.deepEqual([plan.step, plan.replaces, plan.deleteBeforeReplace], ["replace", ["rotateTrigger"], false]);
      assert.match(await resource.warning(), /The old key is revoked when everything that depends on it here/);

      assert.equal(await resource.up({ ...args, rotateTrigger: "2030-02" }), "replace");
      assert.notEqual(resource.id, old.id);
      const requests = (await stage().sent()).map(({ method, path }) => `${method} ${path}`);
      const made = requests.lastIndexOf(`POST ${pathOf(base)}`);
      const revoked = requests.indexOf(`DELETE ${pathOf(base)}/${String(old.outputs["keyId"])}`);
      assert.ok(revoked >= 0 && made >= 0);
      assert.equal(await statusWith(stage(), old.outputs["key"], base), 401);
      await assertOnlyKey(stage(), resource, base);
      assert.equal(await resource.up({ ...args, rotateTrigger: "2030-02" }), "same");
      assert.equal(await resource.refresh(), "same");
    });

    test("lets both keys work until the engine deletes the old one", async (base) => {
      const resource = declared(kind);
      await resource.up({ ...base, rotateTrigger: "1" });
      const old = resource.present;
      // As the engine does it: what depends on the key is updated between these two calls.
      const next = new EngineResource(stage().server, kind, resource.name);
      await next.up({ ...base, rotateTrigger: "2" });
      for (const { outputs } of [old, next.present]) {
        assert.equal(await statusWith(stage(), outputs["key"], base), 200);
      }
      await resource.destroy();
      assert.equal(await statusWith(stage(), old.outputs["key"], base), 401);
      await assertOnlyKey(stage(), next, base);
    });

    test("rotates when the trigger is declared later, and leaves the key alone when it goes", async (base) => {
      const resource = declared(kind);
      await resource.up(base);
      assert.equal((await resource.preview({ ...base, rotateTrigger: "1" })).step, "replace");
      await resource.up({ ...base, rotateTrigger: "1" });
      const { id } = resource;
      assert.equal(await resource.up(base), "same");
      assert.equal(await resource.up({ ...base, rotateTrigger: "1" }), "same");
      assert.equal(resource.id, id);
    });

    test("replaces a key to rename it", async (base) => {
      const resource = declared(kind);
      await resource.up(base);
      const plan = await resource.preview({ ...base, name: "another" });
      assert.deepEqual([plan.step, plan.replaces, plan.deleteBeforeReplace], ["replace", ["name"], false]);
    });

    test("adopts a key by its id, without its secret, and revokes it in a later run", async (base) => {
      const resource = declared(kind);
      const { id, key } = await foreignKey(stage(), base, resource.name);
      const before = (await stage().sent()).length;
      await resource.up({ ...base, adopt: String(id), rotateTrigger: "1" });
      assert.equal(resource.outputs["keyId"], id);
      assert.ok(!("key" in resource.outputs));
      for (const args of [
        { ...base, rotateTrigger: "1" },
        { ...base, adopt: resource.id, rotateTrigger: "1" },
      ]) {
        assert.equal(await resource.up(args), "same");
        assert.equal(resource.plan?.changes, false);
      }
      assert.equal(await resource.refresh(), "same");
      const mine = (await stage().sent()).slice(before).filter(({ path }) => path.endsWith(`/${id}`));
      assert.deepEqual(mine, []);
      await assert.rejects(
        resource.preview({ ...base, adopt: String(id), rotateTrigger: "2" }),
        /would adopt the object that is deleted afterwards/,
      );
      resource.server = later();
      await resource.destroy();
      assert.equal(await statusWith(stage(), key, base), 401);
    });

    test("refuses to adopt what is no id, by `adopt` alone", async (base) => {
      for (const adopt of [true, 165434, "deployment"]) {
        await assert.rejects(
          stage()
            .resource(kind)
            .preview({ ...base, adopt }),
          (error) => {
            assert.ok(error instanceof CheckError);
            assert.deepEqual(
              error.failures.map(({ property }) => property),
              ["adopt"],
            );
            assert.match(error.failures[0]?.reason ?? "", /^must be the id of a key/);
            return true;
          },
        );
      }
    });

    test("fails to adopt what is not there, or has another name", async (base) => {
      const resource = declared(kind);
      await assert.rejects(
        resource.up({ ...base, adopt: "999999999" }),
        new RegExp(`There is no ${noun} "999999999" to adopt`),
      );
      const { id } = await foreignKey(stage(), base, `not-${resource.name}`);
      await assert.rejects(resource.up({ ...base, adopt: String(id) }), /cannot be adopted: .* name/);
      assert.equal(resource.state, undefined);
    });

    test("takes a name of at most 64 characters", async (base) => {
      await assert.rejects(
        stage()
          .resource(kind)
          .preview({ ...base, name: "x".repeat(65) }),
        (error) => {
          assert.ok(error instanceof CheckError);
          assert.deepEqual(error.failures, [{ property: "name", reason: "must be at most 64 characters long" }]);
          return true;
        },
      );
    });

    test("does not take a key for gone that somebody else's key does not see", async (base) => {
      const resource = declared(kind);
      await resource.up(base);
      const { id, outputs } = resource.present;
      // Revoked, so that it is in no list: as a key is for those who do not see it.
      await resource.destroy();
      const [theirs, why] =
        kind === "ApiKey"
          ? [{ createdBy: "00000000-0000-4000-8000-000000000000" }, /belongs to the user 00000000-.* does not see it/]
          : [
              { orgId: "org-not-seen-000001" },
              /Organization org-not-seen-000001 was not found, but this API key may be unable to see it/,
            ];
      await assert.rejects(stage().server.read(kind, id, { ...outputs, ...theirs }), why);
      await assert.rejects(stage().server.delete(kind, id, { ...outputs, ...theirs }), why);
    });

    test("makes a key again that somebody has revoked, and takes a revoked one for deleted", async (base) => {
      const resource = declared(kind);
      await resource.up(base);
      const path = `${pathOf(base)}/${String(resource.outputs["keyId"])}`;
      await stage().platform.call("DELETE", path);
      assert.equal(await resource.refresh(), "gone");
      assert.equal(await resource.up(base), "create");
      await assertOnlyKey(stage(), resource, base);

      await stage().platform.call("DELETE", `${pathOf(base)}/${String(resource.outputs["keyId"])}`);
      await resource.destroy();
      assert.deepEqual(await keysNamed(stage(), base, resource.name), []);
    });
  }

  it("§6.23 tell their secret in the output `key` and nowhere else: not in ids, inputs, messages, rows, logs or the journal", () => {
    const states = resources.flatMap(({ state }) => (state === undefined ? [] : [state]));
    const secrets = states.map(({ outputs }) => String(outputs["key"])).filter((key) => key.startsWith("napi_"));
    assert.ok(secrets.length >= kinds.length);
    assert.match(stage().server.output, /api_keys 200 \d+ ms/);
    const journal = entriesIn(journalIn(home)).map(({ text }) => text);
    const told = [
      ...states.flatMap(({ id, inputs, outputs: { key: _, ...others }, failed }) => [
        id,
        ...failed,
        JSON.stringify([inputs, others]),
      ]),
      ...[stage().server, later()].flatMap(({ output, lines }) => [output, ...lines.map(({ text }) => text)]),
      ...journal,
    ];
    for (const text of told) {
      for (const secret of secrets) assert.ok(!text.includes(secret), text.replaceAll(secret, "<secret>"));
    }
  });
});

describe("an access key whose answer is lost", () => {
  const onStage = onStages(2);

  for (const { kind, noun, base: baseOf } of kinds) {
    const test = (title: string, run: (stage: Stage, base: Values) => Promise<void>): void =>
      onStage(`${kind}: ${title}`, async (stage) => run(stage, await baseOf(stage)));

    test("is left with exactly one key, the one in its state, if the key was made", async (stage, base) => {
      const resource = stage.resource(kind);
      await stage.platform.fault({ method: "POST", path: `^${pathOf(base)}$`, reset: "after" });
      await resource.up(base);
      await assertOnlyKey(stage, resource, base);
      assert.match(
        await resource.warning(),
        new RegExp(`A request whose answer was lost created the ${noun} \\S+\\. Its secret is lost`),
      );
      const sent = (await stage.sent(pathOf(base))).map(({ method }) => method);
      assert.deepEqual(sent, ["POST", "DELETE", "POST"]);
      assert.equal(await resource.up(base), "same");
      assert.equal(await resource.refresh(), "same");
    });

    test("keeps its hands off keys of the same name that were there before or are in use", async (stage, base) => {
      const resource = stage.resource(kind);
      const used = await foreignKey(stage, base, resource.name);
      assert.equal(await statusWith(stage, used.key, base), 200);
      const twin = stage.resource(kind);
      await twin.up({ ...base, name: resource.name });
      await stage.platform.fault({ method: "POST", path: `^${pathOf(base)}$`, reset: "after" });
      await resource.up({ ...base, name: resource.name });
      const left = (await keysNamed(stage, base, resource.name)).map(({ id }) => id);
      assert.deepEqual(left, [used.id, twin.outputs["keyId"], resource.outputs["keyId"]]);
    });

    test("never takes a key that another resource makes of the same name at the same time for its own", async (stage, base) => {
      const name = stage.name("shared");
      const resources = [1, 2, 3].map(() => stage.resource(kind));
      await stage.platform.fault({ method: "POST", path: `^${pathOf(base)}$`, reset: "after", times: 2 });
      await Promise.all(resources.map((resource) => resource.up({ ...base, name })));
      const left = (await keysNamed(stage, base, name)).map(({ id }) => id).sort();
      assert.deepEqual(left, resources.map(({ outputs }) => outputs["keyId"]).sort());
      for (const { outputs } of resources) assert.equal(await statusWith(stage, outputs["key"], base), 200);
    });

    test("counts as revoked if the key is", async (stage, base) => {
      const resource = stage.resource(kind);
      await resource.up(base);
      await stage.platform.fault({ method: "DELETE", path: `^${pathOf(base)}/`, reset: "after" });
      await resource.destroy();
      assert.deepEqual(await keysNamed(stage, base, resource.name), []);
      assert.equal((await stage.sent(pathOf(base))).length, 2);
    });

    test("is made also by those who may not list keys", async (stage, base) => {
      const resource = stage.resource(kind);
      await stage.platform.fault({ method: "GET", path: `^${pathOf(base)}$`, status: 403 });
      await resource.up(base);
      const { outputs } = resource;
      assert.equal(await resource.refresh(), "same");
      assert.deepEqual(resource.outputs, outputs);
      await assertOnlyKey(stage, resource, base);
      await stage.platform.fault({ method: "GET", path: `^${pathOf(base)}$`, status: 403 });
      await assert.rejects(resource.refresh(), /HTTP 403/);
    });

    test("is kept with its secret when it cannot be read back, and the next up goes on", async (stage, base) => {
      const resource = stage.resource(kind);
      await stage.platform.fault({ method: "GET", path: `^${pathOf(base)}$`, status: 400, times: 2 });
      await assert.rejects(resource.up(base), (error) => {
        assert.ok(error instanceof CallError);
        assert.match(String(error.partial?.properties["key"]), /^napi_/);
        assert.ok(!error.partial?.reasons.join().includes("napi_"));
        return true;
      });
      await stage.platform.clearFaults();
      const { key } = resource.outputs;
      assert.equal(await resource.up(base), "update");
      assert.equal(resource.outputs["key"], key);
      await assertOnlyKey(stage, resource, base);
      assert.equal(await resource.up(base), "same");
    });

    // What is not there is looked for for seconds: one kind is enough.
    if (kind !== "ApiKey") continue;
    test("is revoked again if it is not", async (stage, base) => {
      const resource = stage.resource(kind);
      await resource.up(base);
      await stage.platform.fault({ method: "DELETE", path: `^${pathOf(base)}/`, status: 502 });
      await resource.destroy();
      assert.deepEqual(await keysNamed(stage, base, resource.name), []);
    });

    test("is left without one, and says so, if none was made; the next up makes it", async (stage, base) => {
      const resource = stage.resource(kind);
      // An answer that cannot be read may hold a secret as well.
      const body = { id: "no number", key: "napi_that_nobody_reads", name: 5 };
      await stage.platform.fault({ method: "POST", path: `^${pathOf(base)}$`, status: 200, body });
      await assert.rejects(resource.up(base), (error: Error) => {
        assert.match(error.message, /outcome is unknown.*The next `pulumi up` checks again first/);
        assert.ok(!error.message.includes("napi_"));
        return true;
      });
      assert.equal(resource.state, undefined);
      assert.deepEqual(await keysNamed(stage, base, resource.name), []);
      await resource.up(base);
      await assertOnlyKey(stage, resource, base);
      assert.deepEqual(resource.said("warning"), []);
    });
  }
});

describe("who may have access keys made", () => {
  const stage = suiteStage();
  let orgId = "";
  let projectId = "";
  /** Runs with an organization's key, with one for a project, and with that of a member who administers nothing. */
  let ofOrganization: DynamicServer;
  let ofProject: DynamicServer;
  let ofMember: DynamicServer;
  before(async () => {
    const { platform } = stage();
    orgId = await platform.firstOrganization();
    projectId = (await stage().project({ org_id: orgId })).id;
    const run = (apiKey: string): Promise<DynamicServer> => stage().anotherServer({ config: { apiKey, orgId } });
    await platform.member(orgId, "member@example.com");
    [ofOrganization, ofProject, ofMember] = await Promise.all([
      foreignKey(stage(), { orgId }, "organization").then(({ key }) => run(key)),
      foreignKey(stage(), { orgId, projectId }, "project").then(({ key }) => run(key)),
      platform.signIn("member@example.com").then(run),
    ]);
  });
  after(() => Promise.all([ofOrganization, ofProject, ofMember].map((server) => server.stop())));

  async function assertRefused(
    kind: KeyKind["kind"],
    args: Values,
    reason: RegExp,
    server: DynamicServer,
  ): Promise<void> {
    const resource = new EngineResource(server, kind, stage().name("refused"));
    await assert.rejects(resource.up(args), reason);
    assert.equal(resource.state, undefined);
    assert.deepEqual(await keysNamed(stage(), kind === "ApiKey" ? {} : { orgId }, resource.name), []);
  }

  it("is said where the key that asks may not: personal ones are made with a personal key", async () => {
    const reason = /A personal API key belongs to a user: only another personal key can make one.*HTTP 403/;
    for (const server of [ofOrganization, ofProject]) await assertRefused("ApiKey", {}, reason, server);
  });

  it("is said where the key that asks may not: an organization's are made by an administrator in person", async () => {
    const reason =
      /Only an administrator of an organization can make a key for all of it, .* personal API key.*HTTP 403/;
    for (const server of [ofOrganization, ofProject, ofMember]) {
      await assertRefused("OrganizationApiKey", {}, reason, server);
    }
    const unseen = /Only an administrator of an organization can make a key for all of it.*HTTP 404/;
    await assertRefused("OrganizationApiKey", { orgId: "org-not-seen-000001" }, unseen, stage().server);
  });

  it("is said where the key that asks may not: a project's are made by members and by the organization's keys", async () => {
    const reason =
      /A key for one project can be made by any member .* no key for one project can make another.*HTTP 403/;
    await assertRefused("ProjectApiKey", { projectId }, reason, ofProject);
    const unseen = /A key for one project can be made by any member.*HTTP 404/;
    await assertRefused("ProjectApiKey", { projectId: "no-such-project-1" }, unseen, ofOrganization);

    const resource = new EngineResource(ofOrganization, "ProjectApiKey", stage().name("made"));
    await resource.up({ projectId });
    assert.equal(resource.outputs["orgId"], orgId);
    await assertOnlyKey(stage(), resource, { orgId, projectId });
    assert.equal(await resource.refresh(), "same");
    await resource.destroy();
  });

  it("is any member, for one project: only who administers the organization can list and revoke such a key", async () => {
    const resource = new EngineResource(ofMember, "ProjectApiKey", stage().name("made"));
    await resource.up({ projectId });
    await assertOnlyKey(stage(), resource, { orgId, projectId });
    assert.equal(await resource.up({ projectId }), "same");
    await assert.rejects(resource.refresh(), /HTTP 403/);
    await assert.rejects(
      resource.destroy(),
      /Only an administrator of an organization can revoke the keys of its projects.*HTTP 403/,
    );
    await assertOnlyKey(stage(), resource, { orgId, projectId });
    resource.server = stage().server;
    assert.equal(await resource.refresh(), "same");
    await resource.destroy();
    assert.deepEqual(await keysNamed(stage(), { orgId }, resource.name), []);
  });

  it("of an organization has to be told by the program or by neon:orgId", async () => {
    const failures = [{ property: "orgId", reason: "is required: declare it, or set neon:orgId" }];
    for (const [kind, args] of [
      ["OrganizationApiKey", {}],
      ["ProjectApiKey", { projectId }],
    ] as const) {
      await assert.rejects(stage().resource(kind).preview(args), (error) => {
        assert.ok(error instanceof CheckError);
        assert.deepEqual(error.failures, failures);
        return true;
      });
    }
    // What was made for an organization stays there, whatever is set later.
    const resource = new EngineResource(ofOrganization, "ProjectApiKey", stage().name("kept"));
    await resource.up({ projectId });
    resource.server = stage().server;
    assert.equal((await resource.preview({ projectId })).step, "same");
    assert.equal((await resource.preview({ projectId, orgId })).step, "same");
    assert.equal((await resource.preview({ projectId, orgId: "org-other-000001" })).step, "replace");
  });
});

describe("§6.8 a process that is killed while it makes an access key", () => {
  const home = mkdtempSync(join(tmpdir(), "neon-pulumi-home-"));
  const stage = suiteStage();
  /** Holds requests until the process that has sent them is killed. */
  let gate: Gate;
  let here: DynamicServer;
  const killed = new Map<string, string>();
  const anotherServer = (): Promise<DynamicServer> => stage().anotherServer({ home, config: { apiUrl: gate.apiUrl } });

  before(async () => {
    gate = await Gate.before(stage().platform.apiUrl);
    const server = await anotherServer();
    const held: HeldChange[] = [];
    for (const { kind, base: baseOf } of kinds) {
      const base = await baseOf(stage());
      const resource = new EngineResource(server, kind, stage().name(kind.toLowerCase()));
      killed.set(kind, resource.name);
      const change = gate.holdNextChange();
      held.push(change);
      // It never gets its answer.
      resource.up(base).catch(() => undefined);
      await change.arrived;
    }
    await server.stop("SIGKILL");
    for (const change of held) change.pass();
    await until(() => gate.passed.filter(({ method }) => method === "POST").length === kinds.length);
    here = await anotherServer();
  });
  after(async () => {
    await here.stop();
    await gate.close();
    rmSync(home, { recursive: true, force: true });
  });

  for (const { kind, base: baseOf } of kinds) {
    it(`leaves one that the next run finds by the journal, revokes and makes anew: ${kind}`, async () => {
      const base = await baseOf(stage());
      const name = killed.get(kind) ?? "";
      const [orphan, ...others] = await keysNamed(stage(), base, name);
      assert.ok(orphan);
      assert.deepEqual(others, []);

      const resource = new EngineResource(here, kind, name);
      await resource.up(base);
      assert.notEqual(resource.outputs["keyId"], orphan.id);
      await assertOnlyKey(stage(), resource, base);
      assert.match(await resource.warning(), /Its secret is lost, so it was revoked/);
      assert.equal(await resource.up(base), "same");
    });
  }

  it("leaves alone keys of which nobody can tell which one it has made", async () => {
    const server = await anotherServer();
    const interrupted = new EngineResource(server, "ApiKey", stage().name("apikey"));
    const change = gate.holdNextChange();
    // It never gets its answer.
    interrupted.up({}).catch(() => undefined);
    await change.arrived;
    await server.stop("SIGKILL");
    change.pass();
    await until(async () => (await keysNamed(stage(), {}, interrupted.name)).length > 0);
    await foreignKey(stage(), {}, interrupted.name);
    const both = (await keysNamed(stage(), {}, interrupted.name)).map(({ id }) => id);

    const resource = new EngineResource(here, "ApiKey", interrupted.name);
    assert.equal(await resource.up({}), "create");
    const warning = await resource.warning();
    assert.ok(
      both.every((id) => warning.includes(String(id))),
      warning,
    );
    assert.match(warning, /Nothing tells which, so they were left unchanged, and a new one is created/);
    const ids = (await keysNamed(stage(), {}, interrupted.name)).map(({ id }) => id);
    assert.deepEqual([...ids].sort(), [...both, resource.outputs["keyId"]].sort());
    assert.equal(await resource.up({}), "same");
  });

  it("leaves nothing in the journal after that", () => {
    assert.deepEqual(entriesIn(journalIn(home)), []);
  });
});
