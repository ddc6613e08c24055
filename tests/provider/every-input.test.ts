import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import { atPath, withValue } from "../../provider/values";
import type { EngineResource } from "../support/engine";
import { inDays } from "../support/in-days";
import { declaring, type Input, onWire } from "../support/inputs";
import type { Values } from "../support/provider-server";
import { type SentBy, type Stage, suiteStage } from "../support/stage";
import { assertUnchanged, assertUpToDate } from "../support/up-to-date";

/** An object, all inputs of which a program declares at once. */
interface Declared {
  readonly kind: "Project" | "Branch" | "Endpoint";
  /** Inputs that every program declares. */
  readonly base: (stage: Stage) => Promise<Values>;
  /** Inputs that only the creation sends. */
  readonly constant?: readonly (readonly [path: string, value: unknown])[];
  /** Inputs that one PATCH changes, in this order. */
  readonly updated: readonly Input[];
  /** Inputs whose change replaces the object. */
  readonly replaced: readonly Input[];
  readonly deletesFirst: boolean;
  /** The warning about every replacement. */
  readonly lost?: RegExp;
  /** The body of the request that creates the object. */
  readonly created: (declared: Values, tag: Values) => Values;
  /** The request that changes an input. */
  readonly patched: (outputs: Values, changed: Values) => Omit<SentBy, "method">;
  /** Inputs whose removal is a change; others are ignored when the program omits them. */
  readonly cleared?: readonly string[];
}

const compute: readonly Input[] = [
  ["autoscalingLimitMinCu", 0.5, 1],
  ["autoscalingLimitMaxCu", 4, 2],
  ["suspendTimeoutSeconds", 600, -1],
];
const computeSettings: readonly Input[] = [
  ["provisioner", "k8s-pod", "k8s-neonvm"],
  // The platform rejects settings without Postgres settings: the creation sends empty ones.
  ["settings.pgSettings", undefined, { maxConnections: "50" }],
  ["settings.pgbouncerSettings", { default_pool_size: "20" }, { default_pool_size: "30" }],
  ["settings.preloadLibraries.useDefaults", true, false],
  ["settings.preloadLibraries.enabledLibraries", ["pg_cron"], []],
];
const annotations: Input = ["annotations", { team_name: "sales", "cost-center": "7" }, { team_name: "support" }];
const night = { startTime: "01:00", endTime: "02:30" };

const within = (group: string, inputs: readonly Input[]): readonly Input[] =>
  inputs.map(([path, from, to]) => [`${group}.${path}`, from, to]);

const ofBranch: Pick<Declared, "kind" | "deletesFirst" | "lost" | "created" | "patched" | "base"> = {
  kind: "Branch",
  base: async (stage) => ({ projectId: (await stage.project()).id }),
  deletesFirst: true,
  lost: /Data written to the old branch is deleted/,
  created: ({ projectId: _, annotations: declared = {}, compute: size, ...branch }, tag) => ({
    branch: onWire(branch),
    ...(size === undefined ? {} : { endpoints: [{ type: "read_write", ...withPgSettings(size as Values) }] }),
    annotation_value: { ...(declared as Values), ...tag },
  }),
  patched: ({ projectId, branchId, endpointId }, { compute: size, ...branch }) =>
    size === undefined
      ? { path: `/projects/${String(projectId)}/branches/${String(branchId)}`, body: { branch: onWire(branch) } }
      : {
          path: `/projects/${String(projectId)}/endpoints/${String(endpointId)}`,
          body: { endpoint: onWire(size as Values) },
        },
};

const cases: Readonly<Record<string, Declared>> = {
  Project: {
    kind: "Project",
    base: () => Promise.resolve({}),
    constant: [
      ["autoscalingLimitMinCu", 0.5],
      ["autoscalingLimitMaxCu", 4],
      ["settings.hipaa", false],
    ],
    updated: [
      ["name", "Shop of tables 0001", "Shop of chairs 0001"],
      ["defaultEndpointSettings.pgSettings", { work_mem: "8MB" }, { work_mem: "16MB", max_connections: "50" }],
      ["defaultEndpointSettings.pgbouncerSettings", { default_pool_size: "20" }, { default_pool_size: "30" }],
      ...within("defaultEndpointSettings", compute),
      ["historyRetentionSeconds", 3600, 0],
      ...within(
        "settings.quota",
        ["activeTimeSeconds", "computeTimeSeconds", "writtenDataBytes", "dataTransferBytes", "logicalSizeBytes"].map(
          (path) => [path, 100_000, 0],
        ),
      ),
      ["settings.allowedIps.ips", ["10.0.0.1", "10.1.0.0/16"], []],
      ["settings.allowedIps.protectedBranchesOnly", true, false],
      ["settings.enableLogicalReplication", false, true],
      ["settings.maintenanceWindow", { ...night, weekdays: [1, 7] }, { ...night, weekdays: [2] }],
      ["settings.blockPublicConnections", true, false],
      ["settings.blockVpcConnections", false, true],
      ["settings.auditLogLevel", "base", "full"],
      ["settings.preloadLibraries.useDefaults", true, false],
      ["settings.preloadLibraries.enabledLibraries", ["pg_cron"], ["pg_cron", "timescaledb"]],
    ],
    replaced: [
      ["regionId", "aws-eu-central-1", "aws-us-east-1"],
      ["pgVersion", 16, 17],
      ["provisioner", "k8s-pod", "k8s-neonvm"],
      ["storePasswords", true, false],
      ...within("branch", [
        ["name", "production", "main"],
        ["roleName", "seller", "buyer"],
        ["databaseName", "goods", "wares"],
        annotations,
      ]),
    ],
    deletesFirst: false,
    lost: /All branches of the old project, their data and their hosts are deleted\./,
    created: (declared, tag) => {
      const project = onWire(declared) as { branch: { annotations: Values } };
      const { branch } = project;
      return { project: { ...project, branch: { ...branch, annotations: { ...branch.annotations, ...tag } } } };
    },
    patched: ({ projectId }, changed) => ({
      path: `/projects/${String(projectId)}`,
      body: { project: onWire(changed) },
    }),
  },
  "Branch with a compute": {
    ...ofBranch,
    updated: [
      ["name", "preview", "staging"],
      ["expiresAt", inDays(1), inDays(7)],
      ...within("compute", [...compute, ...computeSettings]),
    ],
    replaced: [["parentLsn", "0/1DE2850", "0/1DE2851"], annotations],
    cleared: ["expiresAt", "compute"],
  },
  "Branch without a compute": {
    ...ofBranch,
    updated: [["protected", false, true]],
    replaced: [
      ["initSource", "schema-only", "parent-data"],
      ["archived", true, false],
    ],
  },
  Endpoint: {
    kind: "Endpoint",
    base: async (stage) => {
      const { id: projectId } = await stage.project();
      const { id: branchId } = await stage.branch(projectId);
      return { projectId, branchId, type: "read_only" };
    },
    constant: [["poolerMode", "transaction"]],
    updated: [
      ["name", "reports", "figures"],
      ...compute,
      ...computeSettings,
      ["poolerEnabled", true, false],
      ["passwordlessAccess", false, true],
      ["disabled", false, true],
    ],
    replaced: [],
    deletesFirst: false,
    created: ({ projectId: _, ...declared }) => ({ endpoint: withPgSettings(declared) }),
    patched: ({ projectId, endpointId }, changed) => ({
      path: `/projects/${String(projectId)}/endpoints/${String(endpointId)}`,
      body: { endpoint: onWire(changed) },
    }),
  },
};

describe("every input", () => {
  const stage = suiteStage();

  for (const [title, declared] of Object.entries(cases)) {
    describe(title, () => {
      const {
        kind,
        base,
        constant = [],
        updated,
        replaced,
        deletesFirst,
        lost,
        created,
        patched,
        cleared = [],
      } = declared;
      let resource: EngineResource;
      let program: Values;
      before(async () => {
        resource = stage().resource(kind);
        program = await base(stage());
        for (const [path, value] of [...constant, ...updated, ...replaced]) {
          if (value !== undefined) program = withValue(program, path.split("."), value);
        }
        if (kind === "Branch") program = { name: resource.name, ...program };
      });

      it("is sent in the one request that creates the object", async () => {
        const text = String(program["projectId"] ?? program["name"]);
        const [creation, ...others] = await stage().sentBy(text, async () =>
          assert.equal(await resource.up(program), "create"),
        );
        assert.deepEqual(others, []);
        const [, tag] =
          /"neon-pulumi":"([0-9a-f]{24}\.[0-9a-f]{24}\.[0-9a-f]{16})"/.exec(JSON.stringify(creation?.body)) ?? [];
        assert.equal(tag === undefined, kind === "Endpoint");
        assert.deepEqual(creation?.body, created(program, { "neon-pulumi": tag }));
        await assertUpToDate(stage(), resource, program);
      });

      for (const [path, , to] of updated) {
        it(`§6.16 ${path} is changed in place, with exactly that in the request`, async () => {
          program = withValue(program, path.split("."), to);
          const sent = await stage().sentBy(String(resource.outputs["projectId"]), async () =>
            assert.equal(await resource.up(program), "update"),
          );
          assert.deepEqual(sent, [{ method: "PATCH", ...patched(resource.outputs, memberAt(program, path)) }]);
          await assertUpToDate(stage(), resource, program);
        });
      }

      for (const [path, , to] of replaced) {
        it(`${path} replaces the object when it changes, with a warning`, async () => {
          const plan = await resource.preview(withValue(program, path.split("."), to));
          assert.deepEqual(plan.replaces, [path.split(".", 1)[0]]);
          assert.deepEqual([plan.step, plan.deleteBeforeReplace], ["replace", deletesFirst]);
          const said = resource.said("warning").at(-1) ?? "";
          assert.ok(said.startsWith(`Changing \`${path}\` replaces this ${kind.toLowerCase()}. `), said);
          assert.match(said, lost ?? assert.fail());
        });
      }

      it("is ignored when the program omits it, unless its removal is a change", async () => {
        const required = new Set([...Object.keys(await base(stage())), ...cleared, "name"]);
        const kept = Object.fromEntries(Object.entries(program).filter(([name]) => required.has(name)));
        await assertUnchanged(stage(), resource, kept);
        assert.equal(await resource.refresh(), "same");
      });
    });
  }
});

function withPgSettings(declared: Values): Values {
  const { settings, ...others } = onWire(declared) as { settings?: Values };
  return { ...others, ...(settings === undefined ? {} : { settings: { pg_settings: {}, ...settings } }) };
}

/** The member that a change of an input sends: an input of the program, of its `settings` or of its `compute`. */
function memberAt(program: Values, path: string): Values {
  const [member = ""] = /^((compute|settings)\.)?\w+/.exec(path) ?? [];
  return declaring(member, atPath(program, member));
}
