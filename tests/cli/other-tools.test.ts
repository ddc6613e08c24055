import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { objectsIn } from "../../cli/other-tools";
import { kinds } from "../../provider/kinds";
import { suiteFolder } from "../support/folder";
import type { Values } from "../support/provider-server";

const project = "spring-example-302709";
const branch = "br-wispy-meadow-118737";

describe("cli: the state of another tool", () => {
  const folder = suiteFolder("neon-pulumi-state-");
  let files = 0;
  /** The objects that a file names, and the resources that name none. */
  function read(content: unknown): { readonly ids: readonly string[]; readonly unknown: readonly string[] } {
    const file = join(folder, `${String((files += 1))}.json`);
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    const { targets, unknown } = objectsIn(file);
    return {
      ids: targets.map(({ kind, known }) => `${kind} ${kinds[kind].id(known)}`),
      unknown: unknown.map(({ type, name }) => `${type}.${name}`),
    };
  }
  const terraform = (...resources: readonly (readonly [type: string, attributes: Values])[]): object => ({
    version: 4,
    terraform_version: "1.11.4",
    serial: 3,
    lineage: "5f1c",
    outputs: {},
    resources: [
      { mode: "data", type: "neon_project", name: "read", provider: "", instances: [{ attributes: { id: "other" } }] },
      {
        mode: "managed",
        type: "aws_s3_bucket",
        name: "files",
        provider: "",
        instances: [{ attributes: { id: "files" } }],
      },
      ...resources.map(([type, attributes]) => ({
        mode: "managed",
        type,
        name: "own",
        provider: `provider["registry.terraform.io/kislerdm/neon"]`,
        instances: [{ schema_version: 7, attributes, sensitive_attributes: [] }],
      })),
    ],
  });
  const onBranch = { project_id: project, branch_id: branch };

  it("of kislerdm/neon names its objects by ids without those of the parents", () => {
    const { ids, unknown } = read(
      terraform(
        ["neon_project", { id: project, name: "shop", org_id: "org-1" }],
        ["neon_branch", { id: branch, project_id: project, name: "staging" }],
        ["neon_endpoint", { id: "ep-cool-1", ...onBranch, type: "read_only" }],
        ["neon_role", { id: `${project}/${branch}/100% app/é`, ...onBranch, name: "100% app/é" }],
        ["neon_database", { id: `${project}/${branch}/orders`, ...onBranch, name: "orders" }],
        ["neon_api_key", { id: "165434", name: "ci" }],
        ["neon_org_api_key", { id: "165435", name: "ci", org_id: "org-1", project_id: "" }],
        ["neon_org_api_key", { id: "165436", name: "ci", org_id: "org-1", project_id: project }],
        ["neon_project_permission", { id: "4464e977", project_id: project, grantee: "ann@example.com" }],
        ["neon_jwks_url", { id: "d45e6870", project_id: project }],
        [
          "neon_vpc_endpoint_assignment",
          { id: "vpce-1", org_id: "org-1", region_id: "aws-us-east-2", vpc_endpoint_id: "vpce-1" },
        ],
        ["neon_vpc_endpoint_restriction", { id: `vpce-1/${project}`, project_id: project, vpc_endpoint_id: "vpce-1" }],
      ),
    );
    assert.deepEqual(ids, [
      `Project ${project}`,
      `Branch ${project}/${branch}`,
      `Endpoint ${project}/ep-cool-1`,
      `Role ${project}/${branch}/100%25%20app%2F%C3%A9`,
      `Database ${project}/${branch}/orders`,
      "ApiKey 165434",
      "OrganizationApiKey org-1/165435",
      "ProjectApiKey org-1/165436",
      `ProjectPermission ${project}/4464e977`,
      `JwksUrl ${project}/d45e6870`,
      "VpcEndpointAssignment org-1/aws-us-east-2/vpce-1",
      `VpcEndpointRestriction ${project}/vpce-1`,
    ]);
    assert.deepEqual(unknown, []);
  });

  it("of terraform-community-providers/neon names roles by name and databases by number", () => {
    const { ids } = read(
      terraform(
        [
          "neon_project",
          { id: project, region_id: "aws-us-east-2", history_retention: 86_400, branch: { id: branch } },
        ],
        ["neon_role", { id: "app", ...onBranch, name: "app" }],
        ["neon_database", { id: 834_686, ...onBranch, name: "orders", owner_name: "app" }],
      ),
    );
    assert.deepEqual(ids, [
      `Project ${project}`,
      `Branch ${project}/${branch}`,
      `Role ${project}/${branch}/app`,
      `Database ${project}/${branch}/orders`,
    ]);
  });

  it("has the first branch of a project, its role and its database, which the project's resource manages", () => {
    const parts = [
      `Project ${project}`,
      `Branch ${project}/${branch}`,
      `Role ${project}/${branch}/app`,
      `Database ${project}/${branch}/orders`,
    ];
    for (const attributes of [
      { default_branch_id: branch, database_user: "app", database_name: "orders" },
      { default_branch_id: branch, branch: [{ id: branch, name: "main", role_name: "app", database_name: "orders" }] },
    ]) {
      assert.deepEqual(read(terraform(["neon_project", { id: project, ...attributes }])).ids, parts);
    }
    const type = "neon:index/project:Project";
    const outputs = { defaultBranchId: branch, branch: { id: branch, roleName: "app", databaseName: "orders" } };
    const resources = [{ urn: `urn:pulumi:dev::shop::${type}::own`, custom: true, type, id: project, outputs }];
    assert.deepEqual(read({ version: 3, deployment: { resources } }).ids, parts);
  });

  it("names what the other tool still has to delete, and does not take it over", () => {
    const { resources, ...state } = terraform(["neon_branch", { id: branch, project_id: project }]) as {
      readonly resources: readonly { readonly instances: readonly object[] }[];
    };
    const deposed = resources.map((one) => ({
      ...one,
      instances: one.instances.map((instance) => ({ ...instance, deposed: "0123abcd" })),
    }));
    assert.deepEqual(read({ ...state, resources: deposed }), { ids: [], unknown: ["neon_branch.own"] });
  });

  it("of neondatabase/neon names objects of every type that this package has, too", () => {
    const { ids, unknown } = read(
      terraform(
        ["neon_project_permission", { id: `${project}/4464e977`, project_id: project, grantee: "ann@example.com" }],
        ["neon_branch_backup_schedule", { id: `${project}/${branch}`, ...onBranch }],
        ["neon_snapshot", { id: `${project}/snap-1`, project_id: project, snapshot_id: "snap-1" }],
        ["neon_data_api", { id: `${project}/${branch}/orders`, ...onBranch, database_name: "orders" }],
        ["neon_bucket", { id: `${project}/${branch}/uploads`, ...onBranch, name: "uploads" }],
        ["neon_bucket_object", { id: "any", ...onBranch, bucket: "uploads", key: "in/100% é.txt" }],
        ["neon_function", { id: `${project}/${branch}/api`, ...onBranch, slug: "api", runtime: "nodejs24" }],
        ["neon_trigger", { id: "any", ...onBranch, trigger_id: "trigger-1", type: "schedule", schedule: { cron: "" } }],
        ["neon_trigger", { id: "any", ...onBranch, trigger_id: "trigger-2", type: "schedule", cron: "0 * * * *" }],
        ["neon_custom_branch_domain", { id: "any", ...onBranch, domain: "api.example.com", entity_id: "api" }],
        ["neon_service_credential", { id: `${project}/${branch}/nak_1`, ...onBranch, token_id: "nak_1" }],
        ["neon_project_member_role", { id: `${project}/m-1`, project_id: project, member_id: "m-1", role: "viewer" }],
        ["neon_org_spending_limit", { id: "org-1", org_id: "org-1", spending_limit_cents: 100 }],
        ["neon_org_member_role", { id: "org-1/m-1", org_id: "org-1", member_id: "m-1", role: "admin" }],
      ),
    );
    assert.deepEqual(ids, [
      `ProjectPermission ${project}/4464e977`,
      `BackupSchedule ${project}/${branch}`,
      `Snapshot ${project}/snap-1`,
      `DataApi ${project}/${branch}/orders`,
      `Bucket ${project}/${branch}/uploads`,
      `BucketObject ${project}/${branch}/uploads/in%2F100%25%20%C3%A9.txt`,
      `Function ${project}/${branch}/api`,
      `Trigger ${project}/${branch}/trigger-1`,
      `Trigger ${project}/${branch}/trigger-2`,
      `CustomDomain ${project}/${branch}/api.example.com`,
      `Credential ${project}/${branch}/nak_1`,
      `ProjectMemberRole ${project}/m-1`,
      "SpendingLimit org-1",
    ]);
    assert.deepEqual(unknown, ["neon_org_member_role.own"]);
  });

  it("names each object once, and says which resources it cannot use", () => {
    const { ids, unknown } = read(
      terraform(
        ["neon_branch", { id: branch, project_id: project }],
        ["neon_branch", { id: branch, project_id: project }],
        ["neon_branch", { id: branch }],
        ["neon_something_new", { id: "1" }],
      ),
    );
    assert.deepEqual(ids, [`Branch ${project}/${branch}`]);
    assert.deepEqual(unknown, ["neon_branch.own", "neon_something_new.own"]);
  });

  it("can be what `pulumi stack export` writes, of the bridge and of this package", () => {
    const resource = (type: string, id: string, outputs: Values, more: object = {}): object => {
      return {
        urn: `urn:pulumi:dev::shop::${type}::own`,
        custom: true,
        type,
        id,
        inputs: {},
        outputs: { id, ...outputs },
        ...more,
      };
    };
    const { ids, unknown } = read({
      version: 3,
      deployment: {
        manifest: {},
        resources: [
          { urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", type: "pulumi:pulumi:Stack" },
          { urn: "urn:pulumi:dev::shop::pulumi:providers:neon::default", type: "pulumi:providers:neon", id: "1" },
          resource("neon:index/project:Project", project, { name: "shop" }),
          resource("neon:index/branch:Branch", branch, { projectId: project }),
          resource("neon:index/branch:Branch", "br-old-1", { projectId: project }, { delete: true }),
          resource("neon:index/orgApiKey:OrgApiKey", "165435", { orgId: "org-1" }),
          resource("neon:index/vpcEndpointRestriction:VpcEndpointRestriction", `vpce-1/${project}`, {
            projectId: project,
            vpcEndpointId: "vpce-1",
          }),
          resource("neon:resource:Project", "native-1", {}),
          resource("neon:index:Snapshot", `${project}/snap-1`, { projectId: project, snapshotId: "snap-1" }),
          resource("pulumi-nodejs:dynamic/neon:Role", `${project}/${branch}/app`, { projectId: project }),
          resource("neon:index/consumption:Consumption", "1", {}),
        ],
      },
    });
    assert.deepEqual(ids, [
      `Project ${project}`,
      `Branch ${project}/${branch}`,
      "OrganizationApiKey org-1/165435",
      `VpcEndpointRestriction ${project}/vpce-1`,
      "Project native-1",
      `Snapshot ${project}/snap-1`,
      `Role ${project}/${branch}/app`,
    ]);
    assert.deepEqual(unknown, ["neon:index/branch:Branch.own", "neon:index/consumption:Consumption.own"]);
  });

  it("is refused in one sentence if it is no such file", () => {
    for (const content of ["{", "{}", "[]", { version: 3, modules: [] }]) {
      assert.throws(() => read(content), /is neither a Terraform state|cannot be read/);
    }
    assert.throws(() => objectsIn(join(folder, "nothing.json")), /cannot be read: ENOENT/);
  });
});
