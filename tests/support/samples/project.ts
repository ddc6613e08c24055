import { max, secret, sized } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { posting, tag } from "./object";

/** A project with some settings. */
export const project: KindSample = {
  kind: "Project",
  creates: ({ name }) => [
    posting("/projects", {
      project: {
        name,
        history_retention_seconds: 3600,
        default_endpoint_settings: { suspend_timeout_seconds: 600 },
        settings: {
          quota: { active_time_seconds: 3600 },
          allowed_ips: { ips: [], protected_branches_only: false },
          maintenance_window: { weekdays: [2, 3], start_time: "01:00", end_time: "02:00" },
        },
        branch: { annotations: tag },
      },
    }),
  ],
  secrets: ["connectionUri"],
  declare: (stage) =>
    Promise.resolve({
      name: stage.name("store"),
      settings: { allowedIps: { ips: ["192.0.2.1"], protectedBranchesOnly: false } },
    }),
  inPlace: ({ name }) => {
    const path = /^\/projects\/[^/]+$/;
    const renamed = `${String(name)}-renamed`;
    const changed = (body: unknown): { method: "PATCH"; path: RegExp; body: unknown }[] => [
      { method: "PATCH", path, body: { project: body } },
    ];
    const settings = { allowedIps: { ips: ["192.0.2.1"], protectedBranchesOnly: false } };
    const quota = { activeTimeSeconds: 3600 };
    const maintenanceWindow = { weekdays: [2, 3], startTime: "01:00", endTime: "02:00" };
    return [
      { input: "name", to: renamed, sends: changed({ name: renamed }) },
      { input: "historyRetentionSeconds", to: 3600, sends: changed({ history_retention_seconds: 3600 }) },
      {
        input: "defaultEndpointSettings",
        to: { suspendTimeoutSeconds: 600 },
        sends: changed({ default_endpoint_settings: { suspend_timeout_seconds: 600 } }),
      },
      {
        input: "settings.allowedIps",
        to: { allowedIps: { ips: [], protectedBranchesOnly: false } },
        sends: changed({ settings: { allowed_ips: { ips: [], protected_branches_only: false } } }),
      },
      {
        input: "settings.quota",
        to: { ...settings, allowedIps: { ips: [], protectedBranchesOnly: false }, quota },
        sends: changed({ settings: { quota: { active_time_seconds: 3600 } } }),
      },
      {
        input: "settings.maintenanceWindow",
        to: { allowedIps: { ips: [], protectedBranchesOnly: false }, quota, maintenanceWindow },
        sends: changed({
          settings: { maintenance_window: { weekdays: [2, 3], start_time: "01:00", end_time: "02:00" } },
        }),
      },
    ];
  },
  replaces: () => ({
    createsFirst: {
      regionId: "aws-eu-central-1",
      pgVersion: 16,
      provisioner: "k8s-pod",
      storePasswords: false,
      branch: { name: "trunk" },
    },
  }),
  excused: {
    orgId: "transfers the project; project.test.ts has the tests",
    autoscalingLimitMinCu: "deprecated; taken at creation and refused later",
    autoscalingLimitMaxCu: "deprecated; taken at creation and refused later",
  },
  replaced: {
    regionId: /^Changing `regionId` replaces this project\. All branches of the old project/,
  },
  invalid: [
    {},
    [
      [{ name: "" }, "name", "must be at least 1 character long"],
      [{ name: secret.repeat(40) }, "name", "must be at most 256 characters long"],
      [{ pgVersion: 13 }, "pgVersion", "must be at least 14"],
      ...["10.0.0.256", "10.0.0.0/33", "10.0.0.1-b", "example.com"].map(
        (ip) =>
          [{ settings: { allowedIps: { ips: [ip] } } }, "settings.allowedIps.ips.0", /^must be an IP address/] as const,
      ),
      [{ orgId: `Org ${secret}` }, "orgId", /^must be the id of an organization, which begins with "org-"/],
      [{ historyRetentionSeconds: 2_592_001 }, "historyRetentionSeconds", "must be at most 2592000"],
      [{ storePasswords: null }, "storePasswords", /^must be a boolean/],
      [sized(2, 1), max, "the minimum of 2 CU is above the maximum of 1 CU"],
      [
        { defaultEndpointSettings: sized(2, 1) },
        "defaultEndpointSettings",
        "the minimum of 2 CU is above the maximum of 1 CU",
      ],
      [{ branch: { roleName: "pg_app" } }, "branch.roleName", /^is reserved/],
      [{ branch: { name: "" } }, "branch.name", "must be at least 1 character long"],
      [{ branch: { annotations: { a: secret, b: [secret] } } }, "branch.annotations.b", /^must be a string/],
      [{ regionID: secret }, "regionID", "there is no such property here; did you mean regionId?"],
      [{ somethingElse: secret }, "somethingElse", /here; there are name, regionId, /],
      [{ settings: { quotas: {} } }, "settings.quotas", /; did you mean quota\?$/],
      [{ settings: { allowed_ips: { ips: [] } } }, "settings.allowed_ips", /; did you mean allowedIps\?$/],
    ],
  ],
  facts: { ...usualFacts, path: "/projects/:projectId", twice: "another" },
};
