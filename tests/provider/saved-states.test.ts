import assert from "node:assert/strict";
import { mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { describe, it } from "mocha";

import { SavedStates } from "../../provider/ownership/saved-states";
import type { Values } from "../support/dynamic-server";
import type { EngineResource } from "../support/engine";
import { assertSays, failsWith, refusesAdoption } from "../support/expected-errors";
import { BranchFixture } from "../support/branch-fixture";
import { entriesIn, entriesOf, journalIn } from "../support/journal";
import { AdjustableClock } from "../support/platform-clock";
import { samples } from "../support/samples";
import { suiteRuns } from "../support/runs";
import { suiteServer, suiteStage } from "../support/stage";
import { saveState } from "../support/state-file";
import { until } from "../support/until";

const clock = new AdjustableClock();
/** Its own provider process is that of a stack with another backend. */
const stage = suiteStage({ clock });
const later = suiteServer(stage);
const runs = suiteRuns(stage);

/** Creates a resource in a run that is killed when the engine has received it. */
async function killedAfterCreate(resource: EngineResource, args: Values = {}, place = runs().place()): Promise<void> {
  resource.server = await runs().start(place);
  await resource.up(args);
  await runs().end(resource.server, "SIGKILL");
}

/** The same resource in a state that does not contain it. */
function again({ kind, name }: EngineResource): EngineResource {
  return stage().resource(kind, name);
}

/** Runs an `up` that creates another object, and asserts that it changes nothing else. */
async function assertAnother(resource: EngineResource, args: Values = {}, place = runs().place()): Promise<void> {
  const changes = await runs().changesBy(() =>
    runs().run([resource], async () => assert.equal(await resource.up(args), "create"), place),
  );
  assert.deepEqual(changes, [`added /projects/${resource.id}`]);
}

/** A file of the backend, by its path below `.pulumi`. */
function backendFile(...path: readonly string[]): string {
  const file = join(fileURLToPath(runs().place().backend), ".pulumi", ...path);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

describe("an object of a killed run that Pulumi has saved", () => {
  it("stays with the renamed stack when a new stack gets the old name", async () => {
    const project = stage().resource("Project");
    await killedAfterCreate(project);
    saveState({ ...runs().place(), project: "shop", stack: "production" }, [project]);
    const fresh = again(project);
    await assertAnother(fresh);
    assertSays(fresh.warning, `The project ${project.id} has the same name.`, { without: /adopt/ });
    await runs().changesBy(() => runs().run([fresh], () => fresh.destroy()));
    assert.equal((await stage().projectOf(project.id)).id, project.id);
  });

  it("stays with the stack to which it was moved", async () => {
    const args = { projectId: (await stage().project()).id };
    const branch = stage().resource("Branch");
    await killedAfterCreate(branch, args);
    saveState({ ...runs().place(), project: "billing", stack: "dev" }, [branch]);
    const changes = await runs().changesBy(() =>
      runs().run([again(branch)], () =>
        assert.rejects(again(branch).up(args), /A branch with this name already exists/),
      ),
    );
    assert.deepEqual(changes, []);
  });

  for (const [title, file, pack] of [
    ["a backup of the state", ["backups", "shop", "dev", "dev.1.json"], String],
    ["the state before the last change", ["stacks", "shop", "dev.json.bak"], String],
    ["a compressed state of another stack", ["stacks", "shop", "other.json.gz"], gzipSync],
  ] as const) {
    it(`is not recovered if ${title} holds it`, async () => {
      const project = stage().resource("Project");
      await killedAfterCreate(project);
      const { id, urn } = project;
      const state = JSON.stringify({ version: 3, checkpoint: { latest: { resources: [{ id, urn }] } } });
      writeFileSync(backendFile(...file), pack(state));
      await assertAnother(again(project));
    });
  }

  it("is named, and not recovered, if the backend's states cannot be read", async () => {
    const place = runs().place({ backend: "https://api.pulumi.example" });
    const project = stage().resource("Project");
    await killedAfterCreate(project, {}, place);
    const fresh = again(project);
    await assertAnother(fresh, {}, place);
    assertSays(fresh.warning, `The project ${project.id} has the same name.`, { without: /adopt/ });
  });

  it("is settled once the program runs again with it", async () => {
    const project = stage().resource("Project");
    await killedAfterCreate(project);
    runs().save([project]);
    await runs().run([project], async () => assert.equal(await project.up({}), "same"));
    assert.deepEqual(entriesIn(journalIn(runs().place().home)), []);
  });
});

describe("an object of a killed run that no state holds", () => {
  for (const [title, creating, step] of [
    ["is recovered if the state says that it was being created", true, "adopt"],
    [
      "is named, and not recovered, if the state says that it was created: somebody has removed it since",
      false,
      "create",
    ],
  ] as const) {
    it(title, async () => {
      const project = stage().resource("Project");
      await killedAfterCreate(project);
      saveState({ ...runs().place(), project: "shop", stack: "dev" }, [], creating ? [project.urn] : []);
      const next = again(project);
      const changes = await runs().changesBy(() => runs().run([next], () => next.up({})));
      assert.deepEqual(changes, step === "adopt" ? [] : [`added /projects/${next.id}`]);
      assert.equal(next.id === project.id, step === "adopt");
    });
  }

  it("is recovered", async () => {
    const project = stage().resource("Project");
    await killedAfterCreate(project);
    const next = again(project);
    const changes = await runs().changesBy(() => runs().run([next], () => next.up({})));
    assert.deepEqual([changes, next.id], [[], project.id]);
  });

  it("is recovered although an older state held one of the same name, which is its id", async () => {
    const fixture = await BranchFixture.on(stage());
    const role = stage().resource("Role");
    await killedAfterCreate(role, fixture.base);
    runs().save([role]);
    const old = backendFile("stacks", "shop", "dev.json.bak");
    renameSync(backendFile("stacks", "shop", "dev.json"), old);
    utimesSync(old, 0, 0);
    const next = again(role);
    const changes = await runs().changesBy(() => runs().run([next], () => next.up(fixture.base)));
    assert.deepEqual([changes, next.id], [[], role.id]);
  });

  it("is recovered after a run that ended by itself, but could not write its state", async () => {
    const project = stage().resource("Project");
    project.server = await runs().start();
    await project.up({});
    await runs().end(project.server);
    const next = again(project);
    await runs().run([next], () => next.up({}));
    assert.equal(next.id, project.id);
  });

  it("is left, with a warning, if the program now declares what cannot be changed in place", async () => {
    const project = stage().resource("Project");
    await killedAfterCreate(project, { regionId: "aws-eu-central-1" });
    const next = again(project);
    await assertAnother(next, { regionId: "aws-us-east-2" });
    assertSays(next.said("warning")[0] ?? "", `An interrupted run created the project ${project.id}.`, /`regionId`/);
  });
});

describe("the state files of a backend that is a folder", () => {
  for (const [file, isOwn] of [
    ["shop/dev.json", true],
    ["shop/dev.json.gz", true],
    // A backend that does not distinguish projects.
    ["dev.json", true],
    ["dev.json.gz", true],
    ["shop/production.json", false],
    ["billing/dev.json", false],
    ["infra-stacks/dev.json", false],
    ["infra-stacks/dev.json.gz", false],
    ["infra-stacks/shop/dev.json", false],
    ["stacks/shop/dev.json", false],
    ["workshop/dev.json", false],
  ] as const) {
    it(`count stacks/${file} as that of ${isOwn ? "the stack dev of the project shop" : "another stack than dev of the project shop"}`, () => {
      const { urn, kind } = stage().resource("Branch");
      const id = "shop-1/br-1";
      const operation = { type: "creating", resource: { urn } };
      const latest = { resources: [{ urn, id }], pending_operations: [operation] };
      const state = JSON.stringify({ version: 3, checkpoint: { latest } });
      for (const copy of [file, `${file}.bak`]) {
        writeFileSync(backendFile("stacks", ...copy.split("/")), file.endsWith(".gz") ? gzipSync(state) : state);
      }
      const states = new SavedStates(() => dirname(backendFile("stacks")));
      states.remember();
      const name = file.replace(/\.json(\.gz)?$/, "");
      assert.equal(states.otherStackWith(urn, undefined, { kind, id }), isOwn ? undefined : name);
      assert.equal(states.wasCreating(urn), isOwn ? true : undefined);
    });
  }
});

describe("a stack that was renamed", () => {
  const key = { kind: "Role", id: "shop-1/br-1/app" };
  const own = { attempt: "00000000000000aa" };
  const other = { attempt: "00000000000000bb" };
  const save = (stack: string, hidden: object): void => {
    const urn = `urn:pulumi:${stack}::shop::pulumi-nodejs:dynamic/neon:Role::app`;
    const latest = { resources: [{ urn, id: key.id, outputs: { __neon: hidden } }] };
    writeFileSync(
      backendFile("stacks", "shop", `${stack}.json`),
      JSON.stringify({ version: 3, checkpoint: { latest } }),
    );
  };

  it("is known by its entries: its own state is not that of another stack, one that has its former name is", () => {
    const { urn } = stage().resource("Role");
    const states = new SavedStates(() => dirname(backendFile("stacks")));
    save("renamed", own);
    assert.equal(states.otherStackWith(urn, own.attempt, key), undefined);
    save("dev", other);
    assert.equal(states.otherStackWith(urn, own.attempt, key), "shop/dev");
  });

  it("is told from its copy by its name", () => {
    const { urn } = stage().resource("Role");
    const states = new SavedStates(() => dirname(backendFile("stacks")));
    save("dev", own);
    assert.equal(states.otherStackWith(urn, own.attempt, key), undefined);
    save("copy", own);
    assert.equal(states.otherStackWith(urn, own.attempt, key), "shop/copy");
  });
});

describe("an object whose name another one has now", () => {
  it("is not recovered: another program created a role after the killed one was deleted by hand", async () => {
    const fixture = await BranchFixture.on(stage());
    const role = stage().resource("Role");
    role.server = await runs().start();
    const { server } = role;
    await stage().platform.fault({ action: "apply_config", end: "stuck" });
    role.up(fixture.base).catch(() => undefined);
    await until(() => entriesOf(journalIn(runs().place().home), role.urn).some(({ content }) => content["objectId"]));
    await server.stop("SIGKILL");
    await stage().platform.clearFaults();
    await fixture.call("DELETE", fixture.role(role.name));
    // Times of roles have whole seconds, and the platform's clock is known to two.
    clock.putForward(4_100);
    await fixture.call("POST", fixture.role(), { role: { name: role.name } });
    const next = again(role);
    const changes = await runs().changesBy(() =>
      runs().run([next], () => assert.rejects(next.up(fixture.base), /A role with this name already exists/)),
    );
    assert.deepEqual(changes, []);
  });
});

describe("an object of a killed run that a program in another backend has adopted", () => {
  for (const [title, place] of [
    ["whose creation was not answered yet", "before its answer"],
    ["whose operations were in progress", "after its answer"],
  ] as const) {
    it(`is left to that program: a branch ${title}`, async () => {
      const args = { projectId: (await stage().project()).id };
      const branch = stage().resource("Branch");
      const gate = await runs().gate();
      await stage().platform.fault({ action: "create_branch", end: "stuck" });
      branch.server = await runs().start();
      const { server } = branch;
      const isKilled = new Promise<void>((resolve) => {
        gate.intercept({ number: 1, changesOnly: true, place, act: () => runs().end(server, "SIGKILL").then(resolve) });
      });
      branch.up(args).catch(() => undefined);
      await isKilled;
      gate.intercept(undefined);
      await stage().platform.clearFaults();

      const adopting = stage().resource("Branch");
      const elsewhere = runs().place({ backend: runs().folders.backend("second") });
      const program = { ...args, name: branch.name, adopt: true };
      await runs().run([adopting], () => adopting.up(program), elsewhere);
      assert.deepEqual(entriesIn(journalIn(elsewhere.home)), []);
      const next = again(branch);
      const changes = await runs().changesBy(() =>
        runs().run([next], () => assert.rejects(next.up(args), /A branch with this name already exists/)),
      );
      assert.deepEqual(changes, []);
    });
  }
});

describe("a killed creation that never arrived", () => {
  it("leaves the restriction that another program has made since with another label", async () => {
    const orgId = await stage().platform.firstOrganization();
    const vpcEndpointId = stage().name("vpce");
    const assignment = `/organizations/${orgId}/vpc/region/aws-eu-central-1/vpc_endpoints/${vpcEndpointId}`;
    await stage().platform.call("POST", assignment, { label: "office" });
    const { id: projectId } = await stage().project({ org_id: orgId });
    const gate = await runs().gate();
    const args = { projectId, vpcEndpointId, label: "ours" };
    const killed = stage().resource("VpcEndpointRestriction");
    killed.server = await runs().start();
    const held = gate.holdNextChange();
    killed.up(args).catch(() => undefined);
    await held.arrived;
    await runs().end(killed.server, "SIGKILL");
    held.drop();

    const theirs = `/projects/${projectId}/vpc_endpoints/${vpcEndpointId}`;
    await stage().platform.call("POST", theirs, { label: "theirs" });
    const next = again(killed);
    const changes = await runs().changesBy(() =>
      runs().run([next], () => assert.rejects(next.up(args), /already exists/)),
    );
    assert.deepEqual(changes, []);
  });
});

describe("a state that is older than the objects on the platform", () => {
  it("does not delete the role and the database that another program created with the same names", async () => {
    const fixture = await BranchFixture.on(stage());
    const role = stage().resource("Role");
    const database = stage().resource("Database");
    await role.up(fixture.base);
    await database.up({ ...fixture.base, ownerName: role.name });
    const stale = [database, role].map((resource) => Object.assign(again(resource), { state: resource.state }));
    const saved = stale.map(({ state }) => state);
    await database.destroy();
    await role.destroy();
    role.state = database.state = undefined;
    // Times of roles have whole seconds.
    clock.putForward(1_100);
    await role.up(fixture.base);
    await database.up({ ...fixture.base, ownerName: role.name });

    const changes = await runs().changesBy(() =>
      runs().run(stale, async () => {
        for (const resource of stale) await resource.destroy();
      }),
    );
    assert.deepEqual(changes, []);
    for (const resource of stale) {
      assertSays(resource.warning, "was not deleted: it is not the one in the state", /another one of the same name/);
    }
    const [staleDatabase, staleRole] = stale;
    assert.ok(staleDatabase && staleRole);
    Object.assign(staleRole, { state: saved[1] });
    Object.assign(staleDatabase, { state: saved[0] });
    await runs().run([staleDatabase, staleRole], async () => {
      const changed = /is not the one in the state .* but another one of the same name/;
      await assert.rejects(staleRole.up({ ...fixture.base, passwordTrigger: "2" }), changed);
      await assert.rejects(staleDatabase.up({ ...fixture.base, ownerName: "neondb_owner" }), changed);
      await staleRole.refresh();
      await staleDatabase.refresh();
    });
    for (const resource of stale) {
      assert.match(resource.said("warning").at(-1) ?? "", /The state holds this one now\./);
    }
  });
});

describe("two resources of one program that have the same object in the state", () => {
  it("are refused at every up until one of them is removed, which deletes nothing", async () => {
    const args = { projectId: (await stage().project()).id, name: stage().name("live") };
    const branch = stage().resource("Branch");
    await branch.up(args);
    const second = stage().resource("Branch");
    // A run in which the other one came later, and failed.
    await runs().run([second], () => second.up({ ...args, adopt: true }));
    for (const round of [1, 2]) {
      await runs().run([branch, second], async () => {
        assert.equal(await branch.up(args), "same", `run ${round}`);
        await assert.rejects(second.up(args), /is already managed by Branch .* remove one of the two from the program/);
      });
    }
    const changes = await runs().changesBy(() =>
      runs().run([branch, second], async () => {
        assert.equal(await branch.up(args), "same");
        await second.destroy();
      }),
    );
    assert.deepEqual(changes, []);
  });
});

describe("a compute that another stack manages", () => {
  it("is not changed by a stack whose state holds the branch, too, which declares it in the other stack", async () => {
    const { id: projectId } = await stage().project();
    const theirs = stage().resource("Branch");
    theirs.server = later();
    const compute = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };
    await theirs.up({ projectId, name: "shared", compute });

    const branch = stage().resource("Branch");
    const args = { projectId, name: "shared", adopt: String(theirs.outputs["branchId"]) };
    const changes = await runs().changesBy(() =>
      runs().run([branch], async () => {
        await branch.up({ ...args, compute });
        // Of a backend that was another one until now.
        saveState({ ...runs().place(), project: "billing", stack: "dev" }, [theirs]);
        const larger = { ...compute, autoscalingLimitMaxCu: 4 };
        await assert.rejects(branch.up({ ...args, compute: larger }), /another stack manages its compute ep-/);
      }),
    );
    assert.deepEqual(changes, []);
  });

  it("is left, with a warning, by the branch that created it and stops declaring it", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    await runs().run([branch], () => branch.up({ projectId, compute: { autoscalingLimitMaxCu: 1 } }));
    const { branchId, endpointId } = branch.outputs;
    const endpoint = stage().resource("Endpoint");
    endpoint.server = later();
    await endpoint.up({ projectId, branchId, type: "read_write", adopt: endpointId });
    saveState({ ...runs().place(), project: "billing", stack: "dev" }, [endpoint]);

    const changes = await runs().changesBy(() => runs().run([branch], () => branch.up({ projectId })));
    assert.deepEqual(changes, []);
    assert.match(
      branch.warning,
      new RegExp(`^The compute ${String(endpointId)} of branch .* another stack manages it`, "m"),
    );
  });

  it("is neither changed nor deleted by the branch that starts and stops declaring it", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    await runs().run([branch], () => branch.up({ projectId }));
    const endpoint = stage().resource("Endpoint");
    endpoint.server = later();
    await endpoint.up({ projectId, branchId: branch.outputs["branchId"], type: "read_write" });
    saveState({ ...runs().place(), project: "billing", stack: "dev" }, [endpoint]);

    const changes = await runs().changesBy(() =>
      runs().run([branch], async () => {
        await branch.refresh();
        await assert.rejects(
          branch.up({ projectId, compute: { autoscalingLimitMaxCu: 4 } }),
          /another stack manages its compute ep-/,
        );
        await branch.refresh();
        await branch.up({ projectId });
      }),
    );
    assert.deepEqual(changes, []);
  });
});

describe("an object that the state of another stack holds", () => {
  it("is not adopted, in the preview and in `up`, until that state no longer holds it", async () => {
    const fixture = await BranchFixture.on(stage());
    const branch = { kind: "Branch", args: { projectId: fixture.base.projectId, name: "main" } } as const;
    const role = { kind: "Role", args: { ...fixture.base, name: "neondb_owner" } } as const;
    const project = {
      kind: "Project",
      args: { name: (await stage().projectOf(fixture.base.projectId)).name },
    } as const;
    for (const { kind, args } of [project, branch, role]) {
      const ours = stage().resource(kind);
      const theirs = { ...runs().place(), project: "billing", stack: "prod" };
      const adopting = { ...args, adopt: true };
      const found = again(ours);
      await runs().run([found], () => found.up(adopting));
      runs().save([again(found)]);
      saveState(theirs, [found]);
      const refused = refusesAdoption(
        `The ${kind.toLowerCase()} ${found.id} is managed by the stack billing/prod`,
        "`pulumi state delete`",
        "`pulumi state move`",
      );
      const changes = await runs().changesBy(() =>
        runs().run([ours], async () => {
          await assert.rejects(ours.preview(adopting), refused);
          await assert.rejects(ours.up(adopting), refused);
          await assert.rejects(ours.up({ ...adopting, adopt: found.id }), refused);
        }),
      );
      assert.deepEqual(changes, []);
      saveState(theirs, []);
      await runs().run([ours], () => ours.up(adopting));
      assert.equal(ours.id, found.id);
    }
  });

  it("is named with that stack, and `adopt` is not suggested, when its name is taken", async () => {
    const { base } = await BranchFixture.on(stage());
    const role = stage().resource("Role");
    await role.up(base);
    saveState({ ...runs().place(), project: "billing", stack: "prod" }, [role]);
    const next = again(role);
    const taken = failsWith("A role with this name already exists", "the stack billing/prod", {
      without: /declare `adopt/,
    });
    await runs().run([next], () => assert.rejects(next.up(base), taken));
  });
});

describe("an object whose replacement failed, when the program declares it again", () => {
  for (const kind of ["Role", "Branch"] as const) {
    it(`is taken back by \`adopt\`, which the error names: a ${kind.toLowerCase()}`, async () => {
      const { base } = await BranchFixture.on(stage());
      const parentId = (await stage().branch(base.projectId)).id;
      const isRole = kind === "Role";
      const before = isRole ? { ...base, name: "app" } : { projectId: base.projectId, name: "prod" };
      const after = isRole ? { ...base, name: "app2" } : { ...before, name: "prod2", parentId };
      const resource = stage().resource(kind);
      await runs().run([resource], () => resource.up(before));
      const { id } = resource;
      const failure = { action: isRole ? "apply_config" : "create_branch", end: "error", times: 2 };
      await stage().platform.fault(failure);
      await runs().run([resource], () => assert.rejects(resource.up(after)));
      await stage().platform.clearFaults();
      assert.deepEqual([resource.replaced.length, resource.id === id], [1, false]);
      const replacement = resource.outputs;

      const adopting = failsWith("already exists", "An earlier run failed while it replaced", "declare `adopt: true`");
      await runs().run([resource], () => assert.rejects(resource.up(before), adopting));
      await runs().run([resource], async () => {
        await resource.up({ ...before, adopt: true });
        assert.equal(await resource.refresh(), "same");
      });
      assert.deepEqual([resource.id, resource.replaced], [id, []]);
      assert.ok(!(await samples[kind].exists(stage(), replacement)));
    });
  }
});
