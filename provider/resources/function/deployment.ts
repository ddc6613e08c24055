import { withoutSecrets } from "../../../api/core/redaction";
import { ignoreNotFound, NeonError, quoted } from "../../../api/core/errors";
import {
  type BranchFunction,
  type DeploymentCreate,
  type FunctionDeployment,
  functions,
} from "../../../api/schemas/function";
import { contents } from "../../call/contents";
import type { Context } from "../../call/context";
import type { Content } from "../../content";
import { type Changes, same } from "../../kind/field-rules";
import { omitUndefined } from "../../values";

/** Inputs whose change causes a new deployment. */
export const deployed = ["code", "runtime", "environment"] as const;

/** The path of a function. */
export interface FunctionAddress {
  readonly projectId: string;
  readonly branchId: string;
  readonly slug: string;
}

/** The declared inputs of a deployment. */
interface Deployable {
  readonly code?: Content | undefined;
  readonly runtime?: string | undefined;
  readonly environment?: Variables | undefined;
}

/** The outputs in the state that describe a function's deployment. */
interface DeployedFunction extends FunctionAddress {
  readonly deploymentId?: number | undefined;
  readonly codeHash?: string | undefined;
  readonly environment?: Variables | undefined;
}

type Variables = Readonly<Record<string, string>>;

/** The request for a new deployment. Omitted members stay as they are. */
export function deployRequest(
  { projectId, branchId, slug }: FunctionAddress,
  { code, runtime, environment }: Deployable,
) {
  return functions.deploy(projectId, branchId, slug, {
    ...(code && { zip: async () => new Uint8Array(await contents.zip(code)) }),
    // Pass on a runtime that is not published yet: Neon decides whether it is valid.
    ...omitUndefined({ runtime: runtime as DeploymentCreate["runtime"], environment }),
  });
}

/** Deploys what has changed, and waits until the new deployment is active. */
export async function deploy(
  context: Context,
  state: DeployedFunction,
  declared: Deployable,
  changes: Changes,
): Promise<void> {
  const applies = deployed.filter((input) => changes.has(input));
  const { code, runtime, environment } = declared;
  const { projectId, branchId, slug } = state;
  // Deploying to a deleted function would create a new one, so fail with a 404 first.
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
    // An earlier call deployed this, but did not wait until it was active.
    await settled(context, state, own.id, environment);
    context.progress.succeeded(applies);
    return;
  }
  const isBase = own !== undefined && own.id === latest?.id && own.status === "completed";
  // If another deployment is the newest, its code and values are unknown. Send everything that is declared.
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
  const names = namesAfter(latest, variables);
  let found: FunctionDeployment | undefined;
  let id = 0;
  await context.change({
    what: "deploy function",
    request: deployRequest(state, {
      ...omitUndefined({ code: zip }),
      ...(isSent("runtime") && omitUndefined({ runtime })),
      ...(Object.keys(variables).length > 0 && { environment: variables }),
    }),
    applies,
    outputs: (answer) => {
      const { id: made = 0 } = answer?.deployment ?? found ?? {};
      id = made;
      return { ...learned, deploymentId: made };
    },
    done: async (isSince) => {
      const now = (await readFunction(context, state))?.current_deployment;
      const isNew = now !== undefined && now.id > (latest?.id ?? 0);
      if (!isNew || !isSince(now.created_at) || !same({ equality: "set" }, now.environment ?? names, names))
        return false;
      found = now;
      context.warn(
        `Deployment ${now.id} of the function ${slug} appeared when a request was sent whose response is lost, and has the declared variables. It was taken for the result of the request. If another program made it, change the code to deploy it again.`,
      );
      return true;
    },
    finish: () => settled(context, { ...state, ...omitUndefined({ codeHash: zip?.hash }) }, id, environment),
  });
}

/** The variables to send: changed ones, and removed ones with an empty value. */
function changedVariables(
  latest: FunctionDeployment | undefined,
  { environment: present = {} }: Pick<DeployedFunction, "environment">,
  declared: Variables = {},
): Variables {
  const changed = Object.entries(declared).filter(([name, value]) => present[name] !== value);
  const dropped = [...new Set([...(latest?.environment ?? []), ...Object.keys(present)])].filter(
    (name) => !Object.hasOwn(declared, name),
  );
  return Object.fromEntries([...changed, ...dropped.map((name) => [name, ""] as const)]);
}

/** The names of a deployment's variables after these were sent. */
function namesAfter(latest: FunctionDeployment | undefined, variables: Variables): readonly string[] {
  const kept = (latest?.environment ?? []).filter((name) => !Object.hasOwn(variables, name));
  return [...kept, ...Object.keys(variables).filter((name) => variables[name] !== "")];
}

/** How many reads may miss a function that was just deployed. */
const toleratedMisses = 5;

/**
 * Waits until a deployment is active. Frees the memory of its code, which has been sent.
 *
 * @throws NeonError if the deployment fails, if another user deploys in the meantime, or if the call times out
 */
export async function settled(
  context: Context,
  address: FunctionAddress & Pick<DeployedFunction, "codeHash">,
  id: number,
  environment: Variables = {},
): Promise<void> {
  const { projectId, branchId, slug, codeHash } = address;
  contents.sent({ hash: codeHash });
  const title = `Deployment ${id} of the function ${slug}`;
  let seen = "not there yet";
  let misses = 0;
  const ended = await context.until(
    async (show) => {
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
      show(`deployment ${id} ${seen}`);
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

export async function readFunction(
  context: Context,
  { projectId, branchId, slug }: FunctionAddress,
): Promise<BranchFunction | undefined> {
  return (await ignoreNotFound(context.read(functions.get(projectId, branchId, slug))))?.function;
}
