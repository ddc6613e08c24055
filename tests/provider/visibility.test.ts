import assert from "node:assert/strict";

import { afterEach, before, beforeEach, describe, it } from "mocha";

import type { NeonClient } from "../../api/client";
import { ProjectVisibility } from "../../provider/call/visibility";
import { accountOf, type Account } from "../support/account";
import type { Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { suiteRuns } from "../support/runs";
import { changed } from "../support/sample";
import { samples } from "../support/samples";
import { suiteServer, suiteStage } from "../support/stage";
import { HurriedClock } from "../support/hurried-clock";
import { suite } from "../support/suite";

const kinds = ["Project", "Branch", "Endpoint", "Role", "Database", "JwksUrl"] as const;

/** Something in the state, with what the program declares of it, and another declaration that updates it. */
interface Declared {
  readonly resource: EngineResource;
  readonly args: Values;
  readonly other: Values | undefined;
  readonly projectId: string;
}

/** Whose project it is. */
const projectOwners = ["a user", "an organization"] as const;

const clock = new HurriedClock();
const stage = suiteStage({ clock });
const runs = suiteRuns(stage);
/** A later run, with the key of the owner. */
const owners = suiteServer(stage);

/** The error says that the key may not see the project, names the accounts, and what can be done. */
function isInvisible(projectId: string, ...names: readonly string[]): (error: unknown) => boolean {
  const reason = `Project ${projectId} was not found, but this API key may be unable to see it`;
  return failsWith(reason, ...names, "Use a key of the project's owner", "it may have been transferred");
}

describe("an object that the API key cannot see", () => {
  let stranger: Account;
  let owner: Account;
  let orgId: string;
  before(async () => {
    const { platform } = stage();
    stranger = await accountOf(platform, await platform.signIn("stranger@example.com"));
    owner = await accountOf(platform, platform.apiKey);
    orgId = await platform.organization();
  });
  /** A later run, with the key of the other account. */
  const strangers = suite(
    () => stage().anotherServer({ config: { apiKey: stranger.apiKey } }),
    (server) => server.stop(),
  );
  afterEach(async () => {
    // Every test compares all accounts as a whole.
    for (const query of ["", `&org_id=${orgId}`]) {
      const { body } = await stage().platform.call("GET", `/projects?limit=400${query}`);
      for (const { id } of body.projects) await stage().platform.call("DELETE", `/projects/${id}`);
    }
  });

  async function declared(kind: (typeof kinds)[number], whose: (typeof projectOwners)[number]): Promise<Declared> {
    const ofOrganization = async (): Promise<Values> =>
      kind === "Project" ? { orgId } : { projectId: (await stage().project({ org_id: orgId })).id };
    const args = whose === "a user" ? await samples[kind].declare(stage()) : await ofOrganization();
    const resource = stage().resource(kind);
    await resource.up(args);
    const [change] = samples[kind].inPlace(args, resource.outputs);
    const other = change === undefined ? undefined : changed(args, change.input, change.to);
    return { resource, args, other, projectId: String(resource.outputs["projectId"]) };
  }

  /** The state as a version wrote it that did not record whose a project is. */
  function withoutOwner(resource: EngineResource): void {
    const { __neon, ...outputs } = resource.outputs;
    const { owner: known, ...hidden } = __neon as Values;
    assert.notEqual(known, undefined);
    resource.state = { ...resource.present, outputs: { ...outputs, __neon: hidden } };
  }

  for (const whose of projectOwners) {
    for (const kind of whose === "a user" ? kinds : (["Project", "Branch"] as const)) {
      it(`${kind} in a project of ${whose} stays in the state in refresh, up and destroy, and the error names both accounts`, async () => {
        const { resource, args, other, projectId } = await declared(kind, whose);
        const { state } = resource;
        const [strangerId = ""] = stranger.names;
        const [ownerId = ""] = whose === "a user" ? owner.names : [orgId];
        for (const written of ["by this version", "without an owner"] as const) {
          resource.state = state;
          if (written === "without an owner") withoutOwner(resource);
          const names =
            written === "by this version" ? [strangerId, ownerId] : [strangerId, "not recorded in the state"];
          const before = resource.present;
          const changes = await runs().changesBy(async () => {
            resource.server = strangers();
            for (const command of [
              () => resource.refresh(),
              ...(other === undefined ? [] : [() => resource.up(other)]),
              () => resource.destroy(),
            ]) {
              await assert.rejects(command(), isInvisible(projectId, ...names));
              assert.deepEqual(resource.state, before);
            }
          }, [stranger.apiKey]);
          assert.deepEqual(changes, []);
        }
        // Its owner's key goes on as if nothing had been.
        resource.server = owners();
        assert.equal(await resource.up(args), "same");
        assert.equal(await resource.refresh(), "same");
        await resource.destroy();
      });

      // A state with a user as the owner is among the tests of every kind.
      const written = whose === "a user" ? "without an owner" : "with its owner";
      it(`${kind}, whose project of ${whose} was deleted elsewhere, is dropped by a refresh with its owner's key, in state ${written}`, async () => {
        const { resource, args, projectId } = await declared(kind, whose);
        if (whose === "a user") withoutOwner(resource);
        const { state } = resource;
        await stage().platform.call("DELETE", `/projects/${projectId}`);
        resource.server = owners();
        await resource.destroy();
        resource.state = state;
        assert.equal((await resource.preview(args)).step, "same");
        assert.equal(await resource.refresh(), "gone");
      });
    }
  }

  it("moves to an explicit provider of another account without a change, and its refresh fails instead of dropping it", async () => {
    const { resource, args, projectId } = await declared("Branch", "a user");
    const { state } = resource;
    resource.server = strangers();
    assert.equal(await resource.up(args), "same");
    await assert.rejects(resource.refresh(), isInvisible(projectId, stranger.names[0] ?? ""));
    assert.equal(resource.id, state?.id);
  });

  it("is dropped by a refresh of any member of the organization if it was deleted elsewhere", async () => {
    const email = "member@example.com";
    const apiKey = await stage().platform.signIn(email);
    const organization = await stage().platform.organization({ name: "Shared" });
    await stage().platform.member(organization, email);
    const resource = stage().resource("Project");
    await resource.up({ orgId: organization });
    await stage().platform.call("DELETE", `/projects/${resource.id}`);
    const { state } = resource;
    const place = runs().place({ apiKey });
    await runs().run([resource], async () => assert.equal(await resource.refresh(), "gone"), place);

    await stage().platform.leave(organization, email);
    resource.state = state;
    const refused = isInvisible(String(state?.id), organization);
    await runs().run([resource], () => assert.rejects(resource.refresh(), refused), place);
    assert.deepEqual(resource.state, state);
  });
});

describe("an object in a project that was transferred to another organization", () => {
  const email = "ann@example.com";
  /** The organizations that had the project and that have it now, and a key that sees only the former one. */
  let [from, to, formerKey] = ["", "", ""];
  beforeEach(async () => {
    const { platform } = stage();
    [from, to] = [await platform.organization({ name: "Former" }), await platform.organization({ name: "Present" })];
    formerKey = await platform.signIn(email);
    await platform.member(from, email, "admin");
  });

  /** A project in the state and a branch in it, of the former organization. */
  async function declared(): Promise<readonly [EngineResource, EngineResource]> {
    const [project, branch] = [stage().resource("Project"), stage().resource("Branch")];
    await project.up({ orgId: from });
    await branch.up({ projectId: project.id });
    return [project, branch];
  }

  async function refresh(resources: readonly EngineResource[]): Promise<void> {
    for (const resource of resources) {
      resource.server = owners();
      await resource.refresh();
    }
  }

  async function transfer({ id }: EngineResource): Promise<void> {
    const body = { destination_org_id: to, project_ids: [id] };
    const { status } = await stage().platform.call("POST", `/organizations/${from}/projects/transfer`, body);
    assert.equal(status, 200);
  }

  function ownersOf(resources: readonly EngineResource[]): unknown {
    return resources.map(({ outputs }) => (outputs["__neon"] as Values)["owner"]);
  }

  for (const isRefreshed of [true, false]) {
    it(`stays in the state in refresh and destroy with a key of the former organization, ${isRefreshed ? "after" : "without"} a refresh since`, async () => {
      const resources = await declared();
      const [project] = resources;
      await transfer(project);
      if (isRefreshed) await refresh(resources);
      assert.deepEqual(ownersOf(resources), Array(2).fill({ orgId: isRefreshed ? to : from }));
      const refused = isInvisible(project.id, isRefreshed ? to : from, "pulumi state delete");
      const changes = await runs().changesByRun(
        resources,
        async () => {
          for (const resource of resources) {
            const { state } = resource;
            await assert.rejects(resource.refresh(), refused);
            await assert.rejects(resource.destroy(), refused);
            assert.deepEqual(resource.state, state);
          }
        },
        runs().place({ apiKey: formerKey }),
      );
      assert.deepEqual(changes, []);
    });
  }

  it("is not replaced by a program that declares the new organization after a refresh", async () => {
    const resources = await declared();
    const [project, branch] = resources;
    await transfer(project);
    await refresh(resources);
    const changes = await runs().changesByRun(resources, async () => {
      assert.equal(await project.up({ orgId: to }), "update");
      assert.equal(await branch.up({ projectId: project.id }), "same");
      assert.equal(await project.up({ orgId: to }), "same");
    });
    assert.deepEqual(changes, []);
    assert.equal(project.outputs["orgId"], to);
  });

  it("is dropped by a refresh with a key of the new organization if the project was deleted there, whatever the state says", async () => {
    const resources = await declared();
    const [project] = resources;
    await transfer(project);
    await stage().platform.call("DELETE", `/projects/${project.id}`);
    const newEmail = "bob@example.com";
    const apiKey = await stage().platform.signIn(newEmail);
    await stage().platform.member(to, newEmail);
    await runs().run(
      resources,
      async () => {
        for (const resource of resources) assert.equal(await resource.refresh(), "gone");
      },
      runs().place({ apiKey }),
    );
  });
});

describe("an object in a project of an organization that the key's user leaves", () => {
  it("stays in the state although the same run has found another object of the project deleted before", async () => {
    const { platform } = stage();
    const organization = await platform.organization();
    const email = "eve@example.com";
    const apiKey = await platform.signIn(email);
    await platform.member(organization, email);
    const { id: projectId } = await stage().project({ org_id: organization });
    const [branch, jwksUrl] = [stage().resource("Branch"), stage().resource("JwksUrl")];
    await branch.up({ projectId });
    await jwksUrl.up({
      projectId,
      jwksUrl: "https://example.com/keys.json",
      providerName: "example",
      skipRoleCreation: true,
    });
    await platform.call("DELETE", `/projects/${branch.id.replace("/", "/branches/")}`);
    await stage().settled(projectId);

    await runs().run(
      [branch, jwksUrl],
      async () => {
        assert.equal(await branch.refresh(), "gone");
        await platform.leave(organization, email);
        const { state } = jwksUrl;
        await assert.rejects(jwksUrl.refresh(), isInvisible(projectId, organization));
        await assert.rejects(jwksUrl.destroy(), isInvisible(projectId, organization));
        assert.deepEqual(jwksUrl.state, state);
      },
      runs().place({ apiKey }),
    );
  });
});

describe("the check whether a key can see a project", () => {
  /** A platform with one project that can be seen, whose answers wait until the test lets them pass. */
  function platform(): { readonly visibility: ProjectVisibility; readonly waiting: (() => void)[]; asked: number } {
    const waiting: (() => void)[] = [];
    const result = { visibility: new ProjectVisibility(read as NeonClient["send"]), waiting, asked: 0 };
    function read(): Promise<unknown> {
      result.asked += 1;
      return new Promise((resolve) => waiting.push(() => resolve({ project: { id: "shop-1" } })));
    }
    return result;
  }

  async function settled(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  it("is one request for all objects that are not found while an earlier check waits, which proves nothing for them", async () => {
    const shop = platform();
    const ended: string[] = [];
    const assertVisible = (name: string): void => {
      void shop.visibility.assertVisible("shop-1", undefined).then(() => ended.push(name));
    };
    assertVisible("first");
    await settled();
    for (const name of ["second", "third"]) assertVisible(name);
    await settled();
    assert.equal(shop.asked, 1);
    shop.waiting[0]?.();
    await settled();
    assert.deepEqual([ended, shop.asked], [["first"], 2]);
    shop.waiting[1]?.();
    await settled();
    assert.deepEqual([ended, shop.asked], [["first", "second", "third"], 2]);
    assertVisible("fourth");
    await settled();
    assert.equal(shop.asked, 3);
  });
});

describe("a project that is not found at first", () => {
  const notFound = { status: 404, body: { code: "", message: "not found" } };

  it("stays in the state if it is found then: a refresh, an update and a deletion fail", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const { state } = project;
    const path = `/projects/${project.id}$`;
    const found = failsWith(`Project ${project.id} was not found at first, but exists`, "Run the same command again");
    await stage().platform.fault({ method: "GET", path, times: 2, ...notFound });
    await assert.rejects(project.refresh(), found);
    const calls = {
      PATCH: () => project.up({ historyRetentionSeconds: 3600 }),
      DELETE: () => project.destroy(),
    };
    for (const [method, call] of Object.entries(calls)) {
      await stage().platform.fault({ method, path, times: 1, ...notFound });
      await stage().platform.fault({ method: "GET", path, times: 1, ...notFound });
      await assert.rejects(call(), found);
      await stage().platform.clearFaults();
    }
    assert.deepEqual(project.state, state);
    assert.equal(await project.refresh(), "same");
  });

  it("keeps its connection if the computes of its first branch are not found, and the branch exists", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const { state } = project;
    await stage().platform.fault({ method: "GET", path: "/endpoints$", times: 1, ...notFound });
    await assert.rejects(project.refresh(), /not found/);
    assert.deepEqual(project.state, state);
  });

  it("loses its connection, and not the id of its first branch, if that is not found", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const { defaultBranchId, host } = project.outputs as { readonly defaultBranchId: string; readonly host: string };
    assert.ok(host.length > 0);
    const path = `/branches/${defaultBranchId}(/endpoints)?$`;
    await stage().platform.fault({ method: "GET", path, times: 4, ...notFound });
    await project.refresh();
    await stage().platform.clearFaults();
    assert.equal(project.outputs["defaultBranchId"], defaultBranchId);
    assert.equal(project.outputs["host"], undefined);
  });

  it("is gone if it was deleted after it was read and before its computes were", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const { body } = await stage().platform.call("GET", `/projects/${project.id}`);
    await stage().platform.call("DELETE", `/projects/${project.id}`);
    await stage().platform.fault({ method: "GET", path: `/projects/${project.id}$`, times: 1, status: 200, body });
    assert.equal(await project.refresh(), "gone");
  });
});

// Last, because time goes on for all objects.
describe("a project that was deleted elsewhere more than 7 days ago", () => {
  it("stays in the state with an error that says how to remove it, because nothing proves that it was not transferred", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const { state } = project;
    await stage().platform.call("DELETE", `/projects/${project.id}`);
    project.server = owners();
    assert.equal(await project.refresh(), "gone");

    clock.putForward(7 * 24 * 3_600_000);
    project.state = state;
    project.server = await runs().start();
    const refused = isInvisible(
      project.id,
      "for 7 days",
      "remove the resource from the state with `pulumi state delete`",
    );
    await assert.rejects(project.refresh(), refused);
    await assert.rejects(project.destroy(), refused);
    assert.deepEqual(project.state, state);
  });
});
