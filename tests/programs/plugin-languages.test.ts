import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { assertOnlyEngineShows } from "../support/engine-lines";
import { filesIn, writeFiles } from "../support/files";
import { suiteFolder } from "../support/folder";
import { goModule, pythonMetadata, suiteGenerator, suiteLanguage } from "../support/languages";
import { suitePlatform, type TestPlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { inventory, type Stack, suiteStacks, unattended } from "../support/stack";

/** A secret that programs declare. Nothing but its encrypted form may be anywhere. */
const planted = "hush-hush-4711";

/** Shows the requests of the plugin. */
const config = { "neon:logLevel": "debug" };

/** What an edit of a program changes. */
interface Edit {
  /** Of the compute: changed in place. */
  readonly size: number;
  /** Whether it calls functions, which send requests in each run. */
  readonly functions: boolean;
}

const start: Edit = { size: 1, functions: true };

describe("programs through the plugin", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  describe("in YAML", () => {
    suiteLanguage("yaml");

    it("declare resources and call functions, and change one in place", async () => {
      const orgId = await platform().firstOrganization();
      // Somebody without an account would join later.
      await platform().signIn("ann@example.com");
      const program = (edit: Partial<Edit> = {}): string => everything({ ...start, ...edit }, orgId);
      const stack = await newStack({
        language: { name: "yaml", files: { "Main.yaml": program() }, project: withPlugin },
        platform: platform(),
        config,
      });
      const write = (edit: Partial<Edit>): void => stack.writeFiles({ "Main.yaml": program(edit) });
      await create(stack);

      write({ functions: false });
      await platform().clearRequests();
      await stack.up("--expect-no-changes");
      assert.deepEqual(await platform().requests(), []);

      await resize(stack, () => write({ functions: false, size: 2 }));
      await destroy(platform(), stack);
    });
  });

  describe("with the generated SDK", () => {
    const generateSdk = suiteGenerator();
    const sdks = suiteFolder("neon-pulumi-sdk-");

    for (const [name, programFiles] of [
      ["python", (size: number) => ({ "__main__.py": python(size) })],
      ["go", (size: number) => ({ "main.go": go(size) })],
    ] as const) {
      describe(`in ${name}`, () => {
        suiteLanguage(name);

        it("create resources, call functions, change a resource in place, and keep secrets", async () => {
          const sdk = join(sdks, name);
          await generateSdk(name, join("plugin", "schema.json"), sdk);
          if (name === "python") writeFiles(sdk, pythonMetadata("neon_pulumi", "0.1.0"));
          const module = name === "go" ? goModule("program", { "github.com/neon-pulumi/neon-pulumi/sdk/go": sdk }) : {};
          const stack = await newStack({
            language: { name, files: { ...programFiles(1), ...module }, project: withPlugin },
            platform: platform(),
            config,
            environment: { PYTHONPATH: sdk },
          });
          await create(stack);
          assert.equal(await answerOf(stack), "1");
          await platform().clearRequests();
          await resize(stack, () => stack.writeFiles(programFiles(2)));
          assert.equal(await answerOf(stack), "2");
          const deployments = (await platform().requests()).filter(({ path }) => path.endsWith("/deployments"));
          assert.equal(deployments.length, 1);
          await stack.up("--expect-no-changes");
          await destroy(platform(), stack);
        });
      });
    }
  });
});

/** Creates what the program declares. Its URIs work, and its output shows no secret. */
async function create(stack: Stack): Promise<void> {
  const { text } = await stack.up();
  assert.ok(!text.includes(planted), "the output shows a secret of the program");
  const uris = Object.entries(stack.outputs()).filter(([name]) => /^(c|getC)onnectionUri$/.test(name));
  for (const [name, uri] of uris) assert.match(String(uri), /^postgresql:\/\/\w+:npg_\w+@/, name);
}

/** Runs a program whose compute is twice as large, with all logs of the CLI and the plugin. */
async function resize(stack: Stack, write: () => void): Promise<void> {
  write();
  const { text } = await stack.run(["up", ...unattended, "--diff", "-v=9", "--logtostderr"]);
  assert.match(text, /~ autoscalingLimitMaxCu: 1 => 2/);
  assert.match(text, /neon: PATCH /, "the plugin logs");
  assertOnlyEngineShows(new RegExp(`npg_|napi_|${planted}`), text);
}

/** What the function of a stack answers. */
async function answerOf(stack: Stack): Promise<string> {
  return (await fetch(String(stack.outputs()["url"]))).text();
}

/** Deletes everything, of which Pulumi's files have shown no secret. */
async function destroy(platform: TestPlatform, stack: Stack): Promise<void> {
  for (const file of filesIn(stack.kept)) {
    assert.ok(!readFileSync(file, "latin1").includes(planted), `${file} shows a secret of the program`);
  }
  await stack.destroy();
  assert.deepEqual(await inventory(platform), {});
}

/** Kinds and functions, in YAML. */
function everything({ size, functions }: Edit, orgId: string): string {
  const branch = "projectId: ${shop.id}, branchId: ${pr.branchId}";
  const resources = `
  shop: { type: neon:Project, properties: { regionId: aws-eu-central-1, orgId: ${orgId} } }
  base: { type: neon:Branch, properties: { projectId: "\${shop.id}" } }
  pr:
    type: neon:Branch
    properties:
      projectId: \${shop.id}
      parentId: \${base.branchId}
      compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: ${size} }
      annotations: { note: { fn::secret: ${planted} }, open: "yes" }
  reports: { type: neon:Endpoint, properties: { ${branch}, type: read_only } }
  app: { type: neon:Role, properties: { ${branch} } }
  orders: { type: neon:Database, properties: { ${branch}, ownerName: "\${app.name}" } }
  ci: { type: neon:ApiKey }
  deploy: { type: neon:OrganizationApiKey, properties: { orgId: ${orgId} } }
  narrow: { type: neon:ProjectApiKey, properties: { orgId: ${orgId}, projectId: "\${shop.id}" } }
  auditor: { type: neon:ProjectPermission, properties: { projectId: "\${shop.id}", email: auditor@example.com } }
  ann: { type: neon:OrganizationMember, properties: { orgId: ${orgId}, email: ann@example.com, role: member } }
  anns-role:
    type: neon:ProjectMemberRole
    properties: { projectId: "\${shop.id}", memberId: "\${ann.memberId}", role: viewer }
  budget: { type: neon:SpendingLimit, properties: { orgId: ${orgId}, spendingLimitCents: 5000 } }
  sign-in:
    type: neon:JwksUrl
    properties: { projectId: "\${shop.id}", jwksUrl: "https://sign-in.example/jwks.json", providerName: Example }
  users:
    type: neon:NeonAuth
    properties:
      projectId: \${shop.id}
      branchId: \${pr.branchId}
      emailProvider:
        { type: standard, host: smtp.example, port: 587, username: shop, senderEmail: shop@example.com, senderName: Shop }
      emailProviderPassword: ${planted}
  github:
    type: neon:NeonAuthOauthProvider
    properties:
      projectId: \${shop.id}
      branchId: \${users.branchId}
      providerId: github
      clientId: shop
      clientSecret: ${planted}
  web:
    type: neon:NeonAuthTrustedDomain
    properties: { projectId: "\${shop.id}", branchId: "\${users.branchId}", domain: "https://shop.example" }
  office:
    type: neon:VpcEndpointAssignment
    properties: { orgId: ${orgId}, regionId: aws-eu-central-1, vpcEndpointId: vpce-1234567890abcdef0, label: office }
  internal:
    type: neon:VpcEndpointRestriction
    properties: { projectId: "\${shop.id}", vpcEndpointId: "\${office.vpcEndpointId}", label: office }
  rest: { type: neon:DataApi, properties: { ${branch}, databaseName: neondb } }
  uploads: { type: neon:Credential, properties: { ${branch}, scopes: ["storage:read"] } }
  avatars: { type: neon:Bucket, properties: { ${branch}, accessLevel: public_read } }
  logo:
    type: neon:BucketObject
    properties: { ${branch}, bucketName: "\${avatars.name}", source: { fn::stringAsset: "<svg/>" } }
  api:
    type: neon:Function
    properties:
      projectId: \${shop.id}
      branchId: \${pr.branchId}
      code: { fn::assetArchive: { index.mjs: { fn::stringAsset: "${codeOf(1)}" } } }
      environment: { TOKEN: ${planted} }
  yearly:
    type: neon:Trigger
    properties: { ${branch}, functionSlug: "\${api.slug}", schedule: { cron: "0 3 1 1 *" } }
  www: { type: neon:CustomDomain, properties: { ${branch}, domain: www.example.com, entityId: "\${api.slug}" } }
  launch: { type: neon:Snapshot, properties: { projectId: "\${shop.id}", branchId: "\${shop.defaultBranchId}" } }
  nightly:
    type: neon:BackupSchedule
    properties:
      projectId: \${shop.id}
      branchId: \${shop.defaultBranchId}
      schedule: [{ frequency: daily, hour: 3, retentionSeconds: 604800 }]`;
  const database = `${branch}, databaseName: neondb`;
  const span = `from: "${new Date(Date.now() - 86_400_000).toISOString()}", to: "${new Date().toISOString()}", granularity: daily`;
  const arguments_: Readonly<Record<string, readonly [args: string, returned: string]>> = {
    compareSchema: [database, "diff"],
    getAdvisorIssues: ["projectId: ${shop.id}, branchId: ${rest.branchId}, databaseName: neondb", "issues"],
    getApiKeys: ["", "apiKeys"],
    getBranch: ["projectId: ${shop.id}, name: ${pr.name}", "id"],
    getBranchConsumption: [`orgId: ${orgId}, projectId: \${pr.projectId}, ${span}`, "branches"],
    getBranchCount: ["projectId: ${pr.projectId}", "count"],
    getBranches: ["projectId: ${pr.projectId}", "branches"],
    getBranchSchema: [database, "sql"],
    getBranchStorage: [branch, "s3Endpoint"],
    getBuckets: ["projectId: ${shop.id}, branchId: ${avatars.branchId}", "buckets"],
    getCredentials: ["projectId: ${shop.id}, branchId: ${uploads.branchId}", "credentials"],
    getCurrentUser: ["", "email"],
    getDataApi: ["projectId: ${shop.id}, branchId: ${rest.branchId}, databaseName: neondb", "url"],
    getDatabases: [branch, "databases"],
    getEndpoint: ["projectId: ${shop.id}, endpointId: ${pr.endpointId}", "host"],
    getEndpoints: ["projectId: ${pr.projectId}", "endpoints"],
    getJwks: ["projectId: ${sign-in.projectId}", "jwks"],
    getNeonAuth: ["projectId: ${shop.id}, branchId: ${users.branchId}", "baseUrl"],
    getNeonAuthOauthProviders: ["projectId: ${shop.id}, branchId: ${github.branchId}", "providers"],
    getNeonAuthTrustedDomains: ["projectId: ${shop.id}, branchId: ${web.branchId}", "domains"],
    getOperation: ["projectId: ${shop.id}, operationId: ${operations[0].id}", "action"],
    getOperations: ["projectId: ${pr.projectId}, limit: 1", "operations"],
    getOrganization: [`orgId: ${orgId}`, "name"],
    getOrganizationInvitations: [`orgId: ${orgId}`, "invitations"],
    getOrganizationMembers: [`orgId: ${orgId}`, "members"],
    getOrganizations: ["", "organizations"],
    getPermissions: ["projectId: ${auditor.projectId}", "permissions"],
    getPreloadLibraries: ["projectId: ${shop.id}", "libraries"],
    getProject: ["projectId: ${shop.id}", "name"],
    getProjectConsumption: [`orgId: ${orgId}, ${span}`, "projects"],
    getProjectMembers: ["projectId: ${anns-role.projectId}", "members"],
    getProjects: ["search: shop", "projects"],
    getRegions: ["", "regions"],
    getRoles: [branch, "roles"],
    getSharedProjects: ["", "projects"],
    getSnapshots: ["projectId: ${launch.projectId}", "snapshots"],
  };
  const quoted = (args: string): string => args.replaceAll(/(?<!")(\$\{[^}]+\})(?!")/g, '"$1"');
  const variables = Object.entries(arguments_).map(
    ([name, [args, returned]]) =>
      `  ${name === "getOperations" ? "operations" : name}: { fn::invoke: { function: neon:${name}, arguments: { ${quoted(args)} }, return: ${returned} } }`,
  );
  // A list of branches shows their annotations.
  const shown: Readonly<Record<string, string>> = { getOperations: "operations", getBranches: "getBranches[0].id" };
  const outputs = Object.keys(arguments_).map((name) => `  ${name}: \${${shown[name] ?? name}}`);
  const reading = `variables:\n${variables.join("\n")}\noutputs:\n${outputs.join("\n")}\n`;
  const text = `resources:${resources}\n${functions ? reading : ""}`;
  return text.replaceAll(/(?<=[{,] )(\w+): (\$\{[^}]+\})/g, '$1: "$2"');
}

/** The code of a function that answers the size. */
function codeOf(size: number): string {
  return `export default { fetch: () => new Response('${size}') };`;
}

/** A project with a branch, a role, a database and the URI to connect, and what runs on the branch besides, in Python. */
function python(size: number): string {
  return `import pulumi
import neon_pulumi as neon

shop = neon.Project("shop", region_id="aws-eu-central-1")
pr = neon.Branch("pr", project_id=shop.id, parent_id=shop.default_branch_id,
    compute=neon.BranchComputeArgs(autoscaling_limit_min_cu=0.25, autoscaling_limit_max_cu=${size}),
    annotations={"note": pulumi.Output.secret("${planted}"), "open": "yes"})
app = neon.Role("app", project_id=shop.id, branch_id=pr.branch_id)
orders = neon.Database("orders", project_id=shop.id, branch_id=pr.branch_id, owner_name=app.name)
at = dict(project_id=shop.id, branch_id=pr.branch_id)
text = pulumi.StringAsset("${codeOf(size)}")
uploads = neon.Bucket("uploads", **at)
neon.BucketObject("logo", bucket_name=uploads.name, source=pulumi.StringAsset("<svg/>"), content_type="image/svg+xml", **at)
api = neon.Function("api", code=pulumi.AssetArchive({"index.mjs": text}), environment={"TOKEN": "${planted}"}, **at)
neon.Trigger("yearly", function_slug=api.slug, schedule=neon.TriggerScheduleArgs(cron="0 3 1 1 *"), **at)
neon.Trigger("uploaded", function_slug=api.slug,
    storage_object_created=neon.TriggerStorageObjectCreatedArgs(bucket_name=uploads.name, prefix="in/"), **at)
neon.CustomDomain("www", domain="python.example.com", entity_id=api.slug, **at)
pulumi.export("url", api.invocation_url)
pulumi.export("connectionUri", pr.connection_uri)
pulumi.export("getConnectionUri", neon.get_connection_uri_output(project_id=shop.id, branch_id=pr.branch_id,
    role_name=app.name, database_name=orders.name).uri)
pulumi.export("branches", neon.get_branches_output(project_id=pr.project_id).branches.apply(len))
`;
}

/** The same in Go. */
function go(size: number): string {
  return `package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		shop, err := neon.NewProject(ctx, "shop", &neon.ProjectArgs{RegionId: pulumi.String("aws-eu-central-1")})
		if err != nil {
			return err
		}
		pr, err := neon.NewBranch(ctx, "pr", &neon.BranchArgs{
			ProjectId: shop.ID(),
			ParentId:  shop.DefaultBranchId,
			Compute: &neon.BranchComputeArgs{
				AutoscalingLimitMinCu: pulumi.Float64(0.25),
				AutoscalingLimitMaxCu: pulumi.Float64(${size}),
			},
			Annotations: pulumi.StringMap{"note": pulumi.ToSecret(pulumi.String("${planted}")).(pulumi.StringOutput), "open": pulumi.String("yes")},
		})
		if err != nil {
			return err
		}
		app, err := neon.NewRole(ctx, "app", &neon.RoleArgs{ProjectId: shop.ID(), BranchId: pr.BranchId})
		if err != nil {
			return err
		}
		orders, err := neon.NewDatabase(ctx, "orders", &neon.DatabaseArgs{ProjectId: shop.ID(), BranchId: pr.BranchId, OwnerName: app.Name})
		if err != nil {
			return err
		}
		uploads, err := neon.NewBucket(ctx, "uploads", &neon.BucketArgs{ProjectId: shop.ID(), BranchId: pr.BranchId})
		if err != nil {
			return err
		}
		if _, err := neon.NewBucketObject(ctx, "logo", &neon.BucketObjectArgs{
			ProjectId: shop.ID(), BranchId: pr.BranchId, BucketName: uploads.Name,
			Source: pulumi.NewStringAsset("<svg/>"), ContentType: pulumi.String("image/svg+xml"),
		}); err != nil {
			return err
		}
		api, err := neon.NewFunction(ctx, "api", &neon.FunctionArgs{
			ProjectId: shop.ID(), BranchId: pr.BranchId,
			Code:        pulumi.NewAssetArchive(map[string]interface{}{"index.mjs": pulumi.NewStringAsset("${codeOf(size)}")}),
			Environment: pulumi.StringMap{"TOKEN": pulumi.String("${planted}")},
		})
		if err != nil {
			return err
		}
		if _, err := neon.NewTrigger(ctx, "yearly", &neon.TriggerArgs{
			ProjectId: shop.ID(), BranchId: pr.BranchId, FunctionSlug: api.Slug,
			Schedule: &neon.TriggerScheduleArgs{Cron: pulumi.String("0 3 1 1 *")},
		}); err != nil {
			return err
		}
		if _, err := neon.NewTrigger(ctx, "uploaded", &neon.TriggerArgs{
			ProjectId: shop.ID(), BranchId: pr.BranchId, FunctionSlug: api.Slug,
			StorageObjectCreated: &neon.TriggerStorageObjectCreatedArgs{BucketName: uploads.Name, Prefix: pulumi.String("in/")},
		}); err != nil {
			return err
		}
		if _, err := neon.NewCustomDomain(ctx, "www", &neon.CustomDomainArgs{
			ProjectId: shop.ID(), BranchId: pr.BranchId, Domain: pulumi.String("go.example.com"), EntityId: api.Slug,
		}); err != nil {
			return err
		}
		ctx.Export("url", api.InvocationUrl)
		ctx.Export("connectionUri", pr.ConnectionUri)
		_ = orders
		ctx.Export("getConnectionUri", neon.GetConnectionUriOutput(ctx, neon.GetConnectionUriOutputArgs{
			ProjectId: shop.ID(), BranchId: pr.BranchId, RoleName: app.Name, DatabaseName: orders.Name,
		}).Uri())
		return nil
	})
}
`;
}
