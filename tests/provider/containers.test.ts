import assert from "node:assert/strict";

import { describe } from "mocha";

import type { z } from "zod";

import type { KindName } from "../../provider/frozen-entry";
import { containersOf } from "../../provider/kind/containers";
import { kinds } from "../../provider/kinds";
import { codeOf } from "../support/contents";
import { currentDoor } from "../support/door";
import type { Values } from "../support/provider-server";
import { hasInput, isOnBranch, type Sample, titleOf } from "../support/sample";
import { everySample, samples } from "../support/samples";
import { oauthProvider } from "../support/samples/neon-auth";
import { branchPath } from "../support/samples/object";
import { concurrently, suiteServer, suiteStage } from "../support/stage";
import { until } from "../support/until";

/** A change of a container, and what becomes of what it contains. */
interface ContainerChange {
  readonly container: KindName;
  readonly what: "reset" | "restore" | "replacement";
  readonly to: Values;
  /** Another change of the same kind. */
  readonly back?: Values;
  /** Whether what the change deletes can be created again: the container keeps its id. */
  readonly keepsId: boolean;
  /** The kinds of what it deletes. Default: all. */
  readonly kinds?: readonly KindName[];
}

/** Stands for the id of another branch of the project, without the contents of the container. */
const another = "another branch";

const ofDatabase: readonly KindName[] = ["Role", "Database", "DataApi"];

const containerChanges: readonly ContainerChange[] = [
  {
    container: "Branch",
    what: "reset",
    to: { resetTrigger: "1" },
    back: { resetTrigger: "2" },
    keepsId: true,
    kinds: [...ofDatabase, "Bucket", "BucketObject"],
  },
  {
    container: "Branch",
    what: "restore",
    to: { restore: { trigger: "1", sourceBranchId: another } },
    back: { restore: { trigger: "2", sourceBranchId: another } },
    keepsId: true,
    kinds: ofDatabase,
  },
  { container: "Branch", what: "replacement", to: { annotations: { team: "sales" } }, keepsId: false },
  { container: "Project", what: "replacement", to: { regionId: "aws-eu-central-1" }, keepsId: false },
  {
    container: "Bucket",
    what: "replacement",
    to: { accessLevel: "public_read" },
    back: { accessLevel: "private" },
    keepsId: true,
  },
  {
    container: "NeonAuth",
    what: "replacement",
    to: { databaseName: "other" },
    back: { databaseName: "neondb" },
    keepsId: true,
  },
  { container: "Function", what: "replacement", to: { slug: "another" }, keepsId: false },
];

/** What a program declares of a container besides its address. */
const containerInputs: Readonly<Partial<Record<KindName, Values>>> = {
  Bucket: { forceDestroy: true },
  Database: { ownerName: "neondb_owner" },
  NeonAuth: { plugins: { oauthProvider } },
  Function: { code: codeOf("export default { fetch: () => new Response('Hello') };") },
};

const containerKinds: readonly KindName[] = ["Project", "Branch", "Database", "Bucket", "NeonAuth", "Function"];

/** The kinds of what only a branch without a parent has, which cannot be reset. */
const onRoot: readonly KindName[] = ["Snapshot", "BackupSchedule"];

/** Whether the objects of a sample are in containers of a kind. */
function isIn(sample: Sample, kind: KindName): boolean {
  const { shape } = kinds[sample.kind].outputs();
  const required = Object.entries(shape).filter(([, output]) => !(output as z.ZodType).safeParse(undefined).success);
  const texts = Object.fromEntries(required.map(([name]) => [name, name]));
  return containersOf(kinds[sample.kind], texts).some((one) => one.kind === kind);
}

describe("what happens to a container", () => {
  const stage = suiteStage();
  const later = suiteServer(stage);
  const killed = suiteServer(stage);
  const last = suiteServer(stage);
  const test = concurrently();
  // The plugin differs where the protocol does not tell whether a replaced container is kept.
  const changes = containerChanges.filter(({ what }) => currentDoor() === "dynamic" || what === "replacement");

  /** The inputs of a sample. A sample on a branch gets a branch of its own, which can be reset if the container is reset. */
  async function declaredOn(sample: Sample, kind: KindName): Promise<Values> {
    const declared = await sample.declare(stage());
    if (!isOnBranch(sample) && declared["branchId"] === undefined) return declared;
    // Only the Neon Auth of a branch without a parent can become an OAuth provider again.
    const isOnRoot = onRoot.includes(sample.kind) || kind === "NeonAuth";
    const body = {
      ...(isOnRoot && { branch: { init_source: "schema-only" } }),
      endpoints: sample.kind === "Endpoint" ? [] : [{ type: "read_write" }],
    };
    const { id: branchId } = await stage().branch(String(declared["projectId"]), body);
    await sample.prepareBranch?.(stage(), { ...declared, branchId });
    return { ...declared, branchId };
  }

  /** A container, and an object in it, as an earlier run has left both to another process. */
  async function contained(sample: Sample, kind: KindName) {
    const declared = await declaredOn(sample, kind);
    const object = stage().resource(sample.kind);
    await object.up(declared);
    const key = containersOf(kinds[sample.kind], object.ownOutputs).find((one) => one.kind === kind);
    assert.ok(key, `${sample.kind} is in no ${kind}`);
    const address = kinds[kind].address(key.id) as Values;
    if (kind === "NeonAuth") {
      const database = { database: { name: "other", owner_name: "neondb_owner" } };
      const { projectId } = address;
      await stage().platform.call("POST", `${branchPath(address)}/databases`, database);
      await stage().settled(String(projectId));
    }
    const inputs = Object.fromEntries(Object.entries(address).filter(([name]) => hasInput(samples[kind], name)));
    const args: Values = { ...inputs, ...containerInputs[kind] };
    const container = stage().resource(kind);
    await container.up({ ...args, adopt: Object.values(address).at(-1) });
    await object.refresh();
    for (const one of [container, object]) one.server = later();
    return { container, args, object, declared };
  }

  /** The change, and the one that follows. */
  async function changesOf(
    { to, back = {} }: ContainerChange,
    { projectId }: Values,
  ): Promise<readonly [Values, Values]> {
    const source =
      "restore" in to ? await stage().branch(String(projectId), { endpoints: [{ type: "read_write" }] }) : undefined;
    return JSON.parse(JSON.stringify([to, back]).replaceAll(another, source?.id ?? "")) as [Values, Values];
  }

  for (const change of changes) {
    const { container: kind, what, keepsId } = change;
    for (const sample of everySample.filter(
      (one) => isIn(one, kind) && !(what !== "replacement" && onRoot.includes(one.kind)),
    )) {
      const deletes = change.kinds?.includes(sample.kind) ?? true;
      const title = `${titleOf(sample)} in a ${kind} › ${what}`;
      if (!keepsId) {
        test(`${title} › is refused while the program names the old one`, async () => {
          const { container, args, object, declared } = await contained(sample, kind);
          const { to } = change;
          const plan = await container.preview({ ...args, ...to });
          assert.equal(plan.step, "replace");
          const isCertain = currentDoor() === "dynamic" || plan.deleteBeforeReplace;
          const refused = /This run replaces .*, and the program still declares this .* in the old one/;
          if (isCertain) await assert.rejects(object.preview(declared), refused);
          else {
            // The plugin protocol does not tell whether the option `retainOnDelete` keeps the old one.
            assert.equal((await object.preview(declared)).step, "same");
            assert.match(object.said("warning").at(-1) ?? "", refused);
          }
        });
        continue;
      }
      test(`${title} › ${deletes ? "creates it again, or the next run does" : "leaves it alone"}`, async () => {
        const { container, args, object, declared } = await contained(sample, kind);
        const [to, back] = await changesOf(change, args);
        await container.preview({ ...args, ...to });
        assert.equal((await object.preview(declared)).step, deletes ? "replace" : "same");
        // Like the engine, which goes on with the next resource when the step of one has begun.
        const changing = container.up({ ...args, ...to });
        await until(() => container.plan?.step !== "create");
        await Promise.all([changing, object.up(declared)]);
        assert.ok(await sample.exists(stage(), object.outputs));
        assert.equal(await object.refresh(), "same");
        assert.equal(await container.refresh(), "same");
        assert.equal(await container.up({ ...args, ...to }), "same");
        assert.equal(await object.up(declared), "same");
        if (!deletes) return;

        // A run that is killed when it has changed the container.
        container.server = killed();
        await container.up({ ...args, ...back });
        for (const one of [container, object]) one.server = last();
        assert.equal(await container.up({ ...args, ...back }), "same");
        assert.equal(await object.up(declared), "replace");
        assert.equal(await object.refresh(), "same");
      });

      if (!deletes) continue;
      test(`${title} › is refused if the object was compared before`, async () => {
        const { container, args, object, declared } = await contained(sample, kind);
        const [to] = await changesOf(change, args);
        assert.equal((await object.preview(declared)).step, "same");
        await assert.rejects(container.preview({ ...args, ...to }), /deletes .*, which does not depend on it/);
      });
    }
  }

  test("Role in a Branch › reset › is not changed if the reset fails, until the next run", async () => {
    const { container, args, object, declared } = await contained(samples.Role, "Branch");
    const reset = { ...args, resetTrigger: "1" };
    await container.preview(reset);
    assert.equal((await object.preview(declared)).step, "replace");
    const path = `/branches/${String(declared["branchId"])}/restore$`;
    await stage().platform.fault({ method: "POST", path, status: 400, body: { code: "", message: "no" } });
    const [failed, changed] = await Promise.allSettled([container.up(reset), object.up(declared)]);
    assert.match(String(failed.status === "rejected" && failed.reason), /HTTP 400: no/);
    assert.match(
      String(changed.status === "rejected" && changed.reason),
      /The role was not changed: the reset of Branch ".*" did not succeed\. Run `pulumi up` again\./,
    );
    for (const one of [container, object]) one.server = last();
    assert.equal(await container.up(reset), "update");
    await object.up(declared);
    assert.ok(await samples.Role.exists(stage(), object.outputs));
    assert.equal(await object.refresh(), "same");
  });

  for (const sample of everySample) {
    for (const kind of containerKinds.filter((one) => isIn(sample, one))) {
      test(`${titleOf(sample)} in a ${kind} › deletion › is refused while the program declares the object`, async () => {
        const { container, object, declared } = await contained(sample, kind);
        assert.equal(await object.up(declared), "same");
        await assert.rejects(container.destroy(), /was not deleted: the program still declares/);
        assert.equal(await object.refresh(), "same");
      });
    }
  }
});
