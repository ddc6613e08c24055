import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { defaultsOf } from "../../provider/kind/defaults";
import { kinds } from "../../provider/kinds";
import { unknownText, type Values } from "../support/provider-server";
import { currentDoor, itThrough, urnOf } from "../support/door";
import { type EngineResource, type Plan } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { inDays } from "../support/in-days";
import { samples } from "../support/samples";
import { suiteStage } from "../support/stage";

const soon = inDays(1);

/** The arguments that the program of this suite has declared. */
const projectArgs = {
  regionId: "aws-eu-central-1",
  branch: { annotations: { team: "sales" } },
  settings: {
    allowedIps: { ips: ["10.0.0.1", "10.1.0.0/16"] },
    maintenanceWindow: { weekdays: [6, 7], startTime: "01:00", endTime: "02:00" },
    preloadLibraries: { enabledLibraries: ["pg_cron", "timescaledb"] },
  },
};
const branchArgs = {
  expiresAt: soon,
  compute: {
    autoscalingLimitMinCu: 0.25,
    settings: { pgSettings: { work_mem: "8MB" }, preloadLibraries: { enabledLibraries: ["pg_cron", "timescaledb"] } },
  },
};

/** A dynamic provider leaves it to the engine to find what has changed, a plugin names it. */
function leftToEngine(): true | undefined {
  return currentDoor() === "dynamic" ? undefined : true;
}

describe("diff", () => {
  const stage = suiteStage();
  let project: EngineResource;
  let branch: EngineResource;
  let ofBranch: Values;
  before(async () => {
    project = stage().resource("Project");
    await project.up(projectArgs);
    branch = stage().resource("Branch");
    // Of another project: the replacement of its own one would delete it.
    ofBranch = { projectId: (await stage().project()).id, ...branchArgs };
    await branch.up(ofBranch);
  });

  /** The plan for one of the two resources whose program also declares this. */
  function preview(kind: "Project" | "Branch", args: Values): Promise<Plan> {
    return kind === "Project" ? project.preview({ ...projectArgs, ...args }) : branch.preview({ ...ofBranch, ...args });
  }

  it("§6.15 sends nothing if nothing has changed, for any number of resources", async () => {
    await stage().platform.clearRequests();
    for (let times = 0; times < 20; times += 1) {
      for (const [resource, args] of [
        [project, projectArgs],
        [branch, ofBranch],
      ] as const) {
        const { changes, replaces, step } = await resource.preview(args);
        assert.deepEqual({ changes, replaces, step }, { changes: false, replaces: [], step: "same" });
      }
    }
    assert.deepEqual(await stage().requests(), []);
  });

  it("sends nothing if something has changed, and lets the engine show each changed property", async () => {
    await stage().platform.clearRequests();
    for (const [kind, args, step] of [
      ["Project", { name: "other" }, "update"],
      ["Project", { pgVersion: 16 }, "replace"],
      ["Branch", { name: "other" }, "update"],
    ] as const) {
      const plan = await preview(kind, args);
      assert.deepEqual([plan.step, plan.changes], [step, leftToEngine()]);
    }
    assert.deepEqual(await stage().requests(), []);
  });

  const { settings } = projectArgs;
  const compute = (member: Values): Values => ({ compute: { ...branchArgs.compute, ...member } });
  for (const [title, kind, args] of [
    [
      "a list of addresses in another order",
      "Project",
      { settings: { ...settings, allowedIps: { ips: ["10.1.0.0/16", "10.0.0.1"] } } },
    ],
    [
      "weekdays in another order",
      "Project",
      { settings: { ...settings, maintenanceWindow: { ...settings.maintenanceWindow, weekdays: [7, 6] } } },
    ],
    [
      "libraries in another order",
      "Project",
      { settings: { ...settings, preloadLibraries: { enabledLibraries: ["timescaledb", "pg_cron"] } } },
    ],
    [
      "a compute's libraries in another order",
      "Branch",
      compute({
        settings: {
          pgSettings: { work_mem: "8MB" },
          preloadLibraries: { enabledLibraries: ["timescaledb", "pg_cron"] },
        },
      }),
    ],
    [
      "an instant in another time zone",
      "Branch",
      { expiresAt: new Date(Date.parse(soon) - 5_400_000).toISOString().replace(/\.\d+Z/, "-01:30") },
    ],
    ["an instant with a fraction of its second", "Branch", { expiresAt: soon.replace("Z", ".250Z") }],
    [
      "a setting that the platform filled in, declared as it is",
      "Project",
      { settings: { ...settings, hipaa: false, auditLogLevel: "base" } },
    ],
    [
      "a compute's filled-in size, declared as it is",
      "Branch",
      compute({ autoscalingLimitMaxCu: 2, suspendTimeoutSeconds: 0, provisioner: "k8s-neonvm" }),
    ],
    [
      "what the platform chose for a project, declared as it is",
      "Project",
      { pgVersion: 17, provisioner: "k8s-neonvm" },
    ],
    ["an empty map", "Branch", { annotations: {} }],
    ["adopt: true", "Project", { adopt: true }],
    ["adopt with an id", "Branch", { adopt: "br-some-1" }],
    ["an unknown `adopt`", "Project", { adopt: unknownText }],
  ] as const) {
    it(`sees no change in ${title}`, async () => {
      const { changes, step } = await preview(kind, args);
      assert.deepEqual([changes, step], [false, "same"]);
    });
  }

  for (const kind of Object.values(kinds)) {
    // An object in which a default stands is a part of its own: declaring it declares the object.
    const defaults = [...defaultsOf(kind)].filter(([path]) => !path.includes("."));
    if (defaults.length === 0) continue;
    it(`changes nothing if a ${kind.name} declares a default later: ${defaults.map(([path]) => path).join(", ")}`, async () => {
      const own = stage().resource(kind.name as KindName);
      const args = await samples[kind.name as KindName].declare(stage());
      await own.up(args);
      const steps = [];
      for (const [input, value] of defaults) steps.push([input, (await own.preview({ ...args, [input]: value })).step]);
      assert.deepEqual(
        steps,
        defaults.map(([input]) => [input, "same"]),
      );
    });
  }

  it("changes nothing if a Project declares the defaults of its settings later", async () => {
    const own = stage().resource("Project");
    await own.up({});
    const settings = [...defaultsOf(kinds.Project)].flatMap(([path, value]) => {
      const [first, name, ...rest] = path.split(".");
      return first === "settings" && name !== undefined && rest.length === 0 ? [[name, value]] : [];
    });
    assert.ok(settings.length > 3);
    assert.equal((await own.preview({ settings: Object.fromEntries(settings) })).step, "same");
    assert.equal((await own.preview({ branch: {} })).step, "same");
  });

  it("changes nothing if a default is declared of an object that does not report it, and replaces for another value", async () => {
    const { id: projectId } = await stage().project();
    const own = stage().resource("Branch");
    await own.up({ projectId });
    const path = `/projects/${projectId}/branches/${String(own.outputs["branchId"])}`;
    const { body } = await stage().platform.call("GET", path);
    const { init_source: _, ...branchBody } = body.branch;
    await stage().platform.fault({ method: "GET", path: `${path}$`, status: 200, body: { branch: branchBody } });
    await own.refresh();
    await stage().platform.clearFaults();
    assert.equal(own.outputs["initSource"], undefined);
    assert.equal((await own.preview({ projectId, initSource: "parent-data" })).step, "same");
    assert.equal((await own.preview({ projectId, initSource: "schema-only" })).step, "replace");
  });

  it("records that the program declares a value that others can change", async () => {
    const { id: projectId, branchId } = await stage().project();
    const own = stage().resource("Branch");
    await own.up({ projectId });
    await stage().platform.clearRequests();
    const args = { projectId, parentId: branchId };
    const plan = await own.preview(args);
    assert.deepEqual([plan.changes, plan.replaces], [leftToEngine(), []]);
    await own.up(args);
    assert.deepEqual(await stage().sent(), []);
    assert.equal((await own.preview(args)).changes, false);
  });

  const onlyDynamic = itThrough("dynamic");

  onlyDynamic("§6.19 sees no change in hidden properties: the URN and the provider's text", async () => {
    for (const [resource, args] of [
      [project, projectArgs],
      [branch, ofBranch],
    ] as const) {
      const { kind, name } = resource;
      const urn = urnOf(kind, name).replace("::pulumi-nodejs", "::shop:index:Shop$pulumi-nodejs");
      assert.equal((await resource.preview(args, { urn })).changes, false);
      const { id, inputs, outputs } = resource.present;
      const text = { __provider: `${String(outputs["__provider"])} // of another release` };
      assert.equal((await stage().server.diff(kind, id, { ...outputs, ...text }, inputs)).changes, false);
      assert.equal((await stage().server.diff(kind, id, outputs, { ...inputs, ...text })).changes, false);
    }
  });

  onlyDynamic("sees a change, which the update refuses, in what the run has lost, and no replacement", async () => {
    const { server } = stage();
    const { id, inputs: oldInputs, outputs } = branch.present;
    const { projectId: _, ...rest } = ofBranch;
    const hidden = { urn: branch.urn, lost: ["projectId"] };
    const { inputs } = await server.check("Branch", oldInputs, { ...rest, name: branch.name, __neon: hidden });
    const { changes, replaces } = await server.diff("Branch", id, outputs, inputs, { oldInputs });
    assert.deepEqual([changes, replaces], [leftToEngine(), []]);
    const updated = server.update("Branch", id, outputs, inputs, { oldInputs });
    await assert.rejects(updated, failsWith(/projectId has no value/));
  });

  onlyDynamic("updates a resource if only its timeouts have changed, and sends nothing", async () => {
    const own = stage().resource("Branch");
    const { id: projectId } = await stage().project();
    const options = { timeouts: { create: "5m", delete: "7m" } };
    const timeoutsInState = (): unknown => (own.outputs["__neon"] as Values)["timeouts"];
    await own.up({ projectId });
    await stage().platform.clearRequests();
    assert.equal((await own.preview({ projectId }, options)).changes, true);
    assert.equal(await own.up({ projectId }, options), "update");
    assert.deepEqual(timeoutsInState(), options.timeouts);
    assert.equal(await own.up({ projectId }, options), "same");
    assert.equal(await own.refresh(), "same");
    assert.deepEqual(timeoutsInState(), options.timeouts);

    // What else changes at the same time is shown, and of the timeouts nothing: the inputs do not hold them.
    const both = await own.preview({ projectId, name: "renamed" }, { timeouts: { delete: "9m" } });
    assert.equal(both.changes, undefined);
    assert.deepEqual(both.inputs["__neon"], own.present.inputs["__neon"]);
    assert.equal(await own.up({ projectId }), "update");
    assert.equal(timeoutsInState(), undefined);
    assert.deepEqual(await stage().sent(projectId), []);
  });

  it("sees no change in values that change by themselves", async () => {
    const { id, inputs, outputs } = project.present;
    const settings = { ...(outputs["settings"] as Values), hipaa: true, quota: { activeTimeSeconds: 5 }, newer: 1 };
    const moved = { ...outputs, settings, historyRetentionSeconds: 5, proxyHost: "elsewhere", newer: "member" };
    assert.equal((await stage().server.diff("Project", id, moved, inputs, { oldInputs: inputs })).changes, false);
  });

  for (const [kind, args, ...replaces] of [
    ["Project", { name: unknownText }],
    ["Project", { settings: unknownText }],
    ["Project", { settings: { ...settings, allowedIps: unknownText } }],
    ["Project", { settings: { allowedIps: { ips: ["10.0.0.1", unknownText] } } }],
    ["Project", { settings: { maintenanceWindow: { ...settings.maintenanceWindow, startTime: unknownText } } }],
    ["Project", { regionId: unknownText }, "regionId"],
    ["Project", { branch: { annotations: { team: unknownText } } }, "branch"],
    ["Project", { branch: unknownText }, "branch"],
    ["Branch", { projectId: unknownText }, "projectId"],
    ["Branch", { annotations: unknownText }, "annotations"],
    ["Branch", { expiresAt: unknownText }],
    ["Branch", { compute: unknownText }],
    ["Branch", { compute: { autoscalingLimitMinCu: unknownText } }],
    ["Branch", { compute: { settings: { pgSettings: { work_mem: unknownText } } } }],
    ["Branch", { compute: { settings: { preloadLibraries: { enabledLibraries: [unknownText] } } } }],
  ] as readonly (readonly ["Project" | "Branch", Values, ...string[]])[]) {
    it(`reports a possible change: ${kind} ${JSON.stringify(args).replaceAll(unknownText, "?")}`, async () => {
      const plan = await preview(kind, args);
      assert.deepEqual([plan.changes, plan.replaces], [leftToEngine(), replaces]);
      assert.equal(plan.step, replaces.length > 0 ? "replace" : "update");
    });
  }

  for (const [title, args, deleteFirst] of [
    ["project and name stay", { annotations: { a: "1" } }, true],
    ["several inputs replace, and project and name stay", { parentLsn: "0/1", annotations: { a: "1" } }, true],
    ["the name changes, too", { annotations: { a: "1" }, name: "other" }, false],
    ["the project changes", { projectId: "calm-lake-12345678" }, false],
    ["the project is not known yet", { projectId: unknownText }, false],
  ] as const) {
    it(`of a replaced branch ${deleteFirst ? "deletes the old one first" : "creates the new one first"} if ${title}`, async () => {
      const plan = await preview("Branch", args);
      assert.deepEqual([plan.step, plan.deleteBeforeReplace], ["replace", deleteFirst]);
    });
  }

  it("names all inputs that replace the object, in one warning", async () => {
    const own = stage().resource("Branch");
    await own.up(ofBranch);
    const plan = await own.preview({ ...ofBranch, annotations: { a: "1" }, parentLsn: unknownText, name: "renamed" });
    assert.deepEqual([...plan.replaces].sort(), ["annotations", "parentLsn"]);
    assert.match(
      own.warning,
      /^Changing (`parentLsn` \(its new value is not known yet\) and `annotations`|`annotations` and `parentLsn` \(its new value is not known yet\)) replaces this branch\./,
    );
    assert.equal(own.said("warning").length, 1);
  });

  it("fails for a state of a newer release, and says what to do", async () => {
    const { id, inputs, outputs } = project.present;
    const newer = { ...outputs, __neon: { ...(outputs["__neon"] as Values), version: 99 } };
    await assert.rejects(stage().server.diff("Project", id, newer, inputs), /Upgrade the package\./);
  });

  it("ignores unknown members of a state", async () => {
    const { id, inputs, outputs } = project.present;
    const hidden = { ...(outputs["__neon"] as Values), note: "of another release" };
    const diff = await stage().server.diff("Project", id, { ...outputs, __neon: hidden, extra: [1] }, inputs, {
      oldInputs: inputs,
    });
    assert.equal(diff.changes, false);
  });
});
