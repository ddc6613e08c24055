import { unknownText } from "../provider-server";
import { max, onBranch, sized } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { ExpectedRequest, KindSample } from "../sample";
import { addressed, posting } from "./object";

const path = /^\/projects\/[^/]+\/endpoints\/ep-[^/]+$/;
const patched = (body: unknown): ExpectedRequest[] => [{ method: "PATCH", path, body: { endpoint: body } }];

/** The read-write compute of a branch that declares none. */
export const endpoint: KindSample = {
  kind: "Endpoint",
  creates: ({ projectId, branchId, name }) => [
    posting(`/projects/${String(projectId)}/endpoints`, {
      endpoint: {
        branch_id: branchId,
        type: "read_write",
        name,
        disabled: true,
        passwordless_access: false,
        pooler_enabled: true,
        autoscaling_limit_min_cu: 1,
        autoscaling_limit_max_cu: 4,
        suspend_timeout_seconds: 600,
        provisioner: "k8s-pod",
        settings: { pg_settings: { work_mem: "8MB" }, preload_libraries: { enabled_libraries: ["pg_cron"] } },
      },
    }),
  ],
  declare: async (stage) => {
    const { id: projectId } = await stage.project();
    const { id: branchId } = await stage.branch(projectId);
    return { projectId, branchId, type: "read_write", name: stage.name("writer") };
  },
  inPlace: ({ name }) => {
    const renamed = `${String(name)}-renamed`;
    const [both, settings] = [{ pgSettings: { work_mem: "8MB", jit: "off" } }, { pgSettings: { work_mem: "8MB" } }];
    const preloadLibraries = { enabledLibraries: ["pg_cron"] };
    return [
      { input: "name", to: renamed, sends: patched({ name: renamed }) },
      { input: "autoscalingLimitMaxCu", to: 4, sends: patched({ autoscaling_limit_max_cu: 4 }) },
      { input: "autoscalingLimitMinCu", to: 1, sends: patched({ autoscaling_limit_min_cu: 1 }) },
      { input: "suspendTimeoutSeconds", to: 600, sends: patched({ suspend_timeout_seconds: 600 }) },
      { input: "provisioner", to: "k8s-pod", sends: patched({ provisioner: "k8s-pod" }) },
      { input: "settings", to: both, sends: patched({ settings: { pg_settings: { work_mem: "8MB", jit: "off" } } }) },
      // A setting is removed by sending the others.
      { input: "settings", to: settings, sends: patched({ settings: { pg_settings: { work_mem: "8MB" } } }) },
      {
        input: "settings.preloadLibraries",
        to: { ...settings, preloadLibraries },
        sends: patched({ settings: { preload_libraries: { enabled_libraries: ["pg_cron"] } } }),
      },
      { input: "passwordlessAccess", to: false, sends: patched({ passwordless_access: false }) },
      { input: "poolerEnabled", to: true, sends: patched({ pooler_enabled: true }) },
      { input: "restartTrigger", to: "1", sends: [{ method: "POST", path: /\/endpoints\/ep-[^/]+\/restart$/ }] },
      { input: "state", to: "idle", sends: [{ method: "POST", path: /\/endpoints\/ep-[^/]+\/suspend$/ }] },
      { input: "disabled", to: true, sends: patched({ disabled: true }) },
    ];
  },
  replaces: async (_, stage) => {
    const { id } = await stage.project();
    return {
      createsFirst: { projectId: id, branchId: "br-some-other-000001", type: "read_only" },
      deletesFirst: { regionId: "aws-eu-central-1" },
    };
  },
  excused: { poolerMode: "deprecated; there is only one mode" },
  ...addressed(({ projectId, endpointId }) => `/projects/${String(projectId)}/endpoints/${String(endpointId)}`),
  adopt: () => true,
  withProject: ["compute \\S+", { type: "read_write" }],
  readAt: { path: /\/endpoints\/[^/?]+$/ },
  alternatives: [["disabled"], ["state"]],
  invalid: [
    { ...onBranch, type: "read_write" },
    [
      [{ suspendTimeoutSeconds: 60.5 }, "suspendTimeoutSeconds", "must be a whole number"],
      [{ autoscalingLimitMaxCu: 0.3 }, max, /must be a compute size in CU/],
      [sized(4, 2), max, "the minimum of 4 CU is above the maximum of 2 CU"],
      // A range is invalid on any branch.
      [{ ...sized(4, 2), branchId: unknownText }, max, /minimum of 4 CU is above/],
      [sized(1, 10), max, /at most 8 CU above the minimum, but it is 9 CU above it/],
      [sized(16, 18), max, /autoscaling is limited to 16 CU/],
      [{ suspendTimeoutSeconds: 59 }, "suspendTimeoutSeconds", /60 to 604800 seconds/],
      [{ name: "x".repeat(65) }, "name", /at most 64 characters/],
      [{ name: "" }, "name", /at least 1 character/],
      [{ type: "write_only" }, "type", /"read_write" or "read_only"/],
      [{ state: "asleep" }, "state", /"active" or "idle"/],
      [{ state: "active", disabled: true }, "state", /while disabled is true/],
      [{ type: "read_only", adopt: true }, "adopt", /must be the id of the compute/],
      [{ settings: { pgSetting: {} } }, "settings.pgSetting", /did you mean pgSettings\?/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/endpoints/:endpointId",
    another: (declared, stage) => ({ ...declared, type: "read_only", name: stage.name("reader") }),
  },
};

/** A read replica. A branch can have any number of them. */
export const readReplica: KindSample = {
  ...endpoint,
  variant: "of type read_only",
  declare: async (stage) => ({ ...(await endpoint.declare(stage)), type: "read_only" }),
};
