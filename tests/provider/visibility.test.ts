import assert from "node:assert/strict";

import { afterEach, before, beforeEach, describe, it } from "mocha";

import { accountOf, type Account } from "../reliability/refactoring/account";
import type { Values } from "../support/dynamic-server";
import type { EngineResource } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { StackRuns } from "../support/runs";
import { suiteServer, suiteStage } from "../support/stage";
import { suite } from "../support/suite";

const kinds = ["Project", "Branch", "Endpoint", "Role", "Database", "JwksUrl"] as const;

/** Something in the state, with what the program declares of it and another declaration. */
interface Declared {
  readonly resource: EngineResource;
  readonly args: Values;
  readonly other: Values;
  readonly projectId: string;
}

/** Whose project it is. */
const projectOwners = ["a user", "an organization"] as const;

describe("an object that the API key cannot see", () => {
  const stage = suiteStage();
  let runs: StackRuns;
  let stranger: Account;
  let owner: Account;
  let orgId: string;
  before(async () => {
    const { platform } = stage();
    stranger = await accountOf(platform, await platform.signIn("stranger@example.com"));
    owner = await accountOf(platform, platform.apiKey);
    orgId = await platform.organization();
  });
  /** Later runs, with the key of either account. */
  const owners = suiteServer(stage);
  const strangers = suite(
    () => stage().anotherServer({ config: { apiKey: stranger.apiKey } }),
    (server) => server.stop(),
  );
  beforeEach(() => {
    runs = new StackRuns(stage());
  });
  afterEach(async () => {
    await runs.close();
    // Every test compares all accounts as a whole.
    for (const query of ["", `&org_id=${orgId}`]) {
      const { body } = await stage().platform.call("GET", `/projects?limit=400${query}`);
      for (const { id } of body.projects) await stage().platform.call("DELETE", `/projects/${id}`);
    }
  });

  async function declared(kind: (typeof kinds)[number], whose: (typeof projectOwners)[number]): Promise<Declared> {
    const resource = stage().resource(kind);
    const isOrganizations = whose === "an organization";
    const place =
      kind === "Project" ? { id: "", branchId: "" } : await stage().project(isOrganizations ? { org_id: orgId } : {});
    const base = { projectId: place.id, branchId: place.branchId };
    const { projectId } = base;
    const [args, change]: readonly [Values, Values] = {
      Project: [isOrganizations ? { orgId } : {}, { historyRetentionSeconds: 3600 }] as const,
      Branch: [{ projectId }, { protected: true }] as const,
      Endpoint: [{ ...base, type: "read_only" }, { autoscalingLimitMaxCu: 1 }] as const,
      Role: [base, { passwordTrigger: "1" }] as const,
      Database: [{ ...base, ownerName: "neondb_owner" }, { name: stage().name("database") }] as const,
      JwksUrl: [
        { projectId, jwksUrl: "https://example.com/keys.json", providerName: "example", skipRoleCreation: true },
        { providerName: "other" },
      ] as const,
    }[kind];
    await resource.up(args);
    return { resource, args, other: { ...args, ...change }, projectId: String(resource.outputs["projectId"]) };
  }

  /** The state as a version wrote it that did not record whose a project is. */
  function withoutOwner(resource: EngineResource): void {
    const { __neon, ...outputs } = resource.outputs;
    const { owner: known, ...hidden } = __neon as Values;
    assert.notEqual(known, undefined);
    resource.state = { ...resource.present, outputs: { ...outputs, __neon: hidden } };
  }

  /** The error says that the key may not see the project, names the accounts, and what can be done. */
  function isInvisible(projectId: string, ...names: readonly string[]): (error: unknown) => boolean {
    const reason = `Project ${projectId} was not found, but this API key may be unable to see it`;
    return failsWith(reason, ...names, "Use a key of the project's owner");
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
          const changes = await runs.changesBy(async () => {
            resource.server = strangers();
            for (const command of [
              () => resource.refresh(),
              ...(kind === "JwksUrl" ? [] : [() => resource.up(other)]),
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
    const place = runs.place({ apiKey });
    await runs.run([resource], async () => assert.equal(await resource.refresh(), "gone"), place);

    await stage().platform.leave(organization, email);
    resource.state = state;
    const refused = isInvisible(String(state?.id), organization);
    await runs.run([resource], () => assert.rejects(resource.refresh(), refused), place);
    assert.deepEqual(resource.state, state);
  });
});
