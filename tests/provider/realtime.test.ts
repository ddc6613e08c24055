import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { failsWith } from "../support/expected-errors";
import { unknownText, type Values } from "../support/provider-server";
import { branchPath } from "../support/samples/object";
import { Stage, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

const shop = "https://shop.example.com";
/** Operation times with which a change of Realtime lasts beyond every time limit. */
const forEver = "1ms,apply_realtime=10h";
const isEnabling =
  /^Enabling Realtime turns on logical replication .* cannot be turned off again, and suspends all computes/;

describe("Realtime", () => {
  const stage = suiteStage();

  /** A branch, and what a program declares of its Realtime. */
  async function fixture() {
    const { id: projectId, branchId } = await stage().project();
    const base = { projectId, branchId };
    const resource = stage().resource("Realtime");
    const sent = async (step: () => Promise<unknown>) =>
      (await stage().sentBy(projectId, step)).map(
        ({ method, path }) => `${method} ${path.split("/realtime")[1] ?? path}`,
      );
    const warnings = () => resource.said("warning").filter((text) => isEnabling.test(text));
    return { base, path: `${branchPath(base)}/realtime`, resource, sent, warnings };
  }

  const secretAt = async (path: string): Promise<unknown> =>
    ((await stage().platform.call("GET", `${path}/secret`)).body as unknown as Values)["secret"];

  it("is created once it has a URL and a secret, which is secret", async () => {
    const { base, path, resource } = await fixture();
    await resource.up(base);
    const { invocationUrl, secret, ...others } = resource.ownOutputs;
    assert.match(String(invocationUrl), /^wss:/);
    assert.match(String(secret), /^nrt_live_1[\w-]{43}$/);
    assert.equal(secret, await secretAt(path));
    assert.deepEqual(others, { ...base, allowedOrigins: [] });
  });

  it("warns in the preview of what enabling does to the project, also of a branch that is not known yet, and of nothing else", async () => {
    const { base, resource, warnings } = await fixture();
    const unknown = stage().resource("Realtime");
    await unknown.preview({ projectId: unknownText, branchId: unknownText });
    assert.match(unknown.warning, isEnabling);
    await resource.preview(base);
    assert.equal(warnings().length, 1);
    await resource.up(base);
    const before = warnings().length;
    await resource.up({ ...base, allowedOrigins: [shop], rotateTrigger: "1" });
    assert.equal(warnings().length, before);
    const adopting = await stage().nextRun(stage().resource("Realtime"));
    await adopting.up({ ...base, adopt: true });
    assert.deepEqual(adopting.said("warning"), []);
  });

  it("treats origins as equal that allow the same: in another order, with the usual port, and any", async () => {
    const { base, resource } = await fixture();
    const two = [shop, "http://localhost:3000"];
    await resource.up({ ...base, allowedOrigins: two });
    for (const same of [[...two].reverse(), [`${shop}:443`, "HTTP://LOCALHOST:3000"]]) {
      assert.equal((await resource.preview({ ...base, allowedOrigins: same })).step, "same");
    }
    await resource.up({ ...base, allowedOrigins: ["*"] });
    assert.equal(await resource.refresh(), "same");
    for (const same of [["*"], []]) assert.equal(await resource.up({ ...base, allowedOrigins: same }), "same");
    assert.equal((await resource.preview({ ...base, allowedOrigins: two })).step, "update");
  });

  it("waits for a rotation, and has the secret that is valid then", async () => {
    const { base, path, resource, sent } = await fixture();
    await resource.up({ ...base, rotateTrigger: "1" });
    const { secret: before } = resource.outputs;
    const plan = await resource.preview({ ...base, rotateTrigger: "2" });
    assert.equal(plan.step, "update");
    assert.deepEqual(await sent(() => resource.up({ ...base, rotateTrigger: "2" })), ["POST /rotate_secret"]);
    assert.notEqual(resource.outputs["secret"], before);
    assert.equal(resource.outputs["secret"], await secretAt(path));
  });

  it("has the new secret after a refresh if somebody else has rotated it", async () => {
    const { base, path, resource } = await fixture();
    await resource.up(base);
    const before = await secretAt(path);
    await stage().platform.call("POST", `${path}/rotate_secret`);
    // While that is pending, a refresh reads the old one and waits for nothing.
    await resource.refresh();
    await resource.up({ ...base, allowedOrigins: [shop] });
    assert.notEqual(resource.outputs["secret"], before);
    assert.equal(resource.outputs["secret"], await secretAt(path));
  });

  it("is not enabled again by an update if somebody else has disabled it", async () => {
    const { base, path, resource, sent } = await fixture();
    await resource.up(base);
    await stage().platform.call("DELETE", path);
    const update = sent(() => assert.rejects(resource.up({ ...base, allowedOrigins: [shop] }), /no longer exists/));
    assert.deepEqual(await update, []);
    assert.equal(await resource.refresh(), "gone");
    assert.equal(await resource.up(base), "create");
  });

  it("turns on logical replication, which is no drift of a project that does not declare it", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const { projectId, defaultBranchId: branchId } = project.outputs;
    await stage().resource("Realtime").up({ projectId, branchId });
    await project.refresh();
    assert.equal(await project.up({}), "same");
  });

  describe("that a branch inherits", () => {
    it("is adopted once it is ready, with a secret of its own, and changed as declared", async () => {
      const { base, resource } = await fixture();
      await resource.up({ ...base, allowedOrigins: [shop] });
      const { body } = await stage().platform.call("POST", `/projects/${base.projectId}/branches`, {});
      const child = { ...base, branchId: body.branch.id };
      const inherited = stage().resource("Realtime");
      await assert.rejects(inherited.up(child), failsWith("inherited by this branch from its parent", "`adopt: true`"));
      assert.equal(await inherited.up({ ...child, adopt: true }), "create");
      const { secret, allowedOrigins } = inherited.outputs;
      assert.deepEqual(allowedOrigins, [shop]);
      assert.equal(secret, await secretAt(`${branchPath(child)}/realtime`));
      assert.notEqual(secret, resource.outputs["secret"]);
      await inherited.destroy();
      assert.equal(await resource.refresh(), "same");
    });
  });
});

describe("Realtime that stays pending", () => {
  const timeouts = { create: "1s", update: "1s", delete: "1s" };

  /** A stage whose changes of Realtime are applied never, until `apply` is called. */
  async function stuck(test: (stage: Stage, apply: () => Promise<void>) => Promise<void>): Promise<void> {
    const stage = await Stage.start();
    const setTime = async (text: string): Promise<void> => {
      const { status } = await stage.platform.local("PUT", "/operation_time", { operation_time: text });
      assert.equal(status, 200);
    };
    try {
      await setTime(forEver);
      await test(stage, () => setTime("1ms"));
    } finally {
      await stage.stop();
    }
  }

  it("fails a creation in time with what was last seen, and is resumed by the next up without another request", async () => {
    await stuck(async (stage) => {
      const { id: projectId, branchId } = await stage.project();
      const args = { projectId, branchId };
      const resource = stage.resource("Realtime");
      await assert.rejects(
        resource.up(args, { timeouts }),
        failsWith(`Realtime of branch ${branchId}`, "last seen enabled, pending, without a URL", "resumes from here"),
      );
      assert.equal(resource.outputs["secret"], undefined);
      assert.ok(resource.said("progress").includes("Realtime: enabled, pending, without a URL"));
      // A refresh waits for nothing.
      assert.equal(await resource.refresh(), "changed");
      await stage.platform.clearRequests();
      await assert.rejects(resource.up(args, { timeouts }), failsWith("last seen enabled, pending"));
      assert.deepEqual(await stage.sent(), []);
    });
  });

  it("fails an adoption, a rotation and a deletion in the same way", async () => {
    await stuck(async (stage, apply) => {
      const { id: projectId, branchId } = await stage.project();
      const args = { projectId, branchId };
      const path = `${branchPath(args)}/realtime`;
      await stage.platform.call("POST", path, {});
      const adopting = stage.resource("Realtime");
      await assert.rejects(
        adopting.up({ ...args, adopt: true }, { timeouts }),
        failsWith("last seen enabled, pending"),
      );
      assert.equal(adopting.state, undefined);
      await apply();
      await stage.platform.call("POST", path, { allowed_origins: [shop] });
      const resource = stage.resource("Realtime");
      await resource.up({ ...args, adopt: true });
      const { secret } = resource.outputs;
      await stage.platform.local("PUT", "/operation_time", { operation_time: forEver });
      const rotating = { ...args, rotateTrigger: "1" };
      await assert.rejects(
        resource.up(rotating, { timeouts }),
        failsWith("last seen enabled, pending, with URL and secret"),
      );
      assert.equal(resource.outputs["secret"], secret);
      await apply();
      await stage.platform.call("POST", path, {});
      await resource.up(rotating);
      assert.notEqual(resource.outputs["secret"], secret);
      await assertUpToDate(stage, resource, rotating);
      await stage.platform.local("PUT", "/operation_time", { operation_time: forEver });
      await assert.rejects(resource.destroy(), failsWith("last seen not enabled, pending"));
    });
  });
});
