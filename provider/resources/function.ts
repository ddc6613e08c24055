import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { ignoreNotFound } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import {
  type BranchFunction,
  branchFunction as wireFunction,
  functionDeployments,
  functions,
  functionUpdate,
} from "../../api/schemas/function";
import { type Collection, every, pagedList } from "../call/collection";
import { contents } from "../call/contents";
import type { Context } from "../call/context";
import type { Problem } from "../call/services";
import { isAddressable, notAddressable } from "../../api/schemas/wire";
import { combination, known } from "../kind/combination";
import { creation } from "../kind/creation";
import { same } from "../kind/field-rules";
import { adopt, archive, ofBranch } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { Content } from "../content";
import { holdsUnknown, omitUndefined, type Values } from "../values";
import { deploy, deployed, deployRequest, type FunctionAddress, readFunction, settled } from "./function/deployment";

/** The documented limits of a function's environment variables. */
const maxVariables = 1000;
const maxVariableBytes = 65_536;

const redeploys = "A change deploys the function again.";
const inputs = lazy(() =>
  z
    .strictObject({
      ...ofBranch,
      slug: z.string().min(1).refine(isAddressable, notAddressable).optional().meta({
        note: "It is a part of the URL: 1 to 20 lower-case letters and digits, according to Neon's documentation.",
      }),
      name: functionUpdate.shape.name
        .unwrap()
        .refine((name) => name.trim() !== "", "must not be blank")
        .optional()
        .meta({ omitted: "the slug", change: "Removing it restores the default." }),
      code: archive.optional().meta({
        description:
          "Code of the function: a folder, a zip file or a map of files, with `index.mjs` or `index.js` at its root; at most 10 MiB zipped, 64 MiB unpacked and 4096 files. Compared by the content of the files. Required to create a function. If omitted, an adopted function keeps its code.",
        change: redeploys,
      }),
      runtime: z.string().min(1).optional().meta({ omitted: "chosen by Neon", change: redeploys }),
      environment: z
        .record(z.string(), z.string())
        .check(
          combination((variables, report) => {
            const given = Object.entries(variables);
            for (const [name, value] of given) {
              if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
                report("must have a name of letters, digits and `_` that does not begin with a digit", name);
              } else if (value === "") {
                report("must not be empty: Neon removes a variable with an empty value, so leave it out", name);
              }
            }
            if (given.length > maxVariables) report(`must have at most ${maxVariables} variables`);
            const size = given.reduce((sum, [name, value]) => sum + Buffer.byteLength(name + (known(value) ?? "")), 0);
            if (size > maxVariableBytes) report("must have at most 64 KiB of names and values in total");
          }),
        )
        .optional()
        .meta({
          description:
            "Environment variables of the function. Secret. If declared, the function has exactly these: what is dropped is removed. If never declared, the variables of an adopted function stay. Neon's own variables, such as `DATABASE_URL`, are not among them.",
          change: redeploys,
        }),
      adopt: adopt.meta({ note: "Declared code and variables are deployed, because Neon does not return them." }),
    })
    .meta({
      otherNames: {
        source: "it is `code`",
        zipFilePath: "it is `code`",
        env: "it is `environment`",
        environmentVariables: "it is `environment`",
        triggers: "declare a `Trigger` for each",
        customDomains: "declare a `CustomDomain` for each",
      },
    }),
);
export type FunctionInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const { id, ...wire } = camelShape(wireFunction.shape);
  const { deploymentId, runtime, environmentNames } = camelShape(functionDeployments);
  return z.object({
    ...ofBranch,
    ...only(wire, "slug", "name"),
    runtime,
    environment: inputs().shape.environment.meta({
      description: "The declared variables.",
      secret: true,
      absence: { reason: "The program declares no variables, or somebody else has deployed the function since." },
    }),
    functionId: id,
    ...only(wire, "invocationUrl"),
    deploymentId,
    codeHash: z
      .string()
      .optional()
      .describe(
        "Hash of the deployed code: equal exactly if names and contents of all files are. Absent if somebody else has deployed the function since.",
      ),
    environmentNames: environmentNames.unwrap().describe(environmentNames.description ?? ""),
    ...only(wire, "createdAt"),
  });
};
export type FunctionOutputs = OutputsOf<
  typeof outputs,
  "name" | "functionId" | "invocationUrl" | "environmentNames" | "createdAt"
>;

/** The documented form of a slug. */
const slugForm = /^[a-z0-9]{1,20}$/;

/** A function of a branch. */
export const branchFunction = listedKind<BranchFunction, FunctionInputs, FunctionOutputs>({
  name: "Function",
  noun: "function",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "slug"],
  rules: {
    name: { onRemove: "clear", equality: (present, declared) => String(present).trim() === String(declared).trim() },
    code: { content: { type: "archive", hash: "codeHash" }, affects: ["deploymentId"] },
    runtime: { affects: ["deploymentId"] },
    environment: { onRemove: "clear", affects: ["deploymentId", "environmentNames"] },
  },
  defaultName: "slug",
  needs: [
    {
      status: 400,
      message: /slug/i,
      fix: "Declare a `slug` of 1 to 20 lower-case letters and digits.",
    },
  ],
  replacement: { loss: "The new function has another URL. The old one no longer answers." },
  leavesContents: true,
  identity: { by: "createdAt" },
  // Deployments are not operations of the project, so functions deploy concurrently.
  scope: { isApart: true },

  create: ({ projectId, branchId, slug = "", code, runtime, environment }) => {
    const address = { projectId, branchId, slug };
    const declared = omitUndefined({ codeHash: code?.hash, runtime, environment });
    return creation({
      what: "deploy function",
      // Code is missing only if the function disappeared after the preview. Neon refuses such a request.
      request: deployRequest(address, omitUndefined({ code, runtime, environment })),
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
    request: functions.delete(projectId, branchId, slug),
    silent: true,
  }),

  preview: { problems: inputProblems },

  finishing: {
    complete: async (context, created) => {
      const { deploymentId, environment } = created;
      if (deploymentId !== undefined) await settled(context, created, deploymentId, environment);
    },
  },

  listing: { isCopied: true },
});

function functionsOf({ projectId = "", branchId = "" }: Partial<FunctionAddress>): Collection<BranchFunction> {
  const list = functions.list(projectId, branchId);
  return pagedList({
    list,
    keyOf: ({ slug }) => slug,
    get: async (reader, slug) => {
      // The published document allows no single-function request with any other slug, so search the list.
      if (!slugForm.test(slug))
        return (await ignoreNotFound(every(reader.pages(list))))?.find((one) => one.slug === slug);
      return (await ignoreNotFound(reader.read(functions.get(projectId, branchId, slug))))?.function;
    },
  });
}

/**
 * The outputs of a function. Neon returns neither code nor values of variables. The state's values are kept while its
 * deployment is the newest or the active one.
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

async function rename(context: Context, state: FunctionOutputs, name: string | undefined): Promise<void> {
  const { projectId, branchId, slug } = state;
  const wanted = name?.trim() ?? slug;
  await context.change({
    what: "rename function",
    request: functions.update(projectId, branchId, slug, { name: name?.trim() ?? null }),
    applies: ["name"],
    done: async () => (await readFunction(context, state))?.name === wanted,
  });
}

/** Problems with the inputs. Where Neon's sources disagree, this only warns and leaves the decision to Neon. */
async function inputProblems(
  context: Context,
  declared: Values,
  before: Values | undefined,
): Promise<readonly Problem[]> {
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
  const { secretFiles = [] } = code instanceof Content && !holdsUnknown(code) ? await contents.digest(code) : {};
  if (secretFiles.length > 0) {
    const [first = ""] = secretFiles;
    const others = secretFiles.length > 1 ? ` and ${secretFiles.length - 1} more` : "";
    context.warn(
      `The code has ${first}${others}, which is uploaded with it. Declare secrets in \`environment\`, and keep such files out of the folder.`,
    );
  }
  const needsCode = before === undefined && adopts === false && code === undefined;
  return needsCode ? [{ property: "code", reason: "is required to create a function" }] : [];
}
