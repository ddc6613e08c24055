import type { LoggedRequest } from "../../../platform/http/request-log";
import { TestPlatform } from "../../support/platform";
import { spawnPlatform, withPlatformProcess } from "../../support/platform-process";
import type { Stack, StoredResource } from "../../support/stack";
import { branchesProgram, userStack, withStack } from "../cli";
import type { Row, Run } from "../row";
import { mean } from "../statistics";

interface Deployed {
  readonly platform: TestPlatform;
  readonly stack: Stack;
}

/** Branches with computes in five projects, which several rows use and none changes. */
async function manyBranches(run: Run): Promise<Deployed & { readonly count: number }> {
  const count = run.size(500, 1);
  const deployed = await run.shared("many branches", async () => {
    const { platform: address } = await spawnPlatform(["--operation-time", "0"]);
    const platform = new TestPlatform(address);
    run.say(`up of ${count} branches`);
    const stack = await userStack(branchesProgram(count, run.size(5, 1)), platform);
    await stack.up();
    const end = async (): Promise<void> => {
      await stack.remove();
      await platform.close();
    };
    return { made: { platform, stack }, end };
  });
  return { ...deployed, count };
}

async function requestsOf({ platform }: Deployed, command: () => Promise<unknown>): Promise<readonly LoggedRequest[]> {
  await platform.clearRequests();
  await command();
  return await platform.requests();
}

/** Requests for connection URIs, which tell whether role and database are still there. */
function connections(requests: readonly LoggedRequest[]): number {
  return requests.filter(({ path }) => path.includes("/connection_uri")).length;
}

/** Responses that contain a password, besides those. */
function reveals(requests: readonly LoggedRequest[]): number {
  return requests.filter(({ path }) => path.includes("/reveal_password")).length;
}

export const refresh: Row = {
  name: "refresh",
  title: "Refresh",
  compares: `\`pulumi refresh\` of a stack of 500 branches with computes in five projects, and of one with 50 roles and 50 databases on
one branch. All requests that arrive at the platform count. Nothing has happened to the 500 branches since they were created, so the latest
operations of their projects prove that their URIs are still right. Roles and databases were created on the one branch.`,
  measuresTime: false,
  measure: async (run) => {
    const deployed = await manyBranches(run);
    const branches = await requestsOf(deployed, () => deployed.stack.refresh());
    const each = run.size(50, 3);
    const rest = await withPlatformProcess(["--operation-time", "0"], async ({ platform }) => {
      return await withStack(await userStack(rolesProgram(each), platform), async (stack) => {
        await stack.up();
        return await requestsOf({ platform, stack }, () => stack.refresh());
      });
    });
    return {
      figures: [
        {
          title: `refresh of ${deployed.count} branches with computes in 5 projects that nobody touched: requests`,
          value: branches.length,
          unit: "",
          atMost: 40,
        },
        {
          title: "the same: connection URIs read",
          value: connections(branches),
          unit: "",
          atMost: 0,
        },
        {
          title: `refresh of ${each} roles and ${each} databases on one branch: requests`,
          value: rest.length,
          unit: "",
          atMost: 8,
        },
        { title: "both: passwords of roles revealed", value: reveals(branches) + reveals(rest), unit: "", atMost: 0 },
      ],
      comparison: {
        heads: ["request", "branches", "roles and databases"],
        lines: shapes([branches, rest]),
      },
    };
  },
};

function rolesProgram(each: number): string {
  return `
    const at = { projectId: "", branchId: "" };
    const project = new neon.Project("home", {});
    Object.assign(at, { projectId: project.id, branchId: project.defaultBranchId });
    for (let index = 0; index < ${each}; index += 1) {
      const role = new neon.Role("role-" + index, at);
      new neon.Database("database-" + index, { ...at, ownerName: role.name });
    }
  `;
}

/** As many functions, triggers, custom domains and objects on one branch. */
function servicesProgram(each: number): string {
  return `
    const at = { projectId: "", branchId: "" };
    const project = new neon.Project("home", {});
    Object.assign(at, { projectId: project.id, branchId: project.defaultBranchId });
    const bucket = new neon.Bucket("files", at);
    const index = new pulumi.asset.StringAsset("export default { fetch: () => new Response('Hello') };");
    const code = new pulumi.asset.AssetArchive({ "index.mjs": index });
    for (let index = 0; index < ${each}; index += 1) {
      const { slug } = new neon.Function("f" + index, { ...at, code });
      new neon.Trigger("yearly-" + index, { ...at, functionSlug: slug, schedule: { cron: "0 3 1 1 *" } });
      new neon.CustomDomain("domain-" + index, { ...at, domain: "f" + index + ".example.com", entityId: slug });
      const source = new pulumi.asset.StringAsset("Object " + index);
      new neon.BucketObject("object-" + index, { ...at, bucketName: bucket.name, source });
    }
  `;
}

/** The path of a list. A prefix is the request that reads one object. */
const listOf = (name: string): RegExp => new RegExp(`/${name}(\\?(?!.*prefix=)|$)`);

export const refreshServices: Row = {
  name: "refresh-services",
  title: "Refresh of what runs on a branch besides Postgres",
  compares: `\`pulumi refresh\` of a stack of 50 functions, 50 triggers, 50 custom domains and 50 objects on one branch. All requests that
arrive at the platform count. The first object of a kind is read alone, the others from its list.`,
  measuresTime: false,
  measure: async (run) =>
    await withPlatformProcess(["--operation-time", "0"], async ({ platform }) => {
      const each = run.size(50, 2);
      return await withStack(await userStack(servicesProgram(each), platform), async (stack) => {
        run.say("up");
        await stack.up();
        const requests = await requestsOf({ platform, stack }, () => stack.refresh());
        const lists = ["functions", "triggers", "custom-domains", "objects"].map(
          (name) => [name, requests.filter(({ path }) => listOf(name).test(path)).length] as const,
        );
        return {
          figures: [
            ...lists.map(([name, count]) => ({
              title: `refresh of ${each} ${name.replace("-", " ")} on one branch: lists`,
              value: count,
              unit: "" as const,
              atMost: 1,
            })),
            {
              title: "all four: other requests, of the project, the bucket and the first of each kind",
              value: requests.length - lists.reduce((sum, [, count]) => sum + count, 0),
              unit: "",
              atMost: 8,
            },
          ],
          comparison: { heads: ["request", "refresh"], lines: shapes([requests]) },
        };
      });
    }),
};

/** How often each kind of request is among the requests of each command. */
export function shapes(commands: readonly (readonly LoggedRequest[])[]): (readonly (string | number)[])[] {
  const shapeOf = ({ method, path }: LoggedRequest): string =>
    `\`${method} ${path.replaceAll(/^\/api\/v2|\?.*$/g, "").replaceAll(/(projects|branches|roles|databases|functions|triggers|custom-domains|buckets)\/[^/]+/g, "$1/…")}\``;
  const names = [...new Set(commands.flat().map(shapeOf))].sort();
  return names.map((name) => [
    name,
    ...commands.map((requests) => requests.filter((request) => shapeOf(request) === name).length),
  ]);
}

export const unchanged: Row = {
  name: "unchanged",
  title: "Commands that find no change",
  compares: `\`pulumi preview\` and \`pulumi up\` of the same 500 branches, of which nothing has changed: the requests that arrive at
the platform.`,
  measuresTime: false,
  measure: async (run) => {
    const deployed = await manyBranches(run);
    const { stack, count } = deployed;
    const preview = await requestsOf(deployed, () => stack.command("preview", "--expect-no-changes"));
    const up = await requestsOf(deployed, () => stack.up());
    return {
      figures: [
        {
          title: `unchanged \`preview\` of ${count} branches: requests of the provider`,
          value: preview.length,
          unit: "",
          atMost: 0,
        },
        {
          title: `unchanged \`up\` of ${count} branches: requests of the provider`,
          value: up.length,
          unit: "",
          atMost: 0,
        },
      ],
    };
  },
};

/** Bytes of a value as compact JSON. */
function bytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

export const state: Row = {
  name: "state",
  title: "The size of the state",
  compares: `The resource of a branch with a compute in the state file, with encrypted secrets, as compact JSON without \`stackTrace\`
and \`sourcePosition\`: the mean of all branches of the stack. Ids are random, so the sizes vary. \`__provider\` is the text of the input. \`__neon\` is the
hidden output of this package.`,
  measuresTime: false,
  measure: async (run) => {
    const { stack } = await manyBranches(run);
    const branches = stack.everyResource().filter(({ type }) => type.endsWith(":Branch"));
    const meanOf = (of: (resource: StoredResource) => number): number => mean(branches.map(of));
    const whole = meanOf((one) => bytes({ ...one, stackTrace: undefined, sourcePosition: undefined }));
    const provider = meanOf((one) => Buffer.byteLength(String(one.inputs["__provider"])));
    const encrypted = ({ outputs }: StoredResource): unknown[] =>
      Object.values(outputs).filter((value) => JSON.stringify(value).includes("ciphertext"));
    const sizes = {
      resource: whole,
      inputs: meanOf(({ inputs }) => bytes(inputs)),
      outputs: meanOf(({ outputs }) => bytes(outputs)),
      "`__neon` of the outputs": meanOf(({ outputs }) => bytes(outputs["__neon"] ?? "")),
      "connection URIs, encrypted": meanOf((one) => bytes(encrypted(one))),
    };
    return {
      figures: [
        { title: "state of a branch with a compute", value: whole, unit: "bytes", atMost: 2_300 },
        { title: "`__provider`", value: provider, unit: "bytes", atMost: 120 },
      ],
      comparison: {
        heads: ["part", "bytes"],
        lines: Object.entries(sizes).map(([name, size]) => [name, size.toFixed(0)]),
      },
    };
  },
};
