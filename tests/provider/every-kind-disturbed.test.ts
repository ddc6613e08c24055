import assert from "node:assert/strict";

import { describe } from "mocha";

import { uniqueInputs } from "../../provider/kind/natural-key";
import { kinds } from "../../provider/kinds";
import type { ProviderServer, Values } from "../support/provider-server";
import { urnOf } from "../support/door";
import { failsWith, refusesAdoption } from "../support/expected-errors";
import { changed, hasInput, isOnBranch, isReported, type Sample, titleOf } from "../support/sample";
import { everySample, samples } from "../support/samples";
import { concurrently, onStages, type Sent, suiteServer, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

describe("every kind", () => {
  const stage = suiteStage();
  /** Other runs, which have neither created nor adopted anything. */
  const runs = [suiteServer(stage), suiteServer(stage), suiteServer(stage)];
  const test = concurrently();

  const anotherRun = (index = 0): ProviderServer => runs[index]?.() ?? assert.fail();

  /** A resource that is as its sample declares it. */
  async function created(sample: Sample) {
    const declared = await sample.declare(stage());
    const resource = stage().resource(sample.kind);
    await resource.up(declared);
    return { declared, resource };
  }

  for (const sample of everySample) {
    const { kind } = sample;
    describe(titleOf(sample), () => {
      test("§6.18 fails to update an object that somebody else has deleted, advises `pulumi refresh`, and deletes it", async () => {
        const { declared, resource } = await created(sample);
        const { present } = resource;
        await sample.remove(stage(), resource.outputs);
        const updates = sample.overwritable ? [] : sample.inPlace(declared, resource.outputs);
        for (const { input, to, sends, requires } of updates) {
          const args = { ...changed(declared, input, to), ...requires };
          if (sends.length === 0 || (await resource.preview(args)).step === "same") continue;
          await assert.rejects(resource.up(args), failsWith(/no longer exists.* Run `pulumi refresh`/), input);
          assert.deepEqual(resource.present, present);
        }
        await resource.destroy();
        assert.ok(!(await sample.exists(stage(), present.outputs)));
      });

      // A key for a project stays valid, and of no use, without the project.
      if (hasInput(sample, "projectId") && kind !== "ProjectApiKey") {
        test("deletes an object whose project was deleted, of which a refresh finds nothing", async () => {
          const { declared, resource } = await created(sample);
          const { present } = resource;
          await stage().platform.call("DELETE", `/projects/${String(declared["projectId"])}`);
          assert.equal(await resource.refresh(), "gone");
          resource.state = present;
          await resource.destroy();
        });
      }

      test("fails to adopt an object with another value of an input that cannot be changed", async () => {
        const { declared, resource } = await created(sample);
        const adopting = stage().resource(kind);
        adopting.server = anotherRun();
        const { createsFirst, deletesFirst = {} } = await sample.replaces(declared, stage());
        for (const [input, to] of Object.entries({ ...createsFirst, ...deletesFirst })) {
          // The platform knows nothing of a trigger.
          if (input === "rotateTrigger") continue;
          await assert.rejects(
            adopting.up({ ...changed(declared, input, to), adopt: resource.id }),
            refusesAdoption(new RegExp(`cannot be adopted: .*\`${input}|There is no .* to adopt|was not found`)),
            input,
          );
        }
        assert.equal(adopting.state, undefined);
        assert.equal(await resource.refresh(), "same");
      });

      if (uniqueInputs(kinds[kind], { type: "read_write" }).length > 0) {
        test("fails to be replaced by `--replace`, and names the option that this needs first", async () => {
          const { declared, resource } = await created(sample);
          resource.server = anotherRun();
          // Once deleted, some objects can never be created again.
          const option = sample.facts.once ? "`pulumi state untaint`" : "`deleteBeforeReplace: true`";
          const wanted = new RegExp(`already exists: ((?!NEON_ADOPT).)*${option}`);
          await assert.rejects(resource.up(declared, { replace: true }), wanted);
          assert.equal(await resource.up(declared), "same");
        });
      }

      // Of Neon Auth, it is the name of the application, and that of the project by default.
      if (hasInput(sample, "name") && sample.facts.isNamed && kind !== "NeonAuth") {
        test("keeps the name that it has by default when the resource is renamed in the program", async () => {
          const { name: _, ...declared } = await sample.declare(stage());
          const resource = stage().resource(kind);
          await resource.up(declared);
          assert.equal(resource.outputs["name"], resource.name);
          assert.equal(await resource.up(declared, { urn: urnOf(kind, "another") }), "same");
          assert.equal(resource.plan?.changes, false);
          assert.equal(resource.present.inputs["name"], resource.name);
        });
      }
    });
  }

  for (const { kind, replaced = {} } of Object.values(samples)) {
    for (const [input, warning] of Object.entries(replaced))
      test(`${kind} › replaces its object when ${input} changes, and warns if something is lost`, async () => {
        const declared = await samples[kind].declare(stage());
        const { createsFirst, deletesFirst } = await samples[kind].replaces(declared, stage());
        const values: Values = { ...createsFirst, ...deletesFirst };
        assert.ok(input in values);
        const args = changed(declared, input, values[input]);
        const resource = stage().resource(kind);
        await resource.up(declared);
        const old = resource.present;
        await resource.preview(args);
        if (warning !== undefined) assert.match(resource.warning, warning);
        assert.equal(await resource.up(args), "replace");
        assert.ok(await samples[kind].exists(stage(), resource.outputs));
        if (resource.id !== old.id) assert.ok(!(await samples[kind].exists(stage(), old.outputs)));
        await assertUpToDate(stage(), resource, args);
      });
  }

  test("NeonAuth › warns that its users are deleted if the program declares that, when it is replaced", async () => {
    const declared = { ...(await samples.NeonAuth.declare(stage())), deleteData: true };
    const { createsFirst, deletesFirst } = await samples.NeonAuth.replaces(declared, stage());
    const resource = stage().resource("NeonAuth");
    await resource.up(declared);
    await resource.preview({ ...declared, ...createsFirst, ...deletesFirst });
    assert.match(resource.warning, /All users of the old one are deleted \(`deleteData`\)\. To keep them, declare/);
  });

  for (const { kind, withProject } of Object.values(samples)) {
    if (withProject === undefined) continue;
    const [noun, args] = withProject;
    for (const when of ["", ", also after a restore of its branch"] as const) {
      test(`${kind} › releases the object that was created with the project, with a warning${when}`, async () => {
        const { id: projectId, branchId } = await stage().project();
        const resource = stage().resource(kind);
        await resource.up({ projectId, branchId, ...args, adopt: true });
        // A run does not delete what it has adopted.
        resource.server = anotherRun();
        if (when !== "") {
          const { id } = await stage().branch(projectId);
          const body = { source_branch_id: id, preserve_under_name: "before" };
          const path = `/projects/${projectId}/branches/${branchId}/restore`;
          assert.equal((await stage().platform.call("POST", path, body)).status, 200);
          await stage().settled(projectId);
          await resource.refresh();
        }
        const { outputs } = resource;
        assert.deepEqual(await stage().sentBy(projectId, () => resource.destroy()), []);
        const reason = "was created with its project, and is deleted with the project";
        const released = "Pulumi only removes it from the state";
        const warning = resource.said("warning").at(when === "" ? 0 : -1) ?? "";
        assert.match(warning, new RegExp(`^The ${noun} ${reason}\\. ${released}\\.$`));
        assert.ok(await samples[kind].exists(stage(), outputs));
      });
    }
  }

  for (const sample of Object.values(samples)) {
    const { kind, definition } = sample;
    if (definition.update === undefined) continue;
    test(`${kind} › applies a declared input when it adopts, which a refresh of another program finds and its up reverts`, async () => {
      const { declared, resource } = await created(sample);
      const change = sample.inPlace(declared, resource.outputs).find(({ input }) => isReported(sample, input));
      if (change === undefined) return;
      const adopting = stage().resource(kind);
      adopting.server = anotherRun();
      const args = changed(declared, change.input, change.to);
      assert.equal(await adopting.up({ ...args, adopt: resource.id }), "create");
      await assertUpToDate(stage(), adopting, args);
      assert.equal(await resource.refresh(), "changed");
      assert.equal(await resource.up(declared), "update");
      await assertUpToDate(stage(), resource, declared);
    });
  }

  for (const { kind, prepareBranch } of Object.values(samples).filter(isOnBranch)) {
    test(`${kind} › deletes an object whose branch was deleted, of which a refresh finds nothing`, async () => {
      const declared = await samples[kind].declare(stage());
      const projectId = String(declared["projectId"]);
      const { id: branchId } = await stage().branch(projectId, {
        branch: { init_source: "schema-only" },
        endpoints: kind === "Endpoint" ? [] : [{ type: "read_write" }],
      });
      await prepareBranch?.(stage(), { ...declared, branchId });
      const resource = stage().resource(kind);
      await resource.up({ ...declared, branchId });
      const { present } = resource;
      await stage().platform.call("DELETE", `/projects/${projectId}/branches/${branchId}`);
      await stage().settled(projectId);
      assert.equal(await resource.refresh(), "gone");
      resource.state = present;
      await resource.destroy();
    });
  }

  for (const sample of everySample.filter((one) => one.facts.isAdoptedByName)) {
    const { kind } = sample;
    const { noun } = kinds[kind];
    describe(titleOf(sample), () => {
      test("§6.20 fails to create an object that exists, and adopts by true, the id and the id in state", async () => {
        const { declared, resource } = await created(sample);
        const { id } = resource;
        const last = id.slice(id.lastIndexOf("/") + 1);
        const ofTest =
          kind === "Project" ? id : String(declared["projectId"] ?? declared["vpcEndpointId"] ?? declared["orgId"]);
        const before = (await stage().sent(ofTest)).length;
        // A branch that another run created cannot be adopted by accident; the names of projects are not unique.
        if (!["Project", "Branch"].includes(kind)) {
          const another = stage().resource(kind);
          another.server = anotherRun();
          await assert.rejects(another.up(declared), failsWith(`already exists: ${id}`, "`NEON_ADOPT=true pulumi up`"));
          assert.equal(another.state, undefined);
        }
        for (const [index, adopt] of [true, decodeURIComponent(last), id].entries()) {
          const adopting = stage().resource(kind);
          adopting.server = anotherRun(index);
          assert.equal(await adopting.up({ ...declared, adopt }), "create");
          assert.equal(adopting.id, id);
          await assertUpToDate(stage(), adopting, declared);
        }
        const sent = (await stage().sent(ofTest)).slice(before);
        const isAdoption = ({ path }: Sent): boolean =>
          sample.sentOnAdoption?.some((one) => one.path.test(path)) ?? false;
        assert.ok(
          sent.every((one) => one.status === 409 || isAdoption(one)),
          "nothing has changed the object",
        );
      });

      test("creates an object for `adopt: true` if there is none, and fails for an id that does not exist", async () => {
        const declared = await sample.declare(stage());
        const resource = stage().resource(kind);
        await assert.rejects(
          resource.up({ ...declared, adopt: "no-such-one" }),
          refusesAdoption(`There is no ${noun} "no-such-one" to adopt`),
        );
        assert.equal(resource.state, undefined);
        assert.equal(await resource.up({ ...declared, adopt: true }), "create");
        const { outputs } = resource;
        assert.ok(await sample.exists(stage(), outputs));
        // A run does not delete what it has adopted, such as an empty schedule.
        resource.server = anotherRun();
        await resource.destroy();
        assert.ok(!(await sample.exists(stage(), outputs)));
      });
    });
  }
});

/** What becomes of the first request of a step, and whether the platform performs it. */
const disturbances = [
  ["with one request each when every answer is lost", { reset: "after" }, true],
  ["with one request each when a gateway answers with 503 afterwards", { status: 503, perform: true }, true],
  ["when every request is lost at first", { reset: "before" }, false],
] as const;

describe("every kind", () => {
  const test = onStages(2);

  for (const sample of everySample) {
    const { kind } = sample;
    describe(titleOf(sample), () => {
      for (const [how, fault, isPerformed] of disturbances) {
        test(`creates, changes and deletes its object ${how}`, async (stage) => {
          let declared = await sample.declare(stage);
          const resource = stage.resource(kind);
          /** Runs a step whose request is disturbed. A request that is performed is sent once, another one again or by the next run. */
          const lose = async (method: string, step: () => Promise<unknown>, count = 1): Promise<void> => {
            await stage.platform.clearRequests();
            await stage.platform.fault({ method, ...fault });
            if (!isPerformed) return void (await step().catch(step));
            await step();
            assert.equal((await stage.sent()).filter((sent) => sent.method === method).length, count);
          };
          const [{ method: sets } = { method: "POST" }] = sample.creates(declared);
          // Only the lost answer contains the secret of a key.
          const creates = sample.renewsLostSecret === true ? 2 : 1;
          if (!sample.facts.secretOnce) await lose(sets, () => resource.up(declared), creates);
          else await resource.up(declared);
          await assertUpToDate(stage, resource, declared);
          for (const { input, to, sends } of sample.inPlace(declared, resource.outputs)) {
            declared = changed(declared, input, to);
            const [sent] = sends;
            if (sent === undefined) await resource.up(declared);
            else {
              const count = sends.filter(({ method }) => method === sent.method).length;
              await lose(sent.method, () => resource.up(declared), count + (sent.isRepeated ? 1 : 0));
            }
            await assertUpToDate(stage, resource, declared);
          }
          const { outputs } = resource;
          await lose(sample.deletedBy ?? "DELETE", () => resource.destroy());
          assert.ok(!(await sample.exists(stage, outputs)));
        });
      }

      if (uniqueInputs(kinds[kind], { type: "read_write" }).length > 0) {
        test("is created once if two resources of one run declare it, and the other one is refused", async (stage) => {
          const given = await sample.declare(stage);
          const { defaultName } = kinds[kind];
          const declared = {
            ...given,
            ...(defaultName === undefined ? {} : { [defaultName]: given[defaultName] ?? stage.name("both") }),
          };
          const resources = [stage.resource(kind), stage.resource(kind)];
          const results = await Promise.allSettled(resources.map((one) => one.up(declared)));
          assert.deepEqual(results.map((one) => one.status).sort(), ["fulfilled", "rejected"]);
        });
      }

      test("does not take JSON of another shape for what it has asked for", async (stage) => {
        const answer = { status: 200, body: { welcome: [1, { to: null }] } };
        const declared = await sample.declare(stage);
        const resource = stage.resource(kind);
        await resource.up(declared);
        await stage.platform.fault({ method: "GET", times: 10, ...answer });
        assert.notEqual(await resource.refresh().catch(() => "failed"), "gone");
        await stage.platform.clearFaults();
        const [change] = sample.inPlace(declared, resource.outputs).filter(({ sends }) => sends.length > 0);
        if (change === undefined) return;
        const args = changed(declared, change.input, change.to);
        await stage.platform.fault({ method: change.sends[0]?.method, ...answer });
        await resource.up(args).catch(() => resource.up(args));
        await assertUpToDate(stage, resource, args);
      });
    });
  }

  // Nothing but the look before a retry keeps the platform from creating two of these.
  for (const sample of everySample.filter(({ kind }) => kind === "Project" || kind === "Endpoint")) {
    for (const status of [423, 429]) {
      test(`${titleOf(sample)} › is created once if a gateway answers with its own ${status} afterwards`, async (stage) => {
        const declared = await sample.declare(stage);
        const resource = stage.resource(sample.kind);
        await stage.platform.clearRequests();
        await stage.platform.fault({ method: "POST", status, body: "<html>", perform: true });
        assert.equal(await resource.up(declared), "create");
        assert.equal((await stage.sent()).filter(({ method }) => method === "POST").length, 1);
        await assertUpToDate(stage, resource, declared);
      });
    }
  }

  test("Project › warns of a project that a gateway's 503 has created and that was not found in time", async (stage) => {
    const project = stage.resource("Project");
    await stage.platform.fault({ method: "POST", path: "^/projects$", status: 503, perform: true });
    const hidden = { status: 200, body: { projects: [], pagination: { cursor: "" } } };
    // The four looks after the 503. The one before the creation is answered by an earlier list.
    await stage.platform.fault({ method: "GET", path: "^/projects\\?", times: 4, ...hidden });
    assert.equal(await project.up({}), "create");
    const other = (await stage.projects(project.name)).find(({ id }) => id !== project.id);
    assert.ok(other);
    const warning = `The project ${other.id} appeared when a request was sent whose response is lost. It was not deleted`;
    assert.ok(
      project.said("warning").some((text) => text.startsWith(warning)),
      project.said("warning").join("\n"),
    );
  });

  for (const [kind, action, end] of [
    ["Branch", "delete_timeline", "cancelled"],
    ["Endpoint", "suspend_compute", "error"],
    ["Role", "apply_config", "error"],
    ["Database", "apply_config", "error"],
    ["Snapshot", "delete_timeline", "error"],
  ] as const) {
    test(`${kind} › delete › keeps the object in the state until its operation succeeds`, async (stage) => {
      const resource = stage.resource(kind);
      await resource.up(await samples[kind].declare(stage));
      const { present } = resource;
      await stage.platform.fault({ action, end });
      await assert.rejects(resource.destroy(), failsWith(`(${action}) ended with status ${end}`));
      assert.equal(resource.state, present);
      await resource.destroy();
      assert.ok(!(await samples[kind].exists(stage, present.outputs)));
    });
  }

  for (const [kind, action] of [
    ["Snapshot", "create_branch"],
    ["JwksUrl", "apply_config"],
    ["DataApi", "apply_config"],
  ] as const) {
    test(`${kind} › create › replaces the object in the next up if its operation failed`, async (stage) => {
      const declared = await samples[kind].declare(stage);
      const resource = stage.resource(kind);
      await stage.platform.fault({ action, end: "error" });
      await assert.rejects(resource.up(declared), failsWith(action, "never became usable"));
      const broken = resource.present;
      assert.equal(await resource.up(declared), "replace");
      // The id of a Data API is that of its database.
      if (kind !== "DataApi") {
        assert.notEqual(resource.id, broken.id);
        assert.ok(!(await samples[kind].exists(stage, broken.outputs)));
      }
      assert.ok(await samples[kind].exists(stage, resource.outputs));
      await assertUpToDate(stage, resource, declared);
    });
  }
});
