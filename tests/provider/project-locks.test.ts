import fc from "fast-check";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { ProjectLocks } from "../../provider/call/project-locks";

const nobody = () => {
  throw new Error("nothing should wait");
};

describe("project locks", () => {
  it("of different projects do not wait for each other", async () => {
    const locks = new ProjectLocks();
    await locks.acquire("one", "create branch", nobody);
    await locks.acquire("two", "create branch", nobody);
  });

  it("report what they wait for, and nothing if they need not wait", async () => {
    const locks = new ProjectLocks();
    const behind: string[] = [];
    const first = await locks.acquire("p", "create branch main", nobody);
    const second = locks.acquire("p", "create role app", (what) => behind.push(what));
    assert.deepEqual(behind, ["create branch main"]);
    first();
    const release = await second;
    void locks.acquire("p", "create database shop", (what) => behind.push(what));
    assert.deepEqual(behind, ["create branch main", "create role app"]);
    release();
  });

  it("stay held when an earlier holder releases its lock again", async () => {
    const locks = new ProjectLocks();
    const first = await locks.acquire("p", "a", nobody);
    first();
    const second = await locks.acquire("p", "b", nobody);
    first();
    let behind: string | undefined;
    void locks.acquire("p", "c", (what) => (behind = what));
    assert.equal(behind, "b");
    second();
  });

  it("are not needed by work without a project", async () => {
    const locks = new ProjectLocks();
    const releases = await Promise.all([1, 2, 3].map(() => locks.acquire(undefined, "create project", nobody)));
    for (const release of releases) {
      release();
      release();
    }
  });

  it("are held by one at a time, in the order of their requests, whatever happens in between", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ project: fc.constantFrom("a", "b", "c"), ticks: fc.nat(3), fails: fc.boolean() }), {
          maxLength: 40,
        }),
        async (jobs) => {
          const locks = new ProjectLocks();
          const busy = new Set<string>();
          const done: number[] = [];
          await Promise.allSettled(
            jobs.map(async ({ project, ticks, fails }, index) => {
              const release = await locks.acquire(project, `${index}`, () => undefined);
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
