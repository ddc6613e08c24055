import fc from "fast-check";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { ProjectLocks } from "../../provider/kind/project-locks";
import { settled } from "../support/clock";

const nobody = () => {
  throw new Error("nobody was to be told");
};

describe("api: turns", () => {
  it("are taken at once where nobody is in front", async () => {
    const turns = new ProjectLocks();
    (await turns.acquire("p", "create branch", nobody))();
    (await turns.acquire("p", "delete branch", nobody))();
  });

  it("go to those of one project in the order they came, one at a time", async () => {
    const turns = new ProjectLocks();
    const told: string[] = [];
    const work = async (name: string) => {
      const release = await turns.acquire("p", name, () => undefined);
      told.push(`${name} begins`);
      await settled();
      told.push(`${name} ends`);
      release();
    };
    await Promise.all(["a", "b", "c"].map(work));
    assert.deepEqual(told, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("of different projects do not wait for each other", async () => {
    const turns = new ProjectLocks();
    await turns.acquire("one", "create branch", nobody);
    await turns.acquire("two", "create branch", nobody);
  });

  it("who has to wait is told what for, and who need not is told nothing", async () => {
    const turns = new ProjectLocks();
    const behind: string[] = [];
    const first = await turns.acquire("p", "create branch main", nobody);
    const second = turns.acquire("p", "create role app", (what) => behind.push(what));
    assert.deepEqual(behind, ["create branch main"]);
    first();
    const release = await second;
    void turns.acquire("p", "create database shop", (what) => behind.push(what));
    assert.deepEqual(behind, ["create branch main", "create role app"]);
    release();
  });

  it("a turn that is given back twice is given back once", async () => {
    const turns = new ProjectLocks();
    const first = await turns.acquire("p", "a", nobody);
    const second = turns.acquire("p", "b", () => undefined);
    const third = turns.acquire("p", "c", () => undefined);
    const state = { third: false };
    void third.then(() => (state.third = true));
    first();
    await second;
    first();
    await settled();
    assert.equal(state.third, false);
  });

  it("giving back late does not end somebody else's turn", async () => {
    const turns = new ProjectLocks();
    const first = await turns.acquire("p", "a", nobody);
    first();
    const second = await turns.acquire("p", "b", nobody);
    first();
    let behind: string | undefined;
    void turns.acquire("p", "c", (what) => (behind = what));
    assert.equal(behind, "b");
    second();
  });

  it("work that belongs to no project never waits", async () => {
    const turns = new ProjectLocks();
    const releases = await Promise.all([1, 2, 3].map(() => turns.acquire(undefined, "create project", nobody)));
    for (const release of releases) {
      release();
      release();
    }
  });

  it("never overlap, and nobody is forgotten, whatever happens in between", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ project: fc.constantFrom("a", "b", "c"), ticks: fc.nat(3), fails: fc.boolean() }), {
          maxLength: 40,
        }),
        async (jobs) => {
          const turns = new ProjectLocks();
          const busy = new Set<string>();
          const done: number[] = [];
          await Promise.allSettled(
            jobs.map(async ({ project, ticks, fails }, index) => {
              const release = await turns.acquire(project, `${index}`, () => undefined);
              try {
                assert.ok(!busy.has(project));
                busy.add(project);
                for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
                busy.delete(project);
                done.push(index);
                if (fails) throw new Error("failed");
              } finally {
                release();
              }
            }),
          );
          assert.equal(done.length, jobs.length);
          for (const project of ["a", "b", "c"]) {
            const own = done.filter((index) => jobs[index]?.project === project);
            assert.deepEqual(
              own,
              own.toSorted((one, other) => one - other),
            );
          }
        },
      ),
    );
  });
});
