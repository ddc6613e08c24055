import assert from "node:assert/strict";

import { describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { currentDoor } from "../support/door";
import { BranchFixture } from "../support/branch-fixture";
import type { Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { assertSays, failsWith } from "../support/expected-errors";
import { entriesOf } from "../support/journal";
import { sharedRuns, suiteRuns } from "../support/runs";
import { suiteStage } from "../support/stage";
import { suite } from "../support/suite";

const stage = suiteStage();

/** A resource of a killed run, the same one in the next run, whose state does not contain it, and what that run said. */
interface Lost {
  readonly former: EngineResource;
  readonly next: EngineResource;
  readonly args: Values;
  readonly error: unknown;
}

/** The kinds whose objects the run got, and of which it was killed before their responses arrived. */
const returned = ["Project", "Branch", "Role", "Database", "ApiKey", "Snapshot"] as const;
const unanswered = ["Project", "Branch", "Role"] as const;

async function declared(kind: KindName): Promise<Values> {
  if (kind === "Project" || kind === "ApiKey") return {};
  const { base } = await BranchFixture.on(stage());
  if (kind === "Branch") return { projectId: base.projectId };
  return kind === "Database" ? { ...base, ownerName: "neondb_owner" } : base;
}

const created = "Another run created it for a resource with this URN, in another stack or earlier in this stack.";

for (const [title, backend, hasIdentity] of [
  ["a folder", undefined, true],
  // A plugin is not told the organization of the stack.
  ["Pulumi Cloud", "https://api.pulumi.com", currentDoor() === "dynamic"],
  ["a bucket", "s3://states", true],
  // Nothing tells its stack from others.
  ["a relative path", "file://./state", false],
] as const) {
  describe(`with ${title} as the backend, an object whose run was killed`, () => {
    const runs = sharedRuns(stage);
    const found = suite(async () => {
      const gate = await runs().gate();
      const place = runs().place(backend === undefined ? {} : { backend });
      const server = await runs().start(place);
      const begin = async (kind: KindName): Promise<Omit<Lost, "error">> => {
        const former = stage().resource(kind);
        former.server = server;
        return { former, next: stage().resource(kind, former.name), args: await declared(kind) };
      };
      const all: Omit<Lost, "error">[] = [];
      for (const kind of returned) {
        const one = await begin(kind);
        await one.former.up(one.args);
        all.push(one);
      }
      for (const kind of unanswered) {
        const one = await begin(kind);
        const held = gate.holdNextAnswer();
        one.former.up(one.args).catch(() => undefined);
        await held.arrived;
        all.push(one);
      }
      await runs().end(server, "SIGKILL");
      const { body } = await stage().platform.call("GET", "/projects?limit=400");
      for (const { id } of body.projects) await stage().settled(id);

      const lost: Lost[] = [];
      const resources = all.map(({ next }) => next);
      const run = async (): Promise<void> => {
        for (const one of all) {
          const error: unknown = await one.next.up(one.args).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          lost.push({ ...one, error });
        }
      };
      const changes = await runs().changesByRun(resources, run, place);
      const [project, branch, role, database, key, snapshot, ...later] = lost;
      assert.ok(project && branch && role && database && key && snapshot);
      return { project, branch, role, database, key, snapshot, later, changes };
    });

    it("and whose result Pulumi received is neither changed nor deleted", () => {
      const { project, key, snapshot, later, changes } = found();
      const added = [
        `/api_keys/${key.next.id}`,
        `/projects/${project.next.id}`,
        `/projects/${String(snapshot.args["projectId"])}/snapshots/${String(snapshot.next.outputs["snapshotId"])}`,
        ...(hasIdentity ? [] : [`/projects/${later[0]?.next.id ?? ""}`]),
      ];
      assert.deepEqual(changes, added.map((path) => `added ${path}`).sort());
    });

    it("and whose result Pulumi received is named in a warning, with what to do about it: Project", () => {
      const { former, next } = found().project;
      const ways = `Delete ${former.id} if nothing manages it. If another stack does, declare another \`name\` here`;
      assertSays(next.warning, `The project ${former.id} has the same name. ${created}`, ways);
    });

    it("and whose result Pulumi received is named in the error, with what to do about it: Branch", () => {
      const { former, error } = found().branch;
      const adopt = hasIdentity ? `declare \`adopt: "${String(former.outputs["branchId"])}"\`` : created;
      const ways = "Otherwise declare another name, or delete the object if nothing manages it.";
      failsWith(`A branch with this name already exists: ${former.id}`, adopt, ways)(error);
    });

    for (const kind of ["role", "database"] as const) {
      it(`and whose result Pulumi received is named in the error, with what to do about it: ${kind}`, () => {
        const { former, next, error } = found()[kind];
        const creator = hasIdentity ? "An interrupted run of this stack created it" : "If no other stack manages it";
        const ways = `declare \`adopt: "${former.name}"\``;
        failsWith(`A ${kind} with this name already exists: ${former.id}`, creator, ways)(error);
        assert.equal(next.state, undefined);
        assert.deepEqual(next.said("warning"), []);
      });
    }

    for (const [kind, says] of [
      ["key", "It was not revoked, because a state may hold it. Revoke it if nothing uses it."],
      ["snapshot", "It was not recovered, because a state may hold it. If none does, delete it, or declare `adopt: "],
    ] as const) {
      const isNamed = hasIdentity ? "is named in a warning" : "is not named";
      it(`and whose result Pulumi received ${isNamed}, and another one is created: ${kind}`, () => {
        const { former, next } = found()[kind];
        assert.notEqual(next.id, former.id);
        const warnings = next.said("warning");
        assert.equal(warnings.length, hasIdentity ? 1 : 0);
        for (const text of warnings) assertSays(text, /^An interrupted run created the/, ` ${former.id}. ${says}`);
      });
    }

    for (const [index, kind] of unanswered.entries()) {
      it(`before a response arrived is ${hasIdentity ? "recovered" : "named"}: ${kind}`, () => {
        const { next, error } = found().later[index] ?? assert.fail();
        if (hasIdentity) assert.match(next.warning, /It was recovered\.$/);
        else if (error === undefined) assertSays(next.warning, "has the same name");
        else failsWith("already exists")(error);
      });
    }
  });
}

describe("an object whose result Pulumi received but did not save", () => {
  const runs = suiteRuns(stage);

  it("is kept by `adopt`, which ends the search for it", async () => {
    const server = await runs().start();
    const lost = [stage().resource("Branch"), stage().resource("Role"), stage().resource("Snapshot")];
    const all = await Promise.all(lost.map(async (former) => ({ former, args: await declared(former.kind) })));
    for (const { former, args } of all) {
      former.server = server;
      await former.up(args);
    }
    await runs().end(server, "SIGKILL");
    const nexts = lost.map(({ kind, name }) => stage().resource(kind, name));
    const changes = await runs().changesByRun(nexts, async () => {
      for (const [index, { args }] of all.entries()) await nexts[index]?.up({ ...args, adopt: true });
    });
    assert.deepEqual(changes, []);
    assert.deepEqual(
      nexts.map(({ id }) => id),
      lost.map(({ id }) => id),
    );
    for (const { journal, urn } of nexts) assert.deepEqual(entriesOf(journal, urn), []);
  });

  it("because its engine could not write the state is named, although the run ended by itself", async () => {
    const former = stage().resource("Project");
    await runs().run([former], () => former.up({}));
    const next = stage().resource("Project", former.name);
    const changes = await runs().changesByRun([next], () => next.up({}));
    assert.deepEqual(changes, [`added /projects/${next.id}`]);
    assertSays(next.warning, `The project ${former.id} has the same name. ${created}`);
  });
});
