import assert from "node:assert/strict";

import { after, afterEach, before, beforeEach, describe, it } from "mocha";

import type { Change } from "../reliability/refactoring/account";
import { CallError, type DynamicServer, type Values } from "../support/dynamic-server";
import type { EngineResource } from "../support/engine";
import { EngineLog } from "../support/engine-log";
import { entriesIn, journalIn } from "../support/journal";
import { renamed, Runs } from "../support/runs";
import { Stage } from "../support/stage";

let stage: Stage;
let runs: Runs;

before(async () => {
  stage = await Stage.set();
});
after(() => stage.strike());
beforeEach(() => {
  runs = new Runs(stage);
});
afterEach(async () => {
  await stage.platform.clearFaults();
  await runs.close();
  // Every test compares the whole account.
  const { body } = await stage.platform.call("GET", "/projects?limit=400");
  for (const { id } of body.projects) await stage.platform.call("DELETE", `/projects/${id}`);
});

/** What has changed, without the parts of what was added or removed as a whole. */
function whole(changes: readonly Change[]): string[] {
  const paths = changes.map(({ path }) => path);
  return changes
    .filter(({ path }) => !paths.some((other) => path.startsWith(`${other}/`)))
    .map(({ path, is, members }) => [is, path, ...members].join(" "))
    .sort();
}

/** A call fails with a message in which these stand, and none of those. */
function failsWith(present: readonly (string | RegExp)[], absent?: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof CallError, String(error));
    const { message } = error;
    for (const text of present) {
      assert.ok(typeof text === "string" ? message.includes(text) : text.test(message), message);
    }
    if (absent !== undefined) assert.doesNotMatch(message, absent);
    return true;
  };
}

/** The path of a branch whose id in state this is. */
function branchPath({ id }: EngineResource): string {
  const [project, branch] = id.split("/");
  return `/projects/${project}/branches/${branch}`;
}

/** A branch that is created in a run of its own. */
async function createdBranch(args: Values = {}): Promise<{ readonly branch: EngineResource; readonly args: Values }> {
  const { id: projectId } = await stage.project();
  const branch = stage.resource("Branch");
  const declared = { projectId, ...args };
  await runs.run(runs.place(), [branch], () => branch.up(declared));
  return { branch, args: declared };
}

describe("a stack with the URNs of another one", () => {
  it("in a second backend with one PULUMI_HOME leaves the first stack's project and API key untouched", async () => {
    const names = [stage.name("shop"), stage.name("ci")] as const;
    const twins = () => [stage.resource("Project", names[0]), stage.resource("ApiKey", names[1])] as const;
    const [project, key] = twins();
    await runs.run(runs.place(), [project, key], async () => {
      await project.up({});
      await key.up({});
    });

    const second = runs.place({ backend: runs.ground.backend("second") });
    const [ownProject, ownKey] = twins();
    const added = await runs.changesBy(() =>
      runs.run(second, [ownProject, ownKey], async () => {
        assert.equal(await ownProject.up({}), "create");
        assert.equal(await ownKey.up({}), "create");
        const warning = await ownProject.warning();
        assert.match(warning, new RegExp(`^The project ${project.id} has the same name\\. Another run created it`));
        assert.ok(warning.includes(`this run created ${ownProject.id}`), warning);
        assert.doesNotMatch(warning, /adopt/);
      }),
    );
    const own = [`/api_keys/${ownKey.id}`, `/projects/${ownProject.id}`];
    assert.deepEqual(
      whole(added),
      own.map((path) => `added ${path}`),
    );

    const removed = await runs.changesBy(() =>
      runs.run(second, [ownProject, ownKey], async () => {
        await ownKey.destroy();
        await ownProject.destroy();
      }),
    );
    assert.deepEqual(
      whole(removed),
      own.map((path) => `removed ${path}`),
    );
    await runs.run(runs.place(), [project, key], async () => {
      assert.equal(await project.up({}), "same");
      assert.equal(await key.up({}), "same");
      assert.equal(await project.refresh(), "same");
      assert.equal(await key.refresh(), "same");
    });
  });

  it("in a second backend recovers nothing of the first stack's killed run, which its own next run recovers", async () => {
    const name = stage.name("shop");
    const project = stage.resource("Project", name);
    project.server = await runs.start(runs.place());
    await project.up({});
    const { id } = project;
    await runs.end(project.server, "SIGKILL");
    assert.equal(entriesIn(journalIn(runs.place().home)).length, 1);

    const other = stage.resource("Project", name);
    const changes = await runs.changesBy(() =>
      runs.run(runs.place({ backend: runs.ground.backend("second") }), [other], () => other.up({})),
    );
    assert.deepEqual(whole(changes), [`added /projects/${other.id}`]);

    // The engine was killed as well, and has recorded nothing.
    const again = stage.resource("Project", name);
    await runs.run(runs.place(), [again], () => again.up({}));
    assert.equal(again.id, id);
    assert.deepEqual(entriesIn(journalIn(runs.place().home)), []);
  });

  it("that has the old name of a renamed stack leaves the renamed stack's project untouched", async () => {
    const name = stage.name("shop");
    const project = stage.resource("Project", name);
    await runs.run(runs.place(), [project], () => project.up({}));
    const renamedUrn = project.urn.replace("urn:pulumi:dev::", "urn:pulumi:production::");

    const fresh = stage.resource("Project", name);
    const changes = await runs.changesBy(() => runs.run(runs.place(), [fresh], () => fresh.up({})));
    assert.deepEqual(whole(changes), [`added /projects/${fresh.id}`]);
    const removed = await runs.changesBy(() => runs.run(runs.place(), [fresh], () => fresh.destroy()));
    assert.ok(removed.every(({ is }) => is === "removed"));
    await runs.run(runs.place(), [project], async () => {
      assert.equal(await project.up({}, { urn: renamedUrn }), "same");
      assert.equal(await project.refresh(), "same");
    });
  });

  it("after retainOnDelete and destroy creates a new project, and leaves the retained one untouched", async () => {
    const project = stage.resource("Project");
    const { id } = await runs.run(runs.place(), [project], async () => {
      await project.up({}, { retainOnDelete: true });
      return project.present;
    });
    await runs.run(runs.place(), [project], () => project.destroy());
    const changes = await runs.changesBy(() =>
      runs.run(runs.place(), [project], async () => {
        assert.equal(await project.up({}), "create");
        assert.match(await project.warning(), new RegExp(`^The project ${id} has the same name`));
      }),
    );
    assert.deepEqual(whole(changes), [`added /projects/${project.id}`]);
  });

  it("whose home folder a CI system restores from a run that ended creates a new project", async () => {
    const { home } = runs.place();
    const project = stage.resource("Project");
    await runs.run(runs.place(), [project], () => project.up({}));
    const first = project.id;
    const cache = runs.ground.cache(home);
    // The stack is removed, its object is kept.
    project.state = undefined;
    runs.ground.restore(cache, home);
    const changes = await runs.changesBy(() => runs.run(runs.place(), [project], () => project.up({})));
    assert.notEqual(project.id, first);
    assert.deepEqual(whole(changes), [`added /projects/${project.id}`]);
  });

  it("of another developer in the same account leaves the colleague's project untouched, and advises no adopt", async () => {
    const name = stage.name("shop");
    const [colleague, own] = [stage.resource("Project", name), stage.resource("Project", name)];
    await runs.run(runs.place(), [colleague], () => colleague.up({}));
    const changes = await runs.changesBy(() =>
      runs.run(runs.elsewhere(), [own], async () => {
        assert.equal(await own.up({}), "create");
        const warning = await own.warning();
        assert.ok(warning.startsWith(`The project ${colleague.id} has the same name.`), warning);
        assert.match(warning, /Delete .* if nothing manages it\. .* declare another `name`/);
        assert.doesNotMatch(warning, /adopt/);
      }),
    );
    assert.deepEqual(whole(changes), [`added /projects/${own.id}`]);
  });

  it("of another developer is refused a branch that the colleague has, and advised no adopt", async () => {
    const { branch: colleague, args } = await createdBranch();
    const own = stage.resource("Branch", colleague.name);
    const changes = await runs.changesBy(() =>
      runs.run(runs.elsewhere(), [own], () =>
        assert.rejects(
          own.up(args),
          failsWith([`A branch with this name already exists: ${colleague.id}`, "Another run created it"], /`adopt/),
        ),
      ),
    );
    assert.deepEqual(whole(changes), []);
    assert.equal(own.state, undefined);
  });
});

describe("a resource renamed with an alias", () => {
  for (const first of ["renamed", "new"] as const) {
    it(`leaves the live branch to it when a new branch gets the old logical name, with the ${first} one declared first`, async () => {
      const { branch, args } = await createdBranch({ name: "live" });
      const live = renamed(branch, stage.name("branch"));
      const fresh = stage.resource("Branch", branch.name);
      const steps = [
        async () => assert.equal(await live.up(args), "same"),
        async () => assert.equal(await fresh.up({ ...args, name: "fresh" }), "create"),
      ];
      const changes = await runs.changesBy(() =>
        runs.run(runs.place(), [live, fresh], async () => {
          for (const step of first === "new" ? [...steps].reverse() : steps) await step();
        }),
      );
      assert.notEqual(fresh.id, live.id);
      assert.deepEqual(whole(changes), [`added ${branchPath(fresh)}`]);

      const removed = branchPath(fresh);
      const later = await runs.changesBy(() =>
        runs.run(runs.place(), [live, fresh], async () => {
          assert.equal(await live.up(args), "same");
          await fresh.destroy();
        }),
      );
      assert.deepEqual(whole(later), [`removed ${removed}`]);
    });
  }

  it("keeps its project when a new one gets the old logical name", async () => {
    const project = stage.resource("Project");
    await runs.run(runs.place(), [project], () => project.up({}));
    const live = renamed(project, stage.name("project"));
    const fresh = stage.resource("Project", project.name);
    const changes = await runs.changesBy(() =>
      runs.run(runs.place(), [live, fresh], async () => {
        assert.equal(await live.up({}), "same");
        assert.equal(await fresh.up({}), "create");
        assert.deepEqual(fresh.said("warning"), []);
      }),
    );
    assert.deepEqual(whole(changes), [`added /projects/${fresh.id}`]);
  });

  for (const first of ["renamed", "new"] as const) {
    it(`keeps its branch after a killed run whose result was recorded, with the ${first} one declared first`, async () => {
      const { id: projectId } = await stage.project();
      const branch = stage.resource("Branch");
      branch.server = await runs.start(runs.place());
      await branch.up({ projectId, name: "live" });
      await runs.end(branch.server, "SIGKILL");

      const live = renamed(branch, stage.name("branch"));
      const fresh = stage.resource("Branch", branch.name);
      const changes = await runs.changesBy(() =>
        runs.run(runs.place(), [live, fresh], async () => {
          const keep = async (): Promise<void> => assert.equal(await live.up({ projectId, name: "live" }), "same");
          if (first === "renamed") await keep();
          assert.equal(await fresh.up({ projectId, name: "fresh" }), "create");
          if (first === "new") await keep();
        }),
      );
      assert.notEqual(fresh.id, live.id);
      assert.deepEqual(whole(changes), [`added ${branchPath(fresh)}`]);
    });
  }
});

describe("an object that moves from one resource to another in one update", () => {
  it("is kept when the default provider's process is to delete what an explicit provider's process has adopted", async () => {
    const former = stage.resource("Project");
    await runs.run(runs.place(), [former], () => former.up({}));
    const { id } = former;
    const adopting = stage.resource("Project");
    const engine = await EngineLog.start();
    try {
      const changes = await runs.changesBy(async () => {
        const [byDefault, explicit] = await Promise.all([0, 1].map(() => runs.start(runs.place(), engine)));
        assert.ok(byDefault && explicit);
        [former.server, adopting.server] = [byDefault, explicit];
        await adopting.up({ name: former.name, adopt: id });
        await former.destroy();
        assert.match(
          await former.warning(),
          new RegExp(
            `^The project ${id} was removed from the Pulumi state but not deleted: Project "${adopting.name}" adopted it in this run`,
          ),
        );
        await Promise.all([byDefault, explicit].map((server) => runs.end(server)));
      });
      assert.deepEqual(whole(changes), []);
    } finally {
      engine.stop();
    }
    await runs.run(runs.place(), [adopting], async () => {
      assert.equal(await adopting.up({ name: former.name, adopt: id }), "same");
      assert.equal(await adopting.refresh(), "same");
    });
  });

  for (const where of ["one provider process", "two provider processes"] as const) {
    it(`is kept when an Endpoint becomes Branch.compute, in ${where}`, async () => {
      const { branch, args } = await createdBranch();
      const { projectId, branchId } = branch.outputs;
      const endpoint = stage.resource("Endpoint");
      await runs.run(runs.place(), [branch, endpoint], async () => {
        await endpoint.up({ projectId, branchId, type: "read_write" });
        await branch.refresh();
      });
      const { host } = endpoint.outputs;

      const engine = await EngineLog.start();
      const program = { ...args, compute: {} };
      try {
        const changes = await runs.changesBy(async () => {
          branch.server = await runs.start(runs.place(), engine);
          endpoint.server = where === "one provider process" ? branch.server : await runs.start(runs.place(), engine);
          assert.equal(await branch.up(program), "update");
          await endpoint.destroy();
          assert.match(
            await endpoint.warning(),
            new RegExp(
              `was removed from the Pulumi state but not deleted: Branch "${branch.name}" declares it as a part`,
            ),
          );
          for (const server of new Set([branch.server, endpoint.server])) await runs.end(server);
        });
        assert.deepEqual(whole(changes), []);
      } finally {
        engine.stop();
      }
      assert.equal(branch.outputs["host"], host);
      await runs.run(runs.place(), [branch], async () => {
        assert.equal(await branch.refresh(), "same");
        assert.equal(await branch.up(program), "same");
      });
    });
  }

  it("is adopted by one of two resources only, and removing the other one deletes nothing", async () => {
    const { id, name } = await stage.project();
    const [one, other] = [stage.resource("Project"), stage.resource("Project")];
    const program = { name, adopt: id };
    const changes = await runs.changesBy(async () => {
      await runs.run(runs.place(), [one, other], async () => {
        assert.equal(await one.up(program), "create");
        await assert.rejects(
          other.up(program),
          failsWith([`The project ${id} is already managed by Project "${one.name}"`, "remove one of the two"]),
        );
      });
      assert.equal(other.state, undefined);
      // The same with two provider processes, of which the second one adopts.
      const engine = await EngineLog.start();
      [one.server, other.server] = [await runs.start(runs.place(), engine), await runs.start(runs.place(), engine)];
      assert.equal(await one.up(program), "same");
      await assert.rejects(other.up(program), failsWith([`is already managed by Project "${one.name}"`]));
      for (const { server } of [one, other]) await runs.end(server);
      engine.stop();
    });
    assert.deepEqual(whole(changes), []);
    await runs.run(runs.place(), [one], () => one.destroy());
    assert.deepEqual(await stage.projects(name), []);
  });
});

describe("a resource that only reads an object", () => {
  it("does not keep the branch from changing its compute (Endpoint.get)", async () => {
    const { branch, args } = await createdBranch({ compute: { autoscalingLimitMaxCu: 1 } });
    const { projectId, endpointId } = branch.outputs;
    const id = `${String(projectId)}/${String(endpointId)}`;
    const view = stage.resource("Endpoint");
    await runs.run(runs.place(), [branch], async () => {
      const read = await branch.server.read("Endpoint", id, { __neon: { urn: view.urn } });
      assert.equal(read.id, id);
      assert.equal(await branch.up({ ...args, compute: { autoscalingLimitMaxCu: 2 } }), "update");
      // The engine refreshes what was only read as well.
      const { outputs } = read;
      assert.equal((await branch.server.read("Endpoint", id, outputs)).id, id);
      assert.equal(await branch.up({ ...args, compute: { autoscalingLimitMaxCu: 4 } }), "update");
    });
    const [compute] = await stage.computes(String(projectId), String(branch.outputs["branchId"]));
    assert.equal(compute?.autoscaling_limit_max_cu, 4);
  });
});

describe("a replacement that the user asks for", () => {
  const unique = ["Branch", "Role", "Database"] as const;
  let later: DynamicServer;
  before(async () => {
    later = await stage.anotherServer();
  });
  after(() => later.stop());

  /** A resource of a uniquely named kind that an earlier run created. */
  async function created(
    kind: (typeof unique)[number],
  ): Promise<{ readonly resource: EngineResource; readonly args: Values }> {
    const { id: projectId, branchId } = await stage.project();
    const resource = stage.resource(kind);
    const place = { projectId, ...(kind === "Branch" ? {} : { branchId }) };
    const role = stage.resource("Role");
    if (kind === "Database") await role.up({ projectId, branchId });
    const declared = { ...place, ...(kind === "Database" ? { ownerName: role.name } : {}) };
    await resource.up(declared);
    resource.server = later;
    return { resource, args: declared };
  }

  for (const kind of unique) {
    const noun = kind.toLowerCase();

    it(`with --replace or a taint replaces a ${noun} by another one, with deleteBeforeReplace`, async () => {
      const { resource, args } = await created(kind);
      const { createdAt, branchId } = resource.outputs;
      assert.equal(await resource.up(args, { replace: true, deleteBeforeReplace: true }), "replace");
      if (kind === "Branch") assert.notEqual(resource.outputs["branchId"], branchId);
      assert.notEqual(resource.outputs["createdAt"], createdAt);
      assert.equal(await resource.up(args), "same");
      assert.equal(await resource.refresh(), "same");
    });

    it(`with --replace right after its creation replaces a ${noun} or says how, and never claims to have replaced it`, async () => {
      const { resource, args } = await created(kind);
      const { id } = resource;
      const changes = await runs.changesBy(() =>
        assert.rejects(resource.up(args, { replace: true }), failsWith(["deleteBeforeReplace: true"])),
      );
      assert.deepEqual(whole(changes), []);
      assert.equal(resource.id, id);
      assert.equal(await resource.up(args), "same");
    });
  }

  it("with a taint of a VPC endpoint assignment advises `untaint`, because a deleted one can never be created again", async () => {
    const orgId = await stage.platform.firstOrganization();
    const args = { orgId, regionId: "aws-eu-central-1", vpcEndpointId: stage.name("vpce"), label: "office" };
    const resource = stage.resource("VpcEndpointAssignment");
    await resource.up(args);
    resource.server = later;
    await assert.rejects(resource.up(args, { replace: true }), (error: Error) => {
      assert.match(
        error.message,
        /run `pulumi state untaint`: once deleted, this VPC endpoint assignment can never be/,
      );
      assert.doesNotMatch(error.message, /deleteBeforeReplace/);
      return true;
    });
    assert.equal(await resource.up(args), "same");
  });

  for (const [kind, change] of [
    ["Branch", { protected: true }],
    ["Database", { ownerName: undefined }],
  ] as const) {
    it(`with replaceOnChanges deletes a ${kind.toLowerCase()} before it creates the new one`, async () => {
      const { resource, args } = await created(kind);
      const [name = ""] = Object.keys(change);
      const { createdAt } = resource.outputs;
      const owner = stage.resource("Role");
      await owner.up({ projectId: args["projectId"], branchId: resource.outputs["branchId"] });
      const to = kind === "Database" ? { ownerName: owner.name } : change;
      assert.equal(await resource.up({ ...args, ...to }, { replaceOnChanges: [name] }), "replace");
      assert.equal(resource.plan?.deleteBeforeReplace, true);
      assert.notEqual(resource.outputs["createdAt"], createdAt);
    });
  }

  it("with --replace replaces a project, and deletes only the old one", async () => {
    const project = stage.resource("Project");
    await runs.run(runs.place(), [project], () => project.up({}));
    const old = project.id;
    const changes = await runs.changesBy(() =>
      runs.run(runs.place(), [project], async () => {
        assert.equal(await project.up({}, { replace: true }), "replace");
      }),
    );
    assert.deepEqual(whole(changes), [`added /projects/${project.id}`, `removed /projects/${old}`]);
  });
});

describe("customTimeouts", () => {
  it("that are added later hold for the next destroy", async () => {
    const { branch, args } = await createdBranch();
    await runs.run(runs.place(), [branch], async () => {
      assert.equal(await branch.up(args, { timeouts: { delete: "300ms" } }), "update");
      assert.equal(await branch.up(args, { timeouts: { delete: "300ms" } }), "same");
    });
    await stage.platform.fault({ action: "delete_timeline", end: "stuck" });
    await runs.run(runs.place(), [branch], () =>
      assert.rejects(branch.destroy(), failsWith([/Timed out after \d+(\.\d)? s/, "delete_timeline"])),
    );
  });
});

describe("a project of the same name that the key may not read", () => {
  it("does not keep ours from being created", async () => {
    const foreign = await stage.project();
    await stage.platform.fault({ method: "GET", path: `^/projects/${foreign.id}/branches`, times: 100, status: 403 });
    const own = stage.resource("Project");
    const step = await runs.run(runs.place(), [own], () => own.up({ name: foreign.name }));
    assert.equal(step, "create");
    assert.notEqual(own.id, foreign.id);
    assert.deepEqual(own.said("warning"), []);
  });

  it("does not keep ours from being created after a killed run", async () => {
    const own = stage.resource("Project");
    await stage.platform.fault({ action: "create_timeline", end: "stuck" });
    own.server = await runs.start(runs.place());
    own.up({}).catch(() => undefined);
    while ((await stage.projects(own.name)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await runs.end(own.server, "SIGKILL");
    await stage.platform.clearFaults();
    const foreign = await stage.project();
    await stage.platform.call("PATCH", `/projects/${foreign.id}`, { project: { name: own.name } });
    await stage.platform.fault({ method: "GET", path: `^/projects/${foreign.id}/branches`, times: 100, status: 403 });
    await runs.run(runs.place(), [own], () => own.up({}));
    assert.equal((await stage.projects(own.name)).length, 2);
    assert.notEqual(own.id, foreign.id);
  });
});

describe("the first project with a personal key, in an account that needs an organization", () => {
  it("fails with the name of the setting neon:orgId, and no GET /projects comes before that", async () => {
    const message = "org_id is required, you can find it on your organization settings page";
    await stage.platform.fault({
      method: "POST",
      path: "^/projects$",
      times: 9,
      status: 400,
      body: { code: "", message },
    });
    await stage.platform.fault({
      method: "GET",
      path: "^/projects(\\?|$)",
      times: 9,
      status: 400,
      body: { code: "", message },
    });
    await stage.platform.clearRequests();
    const project = stage.resource("Project");
    await runs.run(runs.place(), [project], () =>
      assert.rejects(project.up({}), failsWith(["neon:orgId", "org_id is required"], /GET|try again/i)),
    );
    const asked = (await stage.requests()).filter(
      ({ method, path }) => method === "GET" && /\/projects(\?|$)/.test(path),
    );
    assert.deepEqual(asked, []);
    assert.equal(project.state, undefined);
  });
});
