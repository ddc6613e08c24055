import { onBranch } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { Values } from "../provider-server";
import type { ExpectedRequest, KindSample } from "../sample";
import { branchWithFunctions, prepareFunctions } from "./function";
import { branchPath, elsewhere, posting } from "./object";

/** A schedule of once a year, so that no test meets it. */
const cron = "0 3 1 1 *";

function changing({ triggerId }: Values, body: Values): readonly ExpectedRequest[] {
  return [{ method: "PATCH", path: new RegExp(`/triggers/${String(triggerId)}$`), body }];
}

/** The members that samples of both types share. */
const common = {
  kind: "Trigger",
  replaces: async ({ projectId }, stage) => ({ createsFirst: await elsewhere(stage, projectId) }),
  facts: { ...usualFacts, path: "/projects/:projectId/branches/:branchId/triggers/:triggerId" },
} satisfies Partial<KindSample>;

const scheduled = { ...onBranch, functionSlug: "api", schedule: { cron } };

/** A trigger with a schedule. */
export const trigger: KindSample = {
  ...common,
  creates: (declared) => [
    posting(`${branchPath(declared)}/triggers`, {
      type: "schedule",
      name: declared["name"],
      function_slug: "web",
      function_path: "/tick",
      schedule: { cron: "*/5 3 1 1,7 *" },
      enabled: false,
    }),
  ],
  declare: async (stage) => ({
    ...(await branchWithFunctions(stage)),
    name: stage.name("yearly"),
    functionSlug: "api",
    schedule: { cron },
    enabled: true,
  }),
  inPlace: ({ name }, outputs) => [
    {
      input: "name",
      to: `${String(name)}-renamed`,
      sends: changing(outputs, { type: "schedule", name: `${String(name)}-renamed` }),
    },
    { input: "functionSlug", to: "web", sends: changing(outputs, { type: "schedule", function_slug: "web" }) },
    { input: "functionPath", to: "/tick", sends: changing(outputs, { type: "schedule", function_path: "/tick" }) },
    {
      input: "schedule.cron",
      to: { cron: "*/5 3 1 1,7 *" },
      sends: changing(outputs, { type: "schedule", schedule: { cron: "*/5 3 1 1,7 *" } }),
    },
    { input: "enabled", to: false, sends: changing(outputs, { type: "schedule", enabled: false }) },
  ],
  invalid: [
    scheduled,
    [
      [{ schedule: undefined }, "schedule", "declare exactly one of schedule and storageObjectCreated"],
      [
        { storageObjectCreated: { bucketName: "uploads" } },
        "schedule",
        "declare exactly one of schedule and storageObjectCreated",
      ],
      ...["@daily", "0 3 * * MON", "0 0 3 * * *", "every hour"].map(
        (one) =>
          [
            { schedule: { cron: one } },
            "schedule.cron",
            /^must have (exactly five fields|five fields of numbers)/,
          ] as const,
      ),
      ...[
        "*/99 * * * *",
        "60 * * * *",
        "0 24 * * *",
        "0 */25 * * *",
        "0 0 0 * *",
        "0 0 1 13 *",
        "0 0 * * 7",
        "5-1 * * * *",
      ].map((cron) => [{ schedule: { cron } }, "schedule.cron", /^must have values within the bounds/] as const),
      [{ cron: "0 3 * * *" }, "cron", /: it is `schedule\.cron`$/],
      ...["tick", "/tick?now", "/tick now"].map(
        (functionPath) =>
          [{ functionPath }, "functionPath", "must start with a slash and have no query and no spaces"] as const,
      ),
      [{ name: "" }, "name", /at least 1 character/],
      [{ name: "x".repeat(257) }, "name", /at most 256/],
      [{ functionSlug: undefined }, "functionSlug", "is required"],
      [
        { schedule: undefined, storageObjectCreated: { bucketName: "uploads", prefix: "é".repeat(513) } },
        "storageObjectCreated.prefix",
        "must not have more than 1024 bytes",
      ],
    ],
  ],
  needs: [{ functionSlug: "api", schedule: { cron } }, "Declare a `Function` on the branch"],
  prepareBranch: prepareFunctions,
  readAt: { path: /\/triggers\/[^/]+$/ },
};

/** A trigger that runs for each uploaded object. */
export const uploadTrigger: KindSample = {
  ...common,
  variant: "of a bucket",
  creates: (declared) => [
    posting(`${branchPath(declared)}/triggers`, {
      type: "storage_object_created",
      name: declared["name"],
      function_slug: "api",
      storage_object_created: { bucket_name: "avatars" },
    }),
  ],
  declare: async (stage) => ({
    ...(await branchWithFunctions(stage)),
    name: stage.name("thumbnails"),
    functionSlug: "api",
    storageObjectCreated: { bucketName: "uploads", prefix: "in/" },
  }),
  inPlace: (_, outputs) => {
    const type = "storage_object_created";
    return [
      {
        input: "storageObjectCreated.bucketName",
        to: { bucketName: "avatars", prefix: "in/" },
        sends: changing(outputs, { type, storage_object_created: { bucket_name: "avatars", prefix: "in/" } }),
      },
      {
        input: "storageObjectCreated.prefix",
        to: { bucketName: "avatars", prefix: "out/" },
        sends: changing(outputs, { type, storage_object_created: { bucket_name: "avatars", prefix: "out/" } }),
      },
      {
        input: "storageObjectCreated.prefix",
        to: { bucketName: "avatars" },
        sends: changing(outputs, { type, storage_object_created: { bucket_name: "avatars" } }),
      },
    ];
  },
  invalid: [scheduled, []],
};
