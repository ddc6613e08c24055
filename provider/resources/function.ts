import { z } from "zod";

import { withoutSecrets } from "../../api/core/redaction";
import { ignoreNotFound, NeonError, quoted } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import {
  type BranchFunction,
  type DeploymentCreate,
  type FunctionDeployment,
  functions,
  functionUpdate,
} from "../../api/schemas/function";
import { isAddressable, notAddressable } from "../../api/schemas/wire";
import type { Collection } from "../call/collection";
import { contents } from "../call/contents";
import type { Context } from "../call/context";
import { every } from "../call/page-reader";
import type { Problem } from "../call/services";
import type { Content } from "../content";
import { creation } from "../kind/creation";
import { same } from "../kind/field-rules";
import { identifiedBy } from "../kind/id";
import { adopt, archive, idInput } from "../kind/inputs";
import type { Changes } from "../kind/kind";
import { listedKind } from "../kind/listed-kind";
import { asReported, type OutputsOf } from "../kind/outputs";
import { omitUndefined, type Values } from "../values";

const inputs = lazy(() =>
  z.strictObject({
    projectId: idInput.describe("Id of the project."),
    branchId: idInput.describe("Id of the branch."),
    slug: z
      .string()
      .min(1)
      .refine(isAddressable, notAddressable)
      .optional()
      .describe(
        "What identifies the function on the branch, and part of its URL: 1 to 20 lower-case letters and digits, according to Neon's documentation. Default: the resource's logical name.",
      ),
    name: functionUpdate.shape.name
      .unwrap()
      .refine((name) => name.trim() !== "", "must not be blank")
      .optional()
      .describe("Display name. Updated in place. Default: the slug. Removing it restores the default."),
    code: archive
      .optional()
      .describe(
        "Code of the function: a folder, a zip file or a map of files, with `index.mjs` or `index.js` at its root; at most 10 MiB zipped, 64 MiB unpacked and 4096 files. Updated in place by a new deployment. Compared by the content of the files. Required to create a function. If omitted, an adopted function keeps its code.",
      ),
    runtime: z
      .string()
      .min(1)
      .optional()
      .describe("Runtime, such as `nodejs24`. Updated in place by a new deployment. Default: chosen by Neon."),
    environment: z
      .record(
        z.string(),
        z
          .string()
          .refine(
            (value) => value !== "",
            "must not be empty: Neon removes a variable with an empty value, so leave it out",
          ),
      )
      .optional()
      .meta({
        description:
          "Environment variables of the function. Secret. Updated in place by a new deployment. If declared, the function has exactly these: what is dropped is removed. If never declared, the variables of an adopted function stay. Neon's own variables, such as `DATABASE_URL`, are not among them.",
      }),
    adopt: adopt
      .optional()
      .describe(
        "Adopts an existing function instead of creating one, such as one that the branch has from its parent. A slug adopts that function and fails if it does not exist. `true` adopts the function of this slug, or creates it if there is none. Declared code and variables are deployed, because Neon does not return them. Setting or removing `adopt` later has no effect.",
      ),
  }),
);
export type FunctionInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    ...asReported(inputs(), "projectId", "branchId"),
    slug: z.string().describe("What identifies the function on the branch."),
    name: z.string().describe("Display name; the slug, if there is none."),
    runtime: z.string().optional().describe("Runtime of the active deployment."),
    environment: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description: "The declared variables. Secret.",
        secret: true,
        absence: { reason: "The program declares no variables, or somebody else has deployed the function since." },
      }),
    functionId: z.string().describe("Id of the function."),
    invocationUrl: z
      .string()
      .describe("URL of the function. It is public. Empty if the function cannot be invoked in this region."),
    deploymentId: z.int().optional().describe("Id of the active deployment. It rises with each deployment."),
    codeHash: z
      .string()
      .optional()
      .describe(
        "Hash of the deployed code: equal exactly if names and contents of all files are. Absent if somebody else has deployed the function since.",
      ),
    environmentNames: z.array(z.string()).describe("Names of the variables of the active deployment."),
    createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
  });
export type FunctionOutputs = OutputsOf<
  typeof outputs,
  "name" | "functionId" | "invocationUrl" | "environmentNames" | "createdAt"
>;

type Address = Pick<FunctionOutputs, "projectId" | "branchId" | "slug">;

/** The slugs that Neon documents. */
const slugForm = /^[a-z0-9]{1,20}$/;

/** Inputs whose change is a new deployment. */
const deployed = ["code", "runtime", "environment"] as const;

/** A function of a branch. */
export const branchFunction = listedKind<BranchFunction, FunctionInputs, FunctionOutputs>({
  name: "Function",
  noun: "function",
  inputs,
  outputs,
  rules: {
    projectId: { onChange: "replace" },
    branchId: { onChange: "replace" },
    slug: { onChange: "replace" },
    name: { onRemove: "clear", equality: (present, declared) => String(present).trim() === String(declared).trim() },
    code: { content: { type: "archive", hash: "codeHash" }, affects: ["deploymentId"] },
    runtime: { affects: ["deploymentId"] },
    environment: { onRemove: "clear", affects: ["deploymentId", "environmentNames"] },
  },
  defaultName: "slug",
  uniqueBy: ["projectId", "branchId", "slug"],
  needs: [
    {
      status: 400,
      message: /slug/i,
      fix: "Declare a `slug` of 1 to 20 lower-case letters and digits.",
    },
  ],
  replacement: { loss: "The new function has another URL, or the old URL does not answer until it is deployed." },
  ...identifiedBy("projectId", "branchId", "slug"),
  identity: { by: "createdAt" },
  // Deployments are no operations of the project: other functions deploy meanwhile.
  scope: { isApart: true },

  create: ({ projectId, branchId, slug = "", code, runtime, environment }) => {
    const address = { projectId, branchId, slug };
    const declared = omitUndefined({ codeHash: code?.hash, runtime, environment });
    return creation({
      what: "deploy function",
      // Without code, nothing is sent but to a function that is gone since the preview: Neon refuses it.
      request: deployRequest(address, code, omitUndefined({ runtime, environment })),
      repeatable: true,
      // The same request deploys a function that exists.
      overwrites: true,
      outputs: ({ deployment }) => ({ ...address, ...declared, deploymentId: deployment.id }),
      found: ({ environmentNames: names }) => {
        const isOwn = same({ equality: "set" }, names, Object.keys(environment ?? {}));
        return Promise.resolve(isOwn ? declared : undefined);
      },
      leaves: ["name"],
    });
  },

  collection: functionsOf,
  outputsOf: functionOutputs,

  update: async (context, state, declared, changes) => {
    if (deployed.some((input) => changes.has(input))) await deploy(context, state, declared, changes);
    if (changes.has("name")) await rename(context, state, declared.name);
  },

  deletion: ({ projectId, branchId, slug }) => ({
    what: "delete function",
    object: `function ${slug}`,
    request: functions.delete(projectId, branchId, slug),
    silent: true,
  }),

  preview: { problems: (context, declared, before) => Promise.resolve(inputProblems(context, declared, before)) },

  finishing: {
    complete: async (context, created) => {
      const { deploymentId, environment } = created;
      if (deploymentId !== undefined) await settled(context, created, deploymentId, environment);
    },
  },

  listing: { isCopied: true },
});

function functionsOf({ projectId = "", branchId = "" }: Partial<Address>): Collection<BranchFunction> {
  const list = functions.list(projectId, branchId);
  return {
    name: list.path,
    projectId,
    pages: (reader) => reader.pages(list),
    keyOf: ({ slug }) => slug,
    get: async (reader, slug) => {
      // The published document allows no request for another one.
      if (!slugForm.test(slug))
        return (await ignoreNotFound(every(reader.pages(list))))?.find((one) => one.slug === slug);
      return (await ignoreNotFound(reader.read(functions.get(projectId, branchId, slug))))?.function;
    },
  };
}

/**
 * What is known of a function. Neon returns neither code nor values of variables: those of the state are those of the function
 * while its newest or its active deployment is the one of the state.
 */
function functionOutputs(found: BranchFunction, state: Partial<FunctionOutputs>): FunctionOutputs {
  const { projectId = "", branchId = "", codeHash, environment, deploymentId } = state;
  const { active_deployment: active, current_deployment: current } = found;
  const serving = active ?? current;
  const own = [current, active].find((one) => one?.id === deploymentId && one?.status !== "failed");
  return {
    projectId,
    branchId,
    slug: found.slug,
    name: found.name,
    ...omitUndefined({
      runtime: serving?.runtime,
      ...(own === undefined ? {} : { environment, codeHash }),
      deploymentId: own?.id ?? serving?.id,
    }),
    functionId: found.id,
    invocationUrl: found.invocation_url,
    environmentNames: serving?.environment ?? [],
    createdAt: found.created_at,
  };
}

function deployRequest(
  { projectId, branchId, slug }: Address,
  code: Content | undefined,
  { runtime, environment }: Pick<FunctionInputs, "runtime" | "environment">,
) {
  return functions.deploy(projectId, branchId, slug, {
    ...(code && { zip: async () => new Uint8Array(await contents.zip(code)) }),
    // A runtime that is not published yet is Neon's to judge.
    ...omitUndefined({ runtime: runtime as DeploymentCreate["runtime"], environment }),
  });
}

/** Deploys what has changed, and waits until the new deployment is active. */
async function deploy(
  context: Context,
  state: FunctionOutputs,
  declared: FunctionInputs,
  changes: Changes,
): Promise<void> {
  const applies = deployed.filter((input) => changes.has(input));
  const { code, runtime, environment } = declared;
  const { projectId, branchId, slug } = state;
  // Of one that is gone, a deployment would create another one.
  const { function: before } = await context.read(functions.get(projectId, branchId, slug));
  const latest = before.current_deployment;
  const own = [latest, before.active_deployment].find((one) => one !== undefined && one.id === state.deploymentId);
  const isDeployed =
    own !== undefined &&
    own.status !== "failed" &&
    (code === undefined || code.hash === state.codeHash) &&
    same({}, state.environment, environment) &&
    (runtime === undefined || runtime === own.runtime);
  if (isDeployed) {
    // An earlier call has deployed this, and has not waited for its end.
    await settled(context, state, own.id, environment);
    context.progress.succeeded(applies);
    return;
  }
  const isBase = own !== undefined && own.id === latest?.id && own.status === "completed";
  // Of a deployment that is not the one of the state, neither code nor values are known.
  const isSent = (input: (typeof deployed)[number]): boolean =>
    changes.has(input) || (!isBase && declared[input] !== undefined);
  const variables = isSent("environment") ? changedVariables(latest, isBase ? state : {}, environment) : {};
  const zip = isSent("code") ? code : undefined;
  const learned = { ...omitUndefined({ codeHash: code?.hash }), environment };
  if (zip === undefined && !isSent("runtime") && Object.keys(variables).length === 0) {
    context.progress.learn(learned);
    context.progress.succeeded(applies);
    return;
  }
  const sentAt = context.serverClock.capture();
  const names = namesAfter(latest, variables);
  let found: FunctionDeployment | undefined;
  let id = 0;
  await context.change({
    what: "deploy function",
    project: projectId,
    request: deployRequest(state, zip, {
      ...(isSent("runtime") && omitUndefined({ runtime })),
      ...(Object.keys(variables).length > 0 && { environment: variables }),
    }),
    applies,
    outputs: (answer) => {
      const { id: made = 0 } = answer?.deployment ?? found ?? {};
      id = made;
      return { ...learned, deploymentId: made };
    },
    done: async () => {
      const now = (await readFunction(context, state))?.current_deployment;
      const isNew = now !== undefined && now.id > (latest?.id ?? 0);
      const isInTime = isNew && Date.parse(now.created_at) >= context.serverClock.earliestTimestamp(sentAt());
      if (!isInTime || !same({ equality: "set" }, now.environment ?? names, names)) return false;
      found = now;
      context.warn(
        `Deployment ${now.id} of the function ${slug} appeared when a request was sent whose response is lost, and has the declared variables. It was taken for the result of the request. If another program made it, change the code to deploy it again.`,
      );
      return true;
    },
    finish: () => settled(context, state, id, environment),
  });
  if (zip !== undefined) contents.sent(zip);
}

/** The variables to send: what was changed, and what was dropped as an empty value. */
function changedVariables(
  latest: FunctionDeployment | undefined,
  { environment: present = {} }: Pick<FunctionOutputs, "environment">,
  declared: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const changed = Object.entries(declared).filter(([name, value]) => present[name] !== value);
  const dropped = [...new Set([...(latest?.environment ?? []), ...Object.keys(present)])].filter(
    (name) => !Object.hasOwn(declared, name),
  );
  return Object.fromEntries([...changed, ...dropped.map((name) => [name, ""] as const)]);
}

/** The names that a deployment has when these variables have been sent. */
function namesAfter(
  latest: FunctionDeployment | undefined,
  variables: Readonly<Record<string, string>>,
): readonly string[] {
  const kept = (latest?.environment ?? []).filter((name) => !Object.hasOwn(variables, name));
  return [...kept, ...Object.keys(variables).filter((name) => variables[name] !== "")];
}

/** How often a function that has just been deployed may not be found. */
const toleratedMisses = 5;

/**
 * Waits until a deployment is active.
 *
 * @throws NeonError if it fails, if somebody else deploys meanwhile, or if the time of the call is over
 */
async function settled(
  context: Context,
  address: Address,
  id: number,
  environment: FunctionInputs["environment"] = {},
): Promise<void> {
  const { projectId, branchId, slug } = address;
  const title = `Deployment ${id} of the function ${slug}`;
  let seen = "not there yet";
  let misses = 0;
  const ended = await context.until(
    async () => {
      const found = await ignoreNotFound(context.read(functions.get(projectId, branchId, slug)));
      if (found === undefined) {
        misses += 1;
        if (misses > toleratedMisses) await context.read(functions.get(projectId, branchId, slug));
        return undefined;
      }
      const { current_deployment: current, active_deployment: active } = found.function;
      const own = [current, active].find((one) => one?.id === id);
      if (own === undefined) return current !== undefined && current.id > id ? current : undefined;
      seen = own.status;
      context.show(`deployment ${id} ${seen}`);
      return ["completed", "failed"].includes(own.status) ? own : undefined;
    },
    () => new NeonError("operation-timeout", `${title} did not end in time: it is ${seen}`),
  );
  if (ended.id === id && ended.status === "completed") return;
  context.progress.failed();
  if (ended.id !== id) {
    throw new NeonError(
      "operation-failed",
      `${title} was overtaken by deployment ${ended.id}, which something else made`,
    );
  }
  const reason = withoutSecrets(ended.error ?? "Neon gives no reason", Object.values(environment));
  throw new NeonError("operation-failed", `${title} failed: ${quoted(reason)}`);
}

async function rename(context: Context, state: FunctionOutputs, name: string | undefined): Promise<void> {
  const { projectId, branchId, slug } = state;
  const wanted = name?.trim() ?? slug;
  await context.change({
    what: "rename function",
    project: projectId,
    request: functions.update(projectId, branchId, slug, { name: name?.trim() ?? null }),
    applies: ["name"],
    done: async () => (await readFunction(context, state))?.name === wanted,
  });
}

/** What is wrong with inputs, or probably is: where Neon's sources disagree, Neon judges, and this only warns. */
function inputProblems(context: Context, declared: Values, before: Values | undefined): readonly Problem[] {
  const { slug, code, environment, adopt: adopts = false } = declared;
  if (typeof slug === "string" && before?.["slug"] !== slug && !slugForm.test(slug)) {
    context.warn(
      `Neon documents that the slug of a function has 1 to 20 lower-case letters and digits, so it may refuse ${JSON.stringify(slug)}. Declare another \`slug\`.`,
    );
  }
  const reserved = Object.keys((environment as Values | undefined) ?? {}).filter((name) => name.startsWith("NEON_"));
  if (reserved.length > 0) {
    context.warn(`Neon may reserve names that start with NEON_, so it may refuse or replace ${reserved.join(", ")}.`);
  }
  const needsCode = before === undefined && adopts === false && code === undefined;
  return needsCode ? [{ property: "code", reason: "is required to create a function" }] : [];
}

async function readFunction(
  context: Context,
  { projectId, branchId, slug }: Address,
): Promise<BranchFunction | undefined> {
  return (await ignoreNotFound(context.read(functions.get(projectId, branchId, slug))))?.function;
}
