import { z } from "zod";

import { fromWire, toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { ignoreNotFound } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import {
  cronProblem,
  storageObjectCreated as uploadShape,
  type Trigger,
  trigger as wireTrigger,
  triggerCreate,
  triggers,
  triggerSchedule,
} from "../../api/schemas/trigger";
import { type Collection, wholeList } from "../call/collection";
import { combination } from "../kind/combination";
import { creation } from "../kind/creation";
import { changedInputs } from "../kind/differences";
import { adopt, ofBranch } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { contains, omitUndefined, outputsIn, unknownValue } from "../values";
import type { Changes, FieldRule } from "../kind/field-rules";
import type { BranchAddress } from "./branch/read";
import { requiresFunction } from "./function/required";

const schedule = lazy(() =>
  z
    .strictObject({
      cron: triggerSchedule.shape.cron
        .refine((text) => cronProblem(text) === undefined, {
          error: ({ input }) => (typeof input === "string" ? cronProblem(input) : undefined),
        })
        .meta({ note: "Names, macros such as `@daily`, and seconds are not supported." }),
    })
    .meta({ title: "TriggerScheduleArgs", description: "Invokes the function of a {@link Trigger} at these times." }),
);
const storageObjectCreated = lazy(() => {
  const { bucketName, prefix } = camelShape(uploadShape.shape);
  return z
    .strictObject({
      bucketName,
      prefix: prefix.refine(
        (text) => text === undefined || Buffer.byteLength(text) <= 1024,
        "must not have more than 1024 bytes",
      ),
    })
    .meta({
      title: "TriggerStorageObjectCreatedArgs",
      description: "Invokes the function of a {@link Trigger} for each object that is uploaded.",
    });
});
const inputs = lazy(() => {
  const wire = camelShape(triggerCreate.shape);
  return z
    .strictObject({
      ...ofBranch,
      name: wire.name.optional(),
      functionSlug: wire.functionSlug.meta({ note: "Use the output `slug` of a {@link Function}." }),
      functionPath: wire.functionPath
        .unwrap()
        .regex(/^\/[^?#\s]*$/, "must start with a slash and have no query and no spaces")
        .optional()
        .meta({ note: "It has no query.", default: "/" }),
      schedule: schedule().optional().meta({
        description: "Invokes the function at these times.",
        change:
          "Changing from `schedule` to `storageObjectCreated`, or back, replaces the trigger; the old one is deleted first.",
      }),
      storageObjectCreated: storageObjectCreated().optional().meta({
        description: "Invokes the function for each uploaded object.",
        change: "A change to or from `schedule` replaces the trigger.",
      }),
      enabled: wire.enabled.meta({ default: true }),
      adopt: adopt.meta({ note: "One from the parent is disabled until the program declares `enabled: true`." }),
    })
    .check(
      combination(({ schedule: times, storageObjectCreated: uploads }, report) => {
        if ((times === undefined) !== (uploads === undefined)) return;
        if (times === unknownValue || uploads === unknownValue) return;
        report("declare exactly one of schedule and storageObjectCreated", "schedule");
      }),
    )
    .meta({
      otherNames: {
        type: "declare `schedule` or `storageObjectCreated`",
        cron: "it is `schedule.cron`",
        bucketName: "it is `storageObjectCreated.bucketName`",
        prefix: "it is `storageObjectCreated.prefix`",
        path: "it is `functionPath`",
      },
    });
});
export type TriggerInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const wire = camelShape(wireTrigger.shape);
  return z.object({
    ...ofBranch,
    ...only(wire, "name", "functionSlug", "functionPath"),
    ...only(inputs().shape, "schedule", "storageObjectCreated"),
    ...only(wire, "enabled", "triggerId", "type", "inherited"),
  });
};
export type TriggerOutputs = OutputsOf<typeof outputs>;

/** Changing an inherited trigger makes it the branch's own. */
const inPlace: FieldRule = { affects: ["inherited"] };

/** A trigger, which invokes a function of a branch. */
export const trigger = listedKind<Trigger, TriggerInputs, TriggerOutputs>({
  name: "Trigger",
  noun: "trigger",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "triggerId"],
  rules: {
    name: inPlace,
    functionSlug: inPlace,
    functionPath: inPlace,
    schedule: { ...inPlace, onAdd: "replace" },
    storageObjectCreated: { ...inPlace, onAdd: "replace" },
    "storageObjectCreated.prefix": {
      ...inPlace,
      onRemove: "clear",
      // Neon omits the prefix if every key matches.
      equality: (present = "", declared = "") => present === declared,
    },
    enabled: inPlace,
  },
  defaultName: "name",
  uniqueBy: ["projectId", "branchId", "name"],
  within: { Function: ["functionSlug"] },

  create: ({ projectId, branchId, adopt: _, name = "", ...declared }) =>
    creation({
      what: "create trigger",
      request: triggers.create(projectId, branchId, {
        type: declared.schedule === undefined ? "storage_object_created" : "schedule",
        name,
        ...wireOf(declared),
        function_slug: declared.functionSlug,
      }),
      repeatable: true,
      outputs: (answer) => triggerOutputs({ projectId, branchId }, answer.trigger),
    }),

  collection: triggersOf,
  outputsOf: (found, { projectId = "", branchId = "" }) => triggerOutputs({ projectId, branchId }, found),

  update: async (context, state, declared, changes) => {
    const { projectId, branchId, triggerId } = state;
    const changed = changedMembers(state, declared, changes);
    const applies = Object.keys(changed);
    if (applies.length === 0) return;
    const body = wireOf(changed);
    await context.change({
      what: "change trigger",
      request: triggers.update(projectId, branchId, triggerId, { type: typeOf(state), ...body }),
      applies,
      done: async () => {
        const found = await context.readOne(triggersOf(state), triggerId);
        const upload = body.storage_object_created;
        return contains(found, body) && upload?.prefix === (upload && found?.storage_object_created?.prefix);
      },
    });
  },

  deletion: ({ projectId, branchId, triggerId, name }) => ({
    object: `trigger ${name} (${triggerId})`,
    request: triggers.delete(projectId, branchId, triggerId),
    silent: true,
  }),

  precondition: requiresFunction(({ functionSlug }) => functionSlug, /target function/),

  listing: {
    isCopied: "reported",
    ofCopies: "`enabled: true` to run it on this branch, where it is disabled",
    leftOut: ({ inherited }) => (inherited ? "the branch has them from its parent" : undefined),
  },
});

type Members = Partial<Omit<TriggerInputs, "projectId" | "branchId" | "adopt">>;

function wireOf({ storageObjectCreated: upload, ...others }: Members) {
  return omitUndefined({
    ...toWire(others),
    storage_object_created:
      upload && omitUndefined({ bucket_name: upload.bucketName, prefix: upload.prefix || undefined }),
  });
}

/** The inputs that a change sends. */
const changeable = ["name", "functionSlug", "functionPath", "schedule", "storageObjectCreated", "enabled"];

/**
 * The members that a change sends. The filter for uploads is sent as a whole, because Neon clears its omitted members.
 */
function changedMembers(state: TriggerOutputs, declared: TriggerInputs, changes: Changes): Members {
  const { storageObjectCreated: upload } = declared;
  const kept = changes.has("storageObjectCreated.prefix") ? {} : state.storageObjectCreated;
  const whole = { ...declared, storageObjectCreated: upload && { ...kept, ...omitUndefined(upload) } };
  return changedInputs(whole, changeable, changes);
}

function typeOf({ schedule: times }: Pick<TriggerOutputs, "schedule">): "schedule" | "storage_object_created" {
  return times === undefined ? "storage_object_created" : "schedule";
}

function triggersOf({ projectId = "", branchId = "" }: Partial<BranchAddress>): Collection<Trigger> {
  return wholeList({
    list: triggers.list(projectId, branchId),
    items: (answer) => answer.triggers,
    keyOf: (one) => one.trigger_id,
    get: async (reader, id) => (await ignoreNotFound(reader.read(triggers.get(projectId, branchId, id))))?.trigger,
  });
}

/** The outputs of a trigger, without members that change by themselves: its version and its next run. */
function triggerOutputs({ projectId, branchId }: BranchAddress, found: Trigger): TriggerOutputs {
  const { schedule: times, storage_object_created: upload } = found;
  return {
    projectId,
    branchId,
    ...outputsIn(found, "name", "function_slug", "function_path", "enabled", "trigger_id", "type", "inherited"),
    ...(times && { schedule: { cron: times.cron } }),
    ...(upload && { storageObjectCreated: fromWire(uploadShape.parse(upload)) }),
  };
}
