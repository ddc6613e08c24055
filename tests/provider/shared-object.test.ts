import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { BranchFixture } from "../support/branch-fixture";
import { failsWith } from "../support/expected-errors";
import { renamed, suiteRuns } from "../support/runs";
import { samples } from "../support/samples";
import { suiteStage } from "../support/stage";

const stage = suiteStage();
const runs = suiteRuns(stage);

/** A branch in the state of an earlier run, and what could make the state hold it twice. */
async function created() {
  const { id: projectId } = await stage().project();
  const first = stage().resource("Branch");
  const program = { projectId, name: "x" };
  await first.up(program);
  return {
    first,
    program,
    adopting: { ...program, adopt: true },
    /** A resource that has the name of the first one now, which has another name by an alias. */
    again: stage().resource("Branch", first.name),
    other: renamed(first, stage().name("branch")),
    /** The branches of its project. */
    branches: () => stage().branches(projectId),
  };
}

describe("an object that the state holds twice", () => {
  it("stays after a taint of the resource that adopts it, and a run that failed before it deleted the former entry", async () => {
    const { id, name } = await stage().project();
    const project = stage().resource("Project");
    const program = { adopt: id };
    await project.up(program);
    const changes = await runs().changesBy(async () => {
      await runs().run([project], () => project.up(program, { replace: true, deletesLater: true }));
      assert.equal(project.replaced.length, 1);
      await runs().run([project], async () => {
        assert.equal(await project.up(program), "same");
        assert.match(project.warning, /was removed from the Pulumi state but not deleted/);
      });
    });
    assert.deepEqual(changes, []);
    await runs().run([project], () => project.destroy());
    assert.deepEqual(await stage().projects(name), []);
  });

  for (const removed of ["adopting", "renamed"] as const) {
    it(`is an error at every up, and stays if the ${removed} one of its two resources is removed`, async () => {
      const { again, other, program, adopting } = await created();
      await runs().run([again], () => again.up(adopting));
      const changes = await runs().changesBy(async () => {
        await runs().run([again, other], async () => {
          assert.equal(await again.up(adopting), "same");
          const refused = `already managed by Branch "${again.name}".* remove one of the two from the program`;
          await assert.rejects(other.up(program), new RegExp(refused));
        });
        const [kept, gone] = removed === "adopting" ? [other, again] : [again, other];
        await runs().run([kept, gone], async () => {
          assert.equal(await kept.up(program), "same");
          await gone.destroy();
        });
      });
      assert.deepEqual(changes, []);
    });
  }

  for (const order of ["at once", "one after the other", "at once by two provider processes"] as const) {
    it(`is deleted when both resources are destroyed: ${order}`, async () => {
      const { first, adopting, branches } = await created();
      const other = stage().resource("Branch");
      await runs().run([other], () => other.up(adopting));
      assert.equal(other.id, first.id);
      const both = [first, other];
      if (order === "at once by two provider processes") {
        await runs().runApart(both, async () => {
          await Promise.all(both.map((resource) => resource.destroy()));
        });
        assert.deepEqual([...first.said("warning"), ...other.said("warning")], []);
      } else {
        await runs().run(both, async () => {
          if (order === "at once") await Promise.all(both.map((resource) => resource.destroy()));
          else for (const resource of both) await resource.destroy();
        });
      }
      assert.equal((await branches()).length, 1);
    });
  }

  it("is deleted first, and created as the program declares it, when one resource is replaced and the other one removed", async () => {
    const fixture = await BranchFixture.on(stage());
    const [removed, kept] = [stage().resource("Role"), stage().resource("Role")];
    const program = { ...fixture.base, name: "app" };
    await removed.up(program);
    await runs().run([kept], () => kept.up({ ...program, adopt: true }));
    await runs().run([removed, kept], async () => {
      assert.equal(await kept.up({ ...program, noLogin: true }), "replace");
      await removed.destroy();
    });
    const { role } = await fixture.call("GET", fixture.role("app"));
    assert.equal(role.authentication_method, "no_login");
    await runs().run([kept], () => kept.destroy());
    assert.equal(await fixture.exists(fixture.role("app")), false);
  });
});

describe("an object that two resources of a program create", () => {
  it("is an error that says which input of the second resource to change", async () => {
    const { base } = await BranchFixture.on(stage());
    const [first, second] = [stage().resource("Role"), stage().resource("Role")];
    const program = { ...base, name: "app" };
    await runs().run([first, second], async () => {
      await first.up(program);
      const advice = `already managed by Role "${first.name}".* declare another \`name\` for one of the two, or remove one`;
      await assert.rejects(second.up(program), new RegExp(advice));
    });
  });
});

describe("a role and a branch whose replacement failed, when the program declares them again", () => {
  it("are named by the error, and taken back by `adopt`", async () => {
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
    const ids = resources.map(({ id }) => id);
    for (const action of ["apply_config", "create_branch"]) {
      await stage().platform.fault({ action, end: "error", times: 2 });
    }
    await run(({ resource, after }) => assert.rejects(resource.up(after)));
    await stage().platform.clearFaults();
    const replacements = resources.map(({ outputs }) => outputs);

    await run(({ resource, before }) => assert.rejects(resource.up(before), failsWith("already exists")));
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

describe("a provider process that cannot write to PULUMI_HOME", () => {
  it("warns once that two providers could adopt the same object", async () => {
    const { id: adopt } = await stage().project();
    const server = await stage().anotherServer({
      isProcess: true,
      environment: { PULUMI_HOME: "/dev/null/home" },
    });
    try {
      const [first, second] = [stage().resource("Project"), stage().resource("Project")];
      for (const resource of [first, second]) resource.server = server;
      await first.up({ adopt });
      await second.up({});
      const warning =
        /^The provider processes of this run do not know of each other's objects: ENOTDIR.* Set PULUMI_HOME/;
      assert.equal(server.lines.filter(({ text }) => warning.test(text)).length, 1);
    } finally {
      await server.stop();
    }
  });
});
