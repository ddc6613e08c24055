import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { BranchFixture } from "../support/branch-fixture";
import { renamed, suiteRuns } from "../support/runs";
import { suiteStage } from "../support/stage";

const stage = suiteStage();
const runs = suiteRuns(stage);

describe("an object that the state holds twice", () => {
  it("stays after a taint of the resource that adopts it, and a run that failed before it deleted the former entry", async () => {
    const { id, name } = await stage().project();
    const project = stage().resource("Project");
    const program = { adopt: id };
    await runs().run([project], () => project.up(program));
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
    const { id: projectId } = await stage().project();
    const [first, again] = [stage().resource("Branch", "a"), stage().resource("Branch", "a")];
    const program = { projectId, name: "x" };
    await runs().run([first], () => first.up(program));
    const other = renamed(first, "b");
    await runs().run([other], () => other.up(program));
    const changes = await runs().changesBy(async () => {
      await runs().run([again], () => again.up({ ...program, adopt: true }));
      await runs().run([again, other], async () => {
        assert.equal(await again.up({ ...program, adopt: true }), "same");
        // The program does not declare it any more.
        await other.destroy();
      });
    });
    assert.deepEqual(changes, []);
  });

  it("is an error at every up, and stays whichever of its two resources is removed", async () => {
    for (const removed of ["a", "b"]) {
      const { id: projectId } = await stage().project();
      const [first, again] = [stage().resource("Branch", "a"), stage().resource("Branch", "a")];
      const program = { projectId, name: "x" };
      await runs().run([first], () => first.up(program));
      const other = renamed(first, "b");
      await runs().run([again], () => again.up({ ...program, adopt: true }));
      const changes = await runs().changesBy(async () => {
        await runs().run([again, other], async () => {
          assert.equal(await again.up({ ...program, adopt: true }), "same");
          await assert.rejects(
            other.up(program),
            /already managed by Branch "a".* remove one of the two from the program/,
          );
        });
        const [kept, gone] = removed === "a" ? [other, again] : [again, other];
        await runs().run([kept, gone], async () => {
          assert.equal(await kept.up(program), "same");
          await gone.destroy();
        });
      });
      assert.deepEqual(changes, [], `${removed} was removed`);
    }
  });
});

describe("an object that the state holds twice, when the resource that keeps it is not compared in this run", () => {
  for (const removed of ["the adopting one", "the renamed one"] as const) {
    it(`stays if ${removed} is destroyed`, async () => {
      const { id: projectId } = await stage().project();
      const [first, again] = [stage().resource("Branch", "a"), stage().resource("Branch", "a")];
      await runs().run([first], () => first.up({ projectId, name: "x" }));
      const other = renamed(first, "b");
      await runs().run([first, other], async () => {
        first.state = undefined;
        assert.equal(await other.up({ projectId, name: "x" }), "same");
      });
      await runs().run([again], () => again.up({ projectId, name: "x", adopt: true }));
      const [kept, gone] = removed === "the renamed one" ? [again, other] : [other, again];
      const changes = await runs().changesBy(() => runs().run([gone], () => gone.destroy()));
      assert.deepEqual(changes, []);
      const warnings = gone.server.lines.map(({ text }) => text);
      assert.ok(warnings.some((text) => text.includes("was removed from the Pulumi state but not deleted")));
      await runs().run([kept], () => kept.destroy());
      assert.equal((await stage().branches(projectId)).length, 1);
    });
  }
});

describe("an object that the state holds twice, when both resources are destroyed", () => {
  for (const order of ["at once", "one after the other"] as const) {
    it(`is deleted: ${order}`, async () => {
      const { id: projectId } = await stage().project();
      const [one, other] = [stage().resource("Branch"), stage().resource("Branch")];
      await runs().run([one], () => one.up({ projectId, name: "x" }));
      const { id } = one;
      await runs().run([other], () => other.up({ projectId, name: "x", adopt: true }));
      assert.equal(other.id, id);
      await runs().run([one, other], async () => {
        if (order === "at once") await Promise.all([one.destroy(), other.destroy()]);
        else for (const resource of [one, other]) await resource.destroy();
      });
      assert.ok(!(await stage().branches(projectId)).some((branch) => id.endsWith(branch.id)));
    });
  }
});

describe("an object that the state holds twice, when two provider processes destroy both resources", () => {
  it("is deleted, because the state says that the other one is being deleted", async () => {
    const { id: projectId } = await stage().project();
    const [one, other] = [stage().resource("Branch"), stage().resource("Branch")];
    await runs().run([one], () => one.up({ projectId, name: "x" }));
    const { id } = one;
    await runs().run([other], () => other.up({ projectId, name: "x", adopt: true }));
    await runs().runApart([one, other], async () => {
      runs().save([one, other], undefined, [one, other]);
      await Promise.all([one.destroy(), other.destroy()]);
    });
    assert.ok(!(await stage().branches(projectId)).some((branch) => id.endsWith(branch.id)));
    assert.deepEqual([...one.said("warning"), ...other.said("warning")], []);
  });
});

describe("an object that the state holds twice, when one of its resources is replaced and the other one removed", () => {
  it("is deleted first, and created as the program declares it", async () => {
    const fixture = await BranchFixture.on(stage());
    const [removed, kept] = [stage().resource("Role"), stage().resource("Role")];
    const program = { ...fixture.base, name: "app" };
    await runs().run([removed], () => removed.up(program));
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
    const changes = await runs().changesBy(() =>
      runs().run([next], () => assert.rejects(next.up(fixture.base), /already exists/)),
    );
    assert.deepEqual(changes, []);
  });
});
