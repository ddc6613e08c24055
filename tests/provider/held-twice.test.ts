import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { BranchFixture } from "../support/branch-fixture";
import { renamed, suiteRuns } from "../support/runs";
import { suiteStage } from "../support/stage";

const stage = suiteStage();
const runs = suiteRuns(stage);

/** A branch in the state of an earlier run, and what could make the state hold it twice. */
async function created() {
  const { id: projectId } = await stage().project();
  const first = stage().resource("Branch");
  const program = { projectId, name: "x" };
  await first.up(program);
  runs().save([first]);
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
    runs().save([project]);
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

  it("stays after a resource got its former name back without an alias, and a run that failed before it deleted the other entry", async () => {
    const { again, other, program, adopting } = await created();
    await runs().run([other], () => other.up(program));
    const changes = await runs().changesBy(async () => {
      await runs().run([again], () => again.up(adopting));
      await runs().run([again, other], async () => {
        assert.equal(await again.up(adopting), "same");
        // The program does not declare it any more.
        await other.destroy();
      });
    });
    assert.deepEqual(changes, []);
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

    it(`stays if the ${removed} one of its two resources is destroyed, and the other one is not compared in this run`, async () => {
      const { first, again, other, program, adopting, branches } = await created();
      await runs().run([first, other], async () => {
        first.state = undefined;
        assert.equal(await other.up(program), "same");
      });
      await runs().run([again], () => again.up(adopting));
      const [kept, gone] = removed === "adopting" ? [other, again] : [again, other];
      const changes = await runs().changesByRun([gone], () => gone.destroy());
      assert.deepEqual(changes, []);
      const warnings = gone.server.lines.map(({ text }) => text);
      assert.ok(warnings.some((text) => text.includes("was removed from the Pulumi state but not deleted")));
      await runs().run([kept], () => kept.destroy());
      assert.equal((await branches()).length, 1);
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
          runs().save(both, undefined, both);
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
    runs().save([removed]);
    await runs().run([kept], () => kept.up({ ...program, adopt: true }));
    await runs().run([removed, kept], async () => {
      assert.equal(await kept.up({ ...program, noLogin: true }), "replace");
      runs().save([removed, kept]);
      await removed.destroy();
    });
    const { role } = await fixture.call("GET", fixture.role("app"));
    assert.equal(role.authentication_method, "no_login");
    await runs().run([kept], () => kept.destroy());
    assert.equal(await fixture.exists(fixture.role("app")), false);
  });
});

describe("an object that a killed run created and another stack of this machine has adopted", () => {
  it("is not recovered by the stack of the killed run, although no response told its id", async () => {
    const gate = await runs().gate();
    const fixture = await BranchFixture.on(stage());
    const [killed, next] = [stage().resource("Role", "app"), stage().resource("Role", "app")];
    killed.server = await runs().start();
    const held = gate.holdNextAnswer();
    killed.up(fixture.base).catch(() => undefined);
    await held.arrived;
    await runs().end(killed.server, "SIGKILL");
    await stage().platform.settled(fixture.base.projectId);

    const theirs = stage().resource("Role", "app");
    const elsewhere = runs().place({ backend: "https://api.pulumi.example" });
    await runs().run([theirs], () => theirs.up({ ...fixture.base, adopt: true }), elsewhere);
    const changes = await runs().changesByRun([next], () => assert.rejects(next.up(fixture.base), /already exists/));
    assert.deepEqual(changes, []);
  });
});
