import { hashOfUrn } from "../../provider/ownership/ownership-tag";
import type { KindName } from "../../provider/v1";
import { providerText } from "../../sdk/provider-text";
import type { Values } from "./dynamic-server";
import { urnOf } from "./engine";
import type { Stored } from "./managed";
import type { Stage } from "./stage";

/**
 * State and journal files as versions before the present design of ownership wrote them: without the project's owner in
 * the hidden state, with `timeouts` in the hidden inputs, and with a journal entry that stayed after a successful run.
 * Member by member what such a version stored of these very objects; only ids, times and secrets are the stage's.
 */
export interface FirstDesignState {
  readonly kind: KindName;
  readonly name: string;
  /** What the program declares. */
  readonly args: Values;
  readonly stored: Stored;
}

/** The creation ids of the objects in {@link firstDesignStates}. */
const attempts = {
  Project: "d780bee5e2bcabaa",
  Branch: "daeaeeb5990f65d5",
  Role: "9ceee57936a22d90",
  Database: "6529b53235d5c33d",
  ApiKey: "d4bf377841c24c3b",
} as const;

/** The tag that such a version gave an object. */
export function firstDesignTag(kind: keyof typeof attempts, name: string): Readonly<Record<string, string>> {
  return { "neon-pulumi": `${hashOfUrn(urnOf(kind, name))}.${attempts[kind]}` };
}

/** The journal file that such a version kept of a creation: its name and its content. */
export function firstDesignEntry(
  kind: keyof typeof attempts,
  name: string,
  { apiUrl, sentAt }: { readonly apiUrl: string; readonly sentAt: Date },
): { readonly name: string; readonly text: string } {
  const owner = hashOfUrn(urnOf(kind, name));
  const attempt = attempts[kind];
  const time = sentAt.toISOString();
  const content = { version: 1, writtenAt: time, kind, owner, attempt, apiUrl, sentAt: time };
  return { name: `${owner}.${attempt}.json`, text: JSON.stringify(content) };
}

/** Creates one object of each of these kinds, and says what stood in the state of it. */
export async function firstDesignStates(
  stage: Stage,
  timeouts?: Readonly<Record<string, string>>,
): Promise<Readonly<Record<keyof typeof attempts, FirstDesignState>>> {
  const { platform } = stage;
  const name = stage.name("shop");
  const { body: made } = await platform.call("POST", "/projects", {
    project: { name, history_retention_seconds: 3600, branch: { annotations: firstDesignTag("Project", name) } },
  });
  const projectId = made.project.id;
  await stage.settled(projectId);
  const { body: branched } = await platform.call("POST", `/projects/${projectId}/branches`, {
    branch: { name: "pr-42" },
    endpoints: [{ type: "read_write", autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 1 }],
    annotation_value: firstDesignTag("Branch", "pr-42"),
  });
  await stage.settled(projectId);
  const branchId = branched.branch.id;
  const base = { projectId, branchId };
  const path = `/projects/${projectId}/branches/${branchId}`;
  const { body: role } = await platform.call("POST", `${path}/roles`, { role: { name: "app" } });
  await stage.settled(projectId);
  const { body: database } = await platform.call("POST", `${path}/databases`, {
    database: { name: "orders", owner_name: "neondb_owner" },
  });
  await stage.settled(projectId);
  const { body: key } = await platform.call("POST", "/api_keys", { key_name: "ci" });
  const { id: keyId, key: secret, created_at: keyCreatedAt } = key as unknown as Values;
  const { body: user } = await platform.call("GET", "/users/me");
  const project = await stage.projectOf(projectId);
  const branch = (await stage.branches(projectId)).find(({ id }) => id === branchId);
  const compute = branched.endpoints[0];
  const pooler = (host: string | undefined): string => String(host).replace(/^(ep-[^.]+)/, "$1-pooler");
  const first = made.endpoints[0];

  const state = (
    kind: keyof typeof attempts,
    logicalName: string,
    id: string,
    args: Values,
    declared: readonly string[],
    outputs: Values,
  ): FirstDesignState => {
    const hidden = {
      urn: urnOf(kind, logicalName),
      name: logicalName,
      ...(timeouts === undefined ? {} : { timeouts }),
    };
    const own = { ...hidden, version: 1, declared, attempt: attempts[kind] };
    const __provider = providerText(kind);
    return {
      kind,
      name: logicalName,
      args,
      stored: {
        id,
        inputs: { __provider, ...args, name: logicalName, __neon: hidden },
        outputs: { __provider, ...outputs, __neon: own },
        failed: [],
      },
    };
  };

  return {
    Project: state("Project", name, projectId, { historyRetentionSeconds: 3600 }, ["historyRetentionSeconds", "name"], {
      connectionUri: made.connection_uris[0]?.connection_uri,
      createdAt: project.created_at,
      databaseName: "neondb",
      defaultBranchId: made.branch.id,
      defaultEndpointSettings: { autoscalingLimitMaxCu: 2, autoscalingLimitMinCu: 0.25, suspendTimeoutSeconds: 0 },
      endpointId: first?.id,
      historyRetentionSeconds: 3600,
      host: first?.host,
      name,
      pgVersion: 17,
      platformId: "aws",
      poolerHost: pooler(first?.host),
      projectId,
      provisioner: "k8s-neonvm",
      proxyHost: project.proxy_host,
      regionId: "aws-us-east-2",
      roleName: "neondb_owner",
      settings: {
        allowedIps: { ips: [], protectedBranchesOnly: false },
        auditLogLevel: "base",
        blockPublicConnections: false,
        blockVpcConnections: false,
        enableLogicalReplication: false,
        hipaa: false,
        maintenanceWindow: {
          endTime: project.settings?.maintenance_window?.end_time,
          startTime: project.settings?.maintenance_window?.start_time,
          weekdays: project.settings?.maintenance_window?.weekdays,
        },
      },
      storePasswords: true,
    }),
    Branch: state(
      "Branch",
      "pr-42",
      `${projectId}/${branchId}`,
      { projectId, compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 } },
      ["compute.autoscalingLimitMaxCu", "compute.autoscalingLimitMinCu", "name", "projectId"],
      {
        ...base,
        compute: {
          autoscalingLimitMaxCu: 1,
          autoscalingLimitMinCu: 0.25,
          provisioner: "k8s-neonvm",
          settings: { pgSettings: {} },
          suspendTimeoutSeconds: 0,
        },
        connectionUri: branched.connection_uris[0]?.connection_uri,
        createdAt: branch?.created_at,
        databaseName: "neondb",
        endpointId: compute?.id,
        host: compute?.host,
        initSource: "parent-data",
        name: "pr-42",
        parentId: branch?.parent_id,
        parentLsn: branch?.parent_lsn,
        parentTimestamp: branch?.parent_timestamp,
        poolerHost: pooler(compute?.host),
        protected: false,
        roleName: "neondb_owner",
      },
    ),
    Role: state("Role", "app", `${projectId}/${branchId}/app`, base, ["branchId", "name", "projectId"], {
      ...base,
      authenticationMethod: "password",
      createdAt: role.role.created_at,
      name: "app",
      noLogin: false,
      password: role.role.password,
      protected: false,
    }),
    Database: state(
      "Database",
      "orders",
      `${projectId}/${branchId}/orders`,
      { ...base, ownerName: "neondb_owner" },
      ["branchId", "name", "ownerName", "projectId"],
      {
        ...base,
        createdAt: database.database.created_at,
        databaseId: database.database.id,
        name: "orders",
        ownerName: "neondb_owner",
      },
    ),
    ApiKey: state("ApiKey", "ci", String(keyId), {}, ["name"], {
      createdAt: keyCreatedAt,
      createdBy: (user as unknown as Values)["id"],
      key: secret,
      keyId,
      name: "ci",
    }),
  };
}
