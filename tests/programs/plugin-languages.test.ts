import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { assertOnlyEngineShows } from "../support/engine-lines";
import { filesIn, writeFiles } from "../support/files";
import { suiteFolder } from "../support/folder";
import { goModule, type Language, pythonMetadata, suiteGenerator, suiteLanguage } from "../support/languages";
import { suitePlatform, type TestPlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { inventory, type Stack, suiteStacks, unattended } from "../support/stack";

/** A secret that programs declare, which may be stored in encrypted form only. */
const planted = "hush-hush-4711";

/** A program in a language, for a size of its compute. Its function answers that size. */
type Program = (size: number) => Readonly<Record<string, string>>;

describe("programs through the plugin", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  /** Creates resources, calls functions, changes resources in place, and finds no secret anywhere. */
  async function follow(
    name: Language,
    program: Program,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Stack> {
    const stack = await newStack({
      language: { name, files: program(1), project: withPlugin },
      platform: platform(),
      config: { "neon:logLevel": "debug" },
      environment,
    });
    await create(stack);
    assert.equal(await answerOf(stack), "1");
    await platform().clearRequests();
    await resize(stack, () => stack.writeFiles(program(2)));
    assert.equal(await answerOf(stack), "2");
    const deployments = (await platform().requests()).filter(({ path }) => path.endsWith("/deployments"));
    assert.equal(deployments.length, 1);
    await stack.up("--expect-no-changes");
    return stack;
  }

  describe("in yaml", () => {
    suiteLanguage("yaml");

    it("create resources, call functions, change resources in place, and keep secrets", async () => {
      await destroy(platform(), await follow("yaml", (size) => ({ "Main.yaml": yaml(size) })));
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

        it("create resources, call functions, change resources in place, and keep secrets", async () => {
          const sdk = join(sdks, name);
          await generateSdk(name, join("plugin", "schema.json"), sdk);
          if (name === "python") writeFiles(sdk, pythonMetadata("neon_pulumi", "0.1.0"));
          const module = name === "go" ? goModule("program", { "github.com/neon-pulumi/neon-pulumi/sdk/go": sdk }) : {};
          const program: Program = (size) => ({ ...programFiles(size), ...module });
          await destroy(platform(), await follow(name, program, { PYTHONPATH: sdk }));
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

/** The response of a stack's function. */
async function answerOf(stack: Stack): Promise<string> {
  return (await fetch(String(stack.outputs()["url"]))).text();
}

/** Deletes everything, and asserts that Pulumi's files show no secret. */
async function destroy(platform: TestPlatform, stack: Stack): Promise<void> {
  for (const file of filesIn(stack.kept)) {
    assert.ok(!readFileSync(file, "latin1").includes(planted), `${file} shows a secret of the program`);
  }
  await stack.destroy();
  assert.deepEqual(await inventory(platform), {});
}

/** The code of a function that answers the size. */
function codeOf(size: number): string {
  return `export default { fetch: () => new Response('${size}') };`;
}

/** A project with a branch, a role, a database, the connection URI, and functions with their triggers. JSON is YAML, too. */
function yaml(size: number): string {
  const at = { projectId: "${shop.id}", branchId: "${pr.branchId}" };
  const resources: Readonly<Record<string, readonly [kind: string, properties: object]>> = {
    shop: ["Project", { regionId: "aws-eu-central-1" }],
    pr: [
      "Branch",
      {
        projectId: "${shop.id}",
        parentId: "${shop.defaultBranchId}",
        compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: size },
        annotations: { note: { "fn::secret": planted }, open: "yes" },
      },
    ],
    app: ["Role", at],
    orders: ["Database", { ...at, ownerName: "${app.name}" }],
    uploads: ["Bucket", at],
    logo: ["BucketObject", { ...at, bucketName: "${uploads.name}", source: { "fn::stringAsset": "<svg/>" } }],
    api: [
      "Function",
      {
        ...at,
        code: { "fn::assetArchive": { "index.mjs": { "fn::stringAsset": codeOf(size) } } },
        environment: { TOKEN: planted },
      },
    ],
    yearly: ["Trigger", { ...at, functionSlug: "${api.slug}", schedule: { cron: "0 3 1 1 *" } }],
    www: ["CustomDomain", { ...at, domain: "yaml.example.com", entityId: "${api.slug}" }],
  };
  // The language host fails if a function returns a secret, such as a URI.
  const databases = { projectId: "${shop.id}", branchId: "${orders.branchId}" };
  return JSON.stringify({
    resources: Object.fromEntries(
      Object.entries(resources).map(([name, [kind, properties]]) => [name, { type: `neon:${kind}`, properties }]),
    ),
    variables: {
      found: { "fn::invoke": { function: "neon:getDatabases", arguments: databases, return: "databases" } },
    },
    outputs: { url: "${api.invocationUrl}", connectionUri: "${pr.connectionUri}", databases: "${found}" },
  });
}

/** The program in Python, with a second trigger and a list of branches. */
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

/** The program in Go. */
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
