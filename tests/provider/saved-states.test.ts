import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { beforeEach, describe, it } from "mocha";

import { stateFolder } from "../../provider/ownership/backend";
import { SavedStates } from "../../provider/ownership/saved-states";
import type { KindName } from "../../provider/v1";
import { createdBranch } from "../support/created-branch";
import type { DynamicServer, Values } from "../support/dynamic-server";
import { type EngineResource, urnOf } from "../support/engine";
import { assertSays, failsWith, refusesAdoption } from "../support/expected-errors";
import { BranchFixture } from "../support/branch-fixture";
import { suiteHome } from "../support/home";
import { entriesOf, journalIn } from "../support/journal";
import { AdjustableClock } from "../support/platform-clock";
import { samples } from "../support/samples";
import { sharedRuns, suiteRuns } from "../support/runs";
import { suiteServer, suiteStage } from "../support/stage";
import { backendIn, saveState } from "../support/state-file";
import { suite } from "../support/suite";
import { until } from "../support/until";

const clock = new AdjustableClock();
/** Its own provider process is that of a stack with another backend. */
const stage = suiteStage({ clock });
const later = suiteServer(stage);

/** The same resource in a state that does not contain it. */
function again({ kind, name }: EngineResource): EngineResource {
  return stage().resource(kind, name);
}

/** Writes a state to a file of a backend, by its path below `.pulumi`. */
function writeState(
  backend: string,
  path: string,
  latest: object,
  pack: (state: string) => string | Buffer = String,
): string {
  const file = join(fileURLToPath(backend), ".pulumi", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, pack(JSON.stringify({ version: 3, checkpoint: { latest } })));
  return file;
}

/** Something that a run created, and the same resource in the next run, whose state does not contain it. */
interface Created {
  readonly former: EngineResource;
  readonly next: EngineResource;
  /** What the next program declares. */
  readonly args: Values;
}

async function created(server: DynamicServer, kind: KindName = "Project", args: Values = {}): Promise<Created> {
  const former = stage().resource(kind);
  former.server = server;
  await former.up(args);
  return { former, next: again(former), args };
}

describe("an object that a killed run has created", () => {
  const runs = sharedRuns(stage);
  /** One run was killed, another one could not write its state, and the next run created everything again. */
  const found = suite(async () => {
    const { base } = await BranchFixture.on(stage());
    const killed = await runs().start();
    const objects = {
      ofRenamedStack: await created(killed),
      moved: await created(killed, "Branch", { projectId: base.projectId }),
      inBackup: await created(killed),
      inFormerState: await created(killed),
      inCompressedState: await created(killed),
      inOlderState: await created(killed, "Role", base),
      inNoState: await created(killed),
      inAnotherRegion: await created(killed, "Project", { regionId: "aws-eu-central-1" }),
    };
    await runs().end(killed, "SIGKILL");
    const ended = await runs().start();
    const unsaved = await created(ended);
    await runs().end(ended);

    const place = runs().place();
    saveState({ ...place, project: "shop", stack: "production" }, [objects.ofRenamedStack.former]);
    saveState({ ...place, project: "billing", stack: "dev" }, [objects.moved.former]);
    const inFile = (path: string, { former: { id, urn } }: Created, pack?: typeof gzipSync) =>
      writeState(place.backend, path, { resources: [{ id, urn }] }, pack);
    inFile("backups/shop/dev/dev.1.json", objects.inBackup);
    inFile("stacks/shop/dev.json.bak", objects.inFormerState);
    inFile("stacks/shop/other.json.gz", objects.inCompressedState, gzipSync);
    utimesSync(inFile("backups/shop/dev/dev.0.json", objects.inOlderState), 0, 0);

    const elsewhere = { ...objects.inAnotherRegion, args: { regionId: "aws-us-east-2" } };
    const { moved, ...others } = { ...objects, unsaved, inAnotherRegion: elsewhere };
    const resources = [moved, ...Object.values(others)].map(({ next }) => next);
    let refused: unknown;
    const changes = await runs().changesByRun(resources, async () => {
      for (const { next, args } of Object.values(others)) await next.up(args);
      refused = await moved.next.up(moved.args).catch((error: unknown) => error);
    });
    return { ...others, refused, changes };
  });

  it("is recovered, or another one is created, and nothing else is changed", () => {
    const { ofRenamedStack, inBackup, inFormerState, inCompressedState, inAnotherRegion, changes } = found();
    const another = [ofRenamedStack, inBackup, inFormerState, inCompressedState, inAnotherRegion];
    assert.deepEqual(changes, another.map(({ next }) => `added /projects/${next.id}`).sort());
  });

  it("stays with the renamed stack when a new stack gets the old name", async () => {
    const { former, next } = found().ofRenamedStack;
    assertSays(next.warning, `The project ${former.id} has the same name.`, { without: /adopt/ });
    await runs().run([next], () => next.destroy());
    assert.equal((await stage().projectOf(former.id)).id, former.id);
  });

  it("stays with the stack to which it was moved", () => {
    assert.match(String(found().refused), /A branch with this name already exists/);
  });

  for (const [title, saved] of [
    ["a backup of the state", "inBackup"],
    ["the state before the last change", "inFormerState"],
    ["a compressed state of another stack", "inCompressedState"],
  ] as const) {
    it(`is not recovered if ${title} holds it`, () => {
      const { former, next } = found()[saved];
      assert.notEqual(next.id, former.id);
    });
  }

  for (const [title, saved] of [
    ["no state holds it", "inNoState"],
    ["an older state holds one of the same name, which is its id", "inOlderState"],
    ["its run ended by itself, but could not write its state", "unsaved"],
  ] as const) {
    it(`is recovered if ${title}`, () => {
      const { former, next } = found()[saved];
      assert.equal(next.id, former.id);
    });
  }

  it("is left, with a warning, if the program now declares what cannot be changed in place", () => {
    const { former, next } = found().inAnotherRegion;
    assertSays(next.said("warning")[0] ?? "", `An interrupted run created the project ${former.id}.`, /`regionId`/);
  });

  it("is named, and not recovered, if the backend's states cannot be read", async () => {
    const place = runs().place({ backend: "https://api.pulumi.example" });
    const killed = await runs().start(place);
    const { former, next } = await created(killed);
    await runs().end(killed, "SIGKILL");
    const changes = await runs().changesByRun([next], () => next.up({}), place);
    assert.deepEqual(changes, [`added /projects/${next.id}`]);
    assertSays(next.warning, `The project ${former.id} has the same name.`, { without: /adopt/ });
  });
});

describe("an object of a killed run, when the state was saved since", () => {
  const runs = sharedRuns(stage);
  const found = suite(async () => {
    const place = runs().place();
    const killed = await runs().start(place);
    const [saved, pending, removed] = [await created(killed), await created(killed), await created(killed)];
    await runs().end(killed, "SIGKILL");
    saveState({ ...place, project: "shop", stack: "dev" }, [saved.former], [pending.former.urn]);
    const changes = await runs().changesByRun([saved.former, pending.next, removed.next], async () => {
      assert.equal(await saved.former.up({}), "same");
      for (const { next } of [pending, removed]) await next.up({});
    });
    return { saved, pending, removed, changes };
  });

  it("is settled once the program runs again with it", () => {
    const { former } = found().saved;
    assert.deepEqual(entriesOf(former.journal, former.urn), []);
  });

  it("is recovered if the state says that it was being created", () => {
    const { former, next } = found().pending;
    assert.equal(next.id, former.id);
  });

  it("is not recovered if the state says that it was created: somebody has removed it since", () => {
    const { former, next } = found().removed;
    assert.notEqual(next.id, former.id);
    assert.deepEqual(found().changes, [`added /projects/${next.id}`]);
  });
});

const home = suiteHome();

/** A backend without stacks. */
function newBackend(): string {
  return backendIn(mkdtempSync(join(home, "backend-")));
}

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
    const whose = isOwn ? "the stack dev of the project shop" : "another stack than dev of the project shop";
    it(`count stacks/${file} as that of ${whose}`, () => {
      const backend = newBackend();
      const urn = urnOf("Branch", "main");
      const id = "shop-1/br-1";
      const latest = { resources: [{ urn, id }], pending_operations: [{ type: "creating", resource: { urn } }] };
      for (const copy of [file, `${file}.bak`]) {
        writeState(backend, `stacks/${copy}`, latest, file.endsWith(".gz") ? gzipSync : String);
      }
      const states = new SavedStates(() => stateFolder(backend));
      states.remember();
      const name = file.replace(/\.json(\.gz)?$/, "");
      assert.equal(states.otherStackWith(urn, undefined, { kind: "Branch", id }), isOwn ? undefined : name);
      assert.equal(states.wasCreating(urn), isOwn ? true : undefined);
    });
  }
});

describe("a stack that was renamed", () => {
  const id = "shop-1/br-1/app";
  const own = { attempt: "00000000000000aa" };
  const other = { attempt: "00000000000000bb" };
  let backend: string;
  let otherStack: () => string | undefined;
  beforeEach(() => {
    backend = newBackend();
    const states = new SavedStates(() => stateFolder(backend));
    otherStack = () => states.otherStackWith(urnOf("Role", "another"), own.attempt, { kind: "Role", id });
  });
  const save = (stack: string, hidden: object): void => {
    const urn = `urn:pulumi:${stack}::shop::pulumi-nodejs:dynamic/neon:Role::app`;
    writeState(backend, `stacks/shop/${stack}.json`, { resources: [{ urn, id, outputs: { __neon: hidden } }] });
  };

  it("is known by its entries: its own state is not that of another stack, one that has its former name is", () => {
    save("renamed", own);
    assert.equal(otherStack(), undefined);
    save("dev", other);
    assert.equal(otherStack(), "shop/dev");
  });

  it("is told from its copy by its name", () => {
    save("dev", own);
    assert.equal(otherStack(), undefined);
    save("copy", own);
    assert.equal(otherStack(), "shop/copy");
  });
});

describe("an object whose name another one has now", () => {
  const runs = suiteRuns(stage);

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
    const changes = await runs().changesByRun([next], () =>
      assert.rejects(next.up(fixture.base), /A role with this name already exists/),
    );
    assert.deepEqual(changes, []);
  });
});

describe("an object of a killed run that a program in another backend has adopted", () => {
  const runs = suiteRuns(stage);

  it("is left to that program, whether or not its creation was answered", async () => {
    const gate = await runs().gate();
    const server = await runs().start();
    const begun = async () => {
      const args = { projectId: (await stage().project()).id };
      const branch = stage().resource("Branch");
      branch.server = server;
      branch.up(args).catch(() => undefined);
      return { branch, args };
    };
    await stage().platform.fault({ action: "create_branch", end: "stuck", times: 2 });
    const held = gate.holdNextAnswer();
    const unanswered = await begun();
    await held.arrived;
    const isKilled = new Promise<void>((resolve) => {
      const act = () => runs().end(server, "SIGKILL").then(resolve);
      gate.intercept({ number: 1, changesOnly: true, place: "after its answer", act });
    });
    const inProgress = await begun();
    await isKilled;
    gate.intercept(undefined);
    await stage().platform.clearFaults();

    const elsewhere = runs().place({ backend: runs().folders.backend("second") });
    for (const { branch, args } of [unanswered, inProgress]) {
      const adopting = stage().resource("Branch");
      const program = { ...args, name: branch.name, adopt: true };
      await runs().run([adopting], () => adopting.up(program), elsewhere);
      assert.deepEqual(entriesOf(journalIn(elsewhere.home), branch.urn), []);
      const next = again(branch);
      const changes = await runs().changesByRun([next], () =>
        assert.rejects(next.up(args), /A branch with this name already exists/),
      );
      assert.deepEqual(changes, []);
    }
  });
});

describe("a killed creation that never arrived", () => {
  const runs = suiteRuns(stage);

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
    const changes = await runs().changesByRun([next], () => assert.rejects(next.up(args), /already exists/));
    assert.deepEqual(changes, []);
  });
});

describe("a state that is older than the objects on the platform", () => {
  const runs = suiteRuns(stage);

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

    const changes = await runs().changesByRun(stale, async () => {
      for (const resource of stale) await resource.destroy();
    });
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

describe("a compute that another stack manages", () => {
  const runs = suiteRuns(stage);

  it("is not changed by a stack whose state holds the branch, too, which declares it in the other stack", async () => {
    const { id: projectId } = await stage().project();
    const theirs = stage().resource("Branch");
    theirs.server = later();
    const compute = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };
    await theirs.up({ projectId, name: "shared", compute });

    const branch = stage().resource("Branch");
    const args = { projectId, name: "shared", adopt: String(theirs.outputs["branchId"]) };
    const changes = await runs().changesByRun([branch], async () => {
      await branch.up({ ...args, compute });
      // Of a backend that was another one until now.
      saveState({ ...runs().place(), project: "billing", stack: "dev" }, [theirs]);
      const larger = { ...compute, autoscalingLimitMaxCu: 4 };
      await assert.rejects(branch.up({ ...args, compute: larger }), /another stack manages its compute ep-/);
    });
    assert.deepEqual(changes, []);
  });

  it("is left, with a warning, by the branch that created it and stops declaring it", async () => {
    const { branch, base, branchId } = await createdBranch(stage(), { compute: { autoscalingLimitMaxCu: 1 } });
    runs().save([branch]);
    const { endpointId } = branch.outputs;
    const endpoint = stage().resource("Endpoint");
    endpoint.server = later();
    await endpoint.up({ ...base, branchId, type: "read_write", adopt: endpointId });
    saveState({ ...runs().place(), project: "billing", stack: "dev" }, [endpoint]);

    const changes = await runs().changesByRun([branch], () => branch.up(base));
    assert.deepEqual(changes, []);
    assert.match(
      branch.warning,
      new RegExp(`^The compute ${String(endpointId)} of branch .* another stack manages it`, "m"),
    );
  });

  it("is neither changed nor deleted by the branch that starts and stops declaring it", async () => {
    const { branch, base, branchId } = await createdBranch(stage());
    runs().save([branch]);
    const endpoint = stage().resource("Endpoint");
    endpoint.server = later();
    await endpoint.up({ ...base, branchId, type: "read_write" });
    saveState({ ...runs().place(), project: "billing", stack: "dev" }, [endpoint]);

    const changes = await runs().changesByRun([branch], async () => {
      await branch.refresh();
      await assert.rejects(
        branch.up({ ...base, compute: { autoscalingLimitMaxCu: 4 } }),
        /another stack manages its compute ep-/,
      );
      await branch.refresh();
      await branch.up(base);
    });
    assert.deepEqual(changes, []);
  });
});

describe("an object that the state of another stack holds", () => {
  const runs = suiteRuns(stage);
  const theirs = () => ({ ...runs().place(), project: "billing", stack: "prod" });

  it("is not adopted, in the preview and in `up`, until that state no longer holds it", async () => {
    const { base } = await BranchFixture.on(stage());
    const { name } = await stage().projectOf(base.projectId);
    const adopted = [
      { kind: "Project", args: { name, adopt: true } },
      { kind: "Branch", args: { projectId: base.projectId, name: "main", adopt: true } },
      { kind: "Role", args: { ...base, name: "neondb_owner", adopt: true } },
    ] as const;
    const found = adopted.map(({ kind, args }) => ({ args, ours: stage().resource(kind) }));
    const cases = found.map((one) => ({ ...one, theirs: again(one.ours) }));
    const others = cases.map((one) => one.theirs);
    for (const one of cases) await one.theirs.up(one.args);
    saveState(theirs(), others);

    const ours = cases.map((one) => one.ours);
    const changes = await runs().changesByRun(ours, async () => {
      for (const one of cases) {
        const { id, kind } = one.theirs;
        const refused = refusesAdoption(
          `The ${kind.toLowerCase()} ${id} is managed by the stack billing/prod`,
          "`pulumi state delete`",
          "`pulumi state move`",
        );
        await assert.rejects(one.ours.preview(one.args), refused);
        await assert.rejects(one.ours.up(one.args), refused);
        await assert.rejects(one.ours.up({ ...one.args, adopt: id }), refused);
      }
    });
    assert.deepEqual(changes, []);
    saveState(theirs(), []);
    await runs().run(ours, async () => {
      for (const one of cases) {
        await one.ours.up(one.args);
        assert.equal(one.ours.id, one.theirs.id);
      }
    });
  });

  it("is named with that stack, and `adopt` is not suggested, when its name is taken", async () => {
    const { base } = await BranchFixture.on(stage());
    const role = stage().resource("Role");
    await role.up(base);
    saveState(theirs(), [role]);
    const next = again(role);
    const taken = failsWith("A role with this name already exists", "the stack billing/prod", {
      without: /declare `adopt/,
    });
    await runs().run([next], () => assert.rejects(next.up(base), taken));
  });
});

describe("a role and a branch whose replacement failed, when the program declares them again", () => {
  const runs = suiteRuns(stage);

  it("are taken back by `adopt`, which the errors name", async () => {
    const { base } = await BranchFixture.on(stage());
    const { projectId } = base;
    const parentId = (await stage().branch(projectId)).id;
    const branch = { projectId, name: "prod" };
    const cases = [
      { resource: stage().resource("Role"), before: { ...base, name: "app" }, after: { ...base, name: "app2" } },
      { resource: stage().resource("Branch"), before: branch, after: { ...branch, name: "prod2", parentId } },
    ];
    const resources = cases.map(({ resource }) => resource);
    const run = (step: (one: (typeof cases)[number]) => Promise<unknown>): Promise<void> =>
      runs().run(resources, async () => {
        for (const one of cases) await step(one);
      });
    for (const { resource, before } of cases) await resource.up(before);
    runs().save(resources);
    const ids = resources.map(({ id }) => id);
    for (const action of ["apply_config", "create_branch"]) {
      await stage().platform.fault({ action, end: "error", times: 2 });
    }
    await run(({ resource, after }) => assert.rejects(resource.up(after)));
    await stage().platform.clearFaults();
    for (const { replaced, id } of resources) assert.deepEqual([replaced.length, ids.includes(id)], [1, false]);
    const replacements = resources.map(({ outputs }) => outputs);

    const adopting = failsWith("already exists", "An earlier run failed while it replaced", "declare `adopt: true`");
    await run(({ resource, before }) => assert.rejects(resource.up(before), adopting));
    await run(async ({ resource, before }) => {
      await resource.up({ ...before, adopt: true });
      assert.equal(await resource.refresh(), "same");
    });
    for (const [index, { kind, id, replaced }] of resources.entries()) {
      assert.deepEqual([id, replaced], [ids[index], []]);
      assert.ok(!(await samples[kind].exists(stage(), replacements[index] ?? {})));
    }
  });
});
