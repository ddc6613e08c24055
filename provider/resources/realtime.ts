import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { ignoreNotFound, NeonError } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import {
  type Realtime,
  realtime as wireRealtime,
  realtimeOptions,
  realtimes,
  realtimeSecret,
  type RealtimeSecret,
} from "../../api/schemas/realtime";
import type { Context } from "../call/context";
import { creation } from "../kind/creation";
import { same } from "../kind/field-rules";
import { adopt, ofBranch, ofProject, trigger } from "../kind/inputs";
import { only, type OutputsOf } from "../kind/outputs";
import { singletonKind } from "../kind/singleton-kind";
import { omitUndefined, pick, type Values } from "../values";
import type { BranchAddress } from "./branch/read";

const inputs = lazy(() =>
  z.strictObject({
    ...ofProject,
    branchId: ofBranch.branchId.meta({ note: "A branch has Realtime once or not at all." }),
    ...camelShape(realtimeOptions.shape),
    rotateTrigger: trigger("gives the branch another secret, and the old one stops working at once"),
    adopt: adopt.describe(
      "Adopts the Realtime that a branch has instead of enabling it, and applies the declared arguments to it. The id of the branch adopts its Realtime and fails if it has none. `true` adopts it, or enables Realtime if the branch has none: declare it for a branch whose parent has Realtime, which a new branch inherits.",
    ),
  }),
);
export type RealtimeInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const { invocationUrl, allowedOrigins } = camelShape(wireRealtime.shape);
  const { secret } = camelShape(realtimeSecret.shape);
  // A call that changes something waits until Neon reports them.
  const reported = <Schema extends z.ZodType>(schema: z.ZodOptional<Schema>): Schema =>
    schema.unwrap().describe(schema.description ?? "");
  return z.object({
    ...ofBranch,
    allowedOrigins: reported(allowedOrigins),
    ...only(inputs().shape, "rotateTrigger"),
    invocationUrl: reported(invocationUrl),
    secret: reported(secret).meta({ secret: true }),
  });
};
/** The response to the creation does not have them. */
export type RealtimeOutputs = OutputsOf<typeof outputs, "allowedOrigins" | "invocationUrl" | "secret">;

/** Realtime of a branch that has it, with its secret if the call reads secrets. */
interface Found extends Realtime, RealtimeSecret {}

const address = ["projectId", "branchId"] as const;

/** Live queries of a branch's databases. */
export const realtime = singletonKind<Found, RealtimeInputs, RealtimeOutputs>({
  name: "Realtime",
  noun: "Realtime service",
  inputs,
  outputs,
  identifiedBy: address,
  rules: {
    allowedOrigins: { equality: sameOrigins },
    rotateTrigger: { platform: "unaware", affects: ["secret"] },
  },
  needs: [
    {
      status: 404,
      fix: "The branch does not exist, this API key cannot see it, or Neon does not offer Realtime in the region of the project.",
    },
  ],
  replacement: { loss: "Clients can no longer connect to the old one, and its secret is discarded." },
  identity: { by: "allowedOrigins", isSetting: true },

  preview: {
    problems: async (context, declared, before) => {
      const { adopt: adopts = false } = declared;
      const isNew = before === undefined ? adopts === false : !same({}, pick(before, address), pick(declared, address));
      if (isNew && !(await hasRealtime(context, declared))) context.warn(consequences);
      return [];
    },
  },

  create: ({ projectId, branchId, allowedOrigins, rotateTrigger }) =>
    creation({
      what: "enable Realtime",
      request: realtimes.enable(projectId, branchId, omitUndefined({ allowed_origins: allowedOrigins })),
      repeatable: true,
      // The same request sets the options of a branch that has Realtime.
      overwrites: true,
      outputs: () => ({ projectId, branchId, ...omitUndefined({ rotateTrigger }) }),
    }),

  find: readRealtime,
  outputsOf: (found, state) => {
    const { projectId = "", branchId = "", rotateTrigger } = state;
    // Neon reports none of these until the first change is applied.
    const origins = found.allowed_origins ?? (found.pending === true ? state.allowedOrigins : []);
    return {
      projectId,
      branchId,
      ...omitUndefined({
        allowedOrigins: origins,
        rotateTrigger,
        invocationUrl: found.invocation_url ?? state.invocationUrl,
        secret: found.secret ?? state.secret,
      }),
    };
  },

  update: async (context, state, { allowedOrigins }, changes) => {
    const { projectId, branchId } = state;
    // The request would enable Realtime again. The read that follows the update reports that it is gone.
    if ((await readRealtime(context, state)) === undefined) return;
    if (changes.has("allowedOrigins") && allowedOrigins !== undefined) {
      await context.change({
        what: "change allowed origins",
        request: realtimes.enable(projectId, branchId, { allowed_origins: allowedOrigins }),
        applies: ["allowedOrigins"],
        done: async () => sameOrigins((await readRealtime(context, state))?.allowed_origins, allowedOrigins),
        silent: true,
      });
    }
    if (changes.has("rotateTrigger")) await rotateSecret(context, state);
  },

  deletion: ({ projectId, branchId }) => ({
    what: "disable Realtime",
    object: `Realtime service of branch ${branchId}`,
    request: realtimes.disable(projectId, branchId),
    silent: true,
  }),

  listing: {
    isCopied: true,
    list: async ({ read }, { projectId, branchId }) => {
      const found = await ignoreNotFound(read(realtimes.get(projectId, branchId)));
      return found?.enabled === true ? [{ address: {} }] : [];
    },
  },
});

const consequences =
  "Enabling Realtime turns on logical replication for the whole project, which cannot be turned off again, and suspends all computes of the project, which closes their connections.";

/**
 * Realtime of a branch; undefined if the branch does not have it. A call that changes something waits until Neon has
 * applied the latest change, because only then the state says how it ended.
 */
async function readRealtime(
  context: Context,
  { projectId = "", branchId = "" }: Partial<BranchAddress>,
): Promise<Found | undefined> {
  const read = async (): Promise<Found | undefined> => {
    const found = await ignoreNotFound(context.read(realtimes.get(projectId, branchId)));
    if (found?.enabled !== true || !context.readsSecrets) return found;
    const answer = await ignoreNotFound(context.read(realtimes.secret(projectId, branchId)));
    return { ...found, ...omitUndefined({ secret: answer?.secret }) };
  };
  const found = await (context.purpose === "change" ? untilApplied(context, branchId, read) : read());
  return found?.enabled === true ? found : undefined;
}

/** Whether a branch has Realtime, as far as a preview can tell. */
async function hasRealtime(context: Context, { projectId, branchId }: Values): Promise<boolean> {
  if (typeof projectId !== "string" || typeof branchId !== "string") return false;
  const found = await readRealtime(context, { projectId, branchId }).catch(() => undefined);
  return found !== undefined;
}

/** Polls the state until no change is being applied. */
async function untilApplied(
  context: Context,
  branchId: string,
  read: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  let seen = "";
  const { found } = await context.until(
    async (show) => {
      const now = await read();
      const isReady = now?.enabled !== true || (now.invocation_url !== undefined && now.secret !== undefined);
      if (now?.pending !== true && isReady) return { found: now };
      seen = describe(now);
      show(`Realtime: ${seen}`);
      return undefined;
    },
    () =>
      new NeonError(
        "operation-timeout",
        `Timed out: Neon is still changing Realtime of branch ${branchId}. It was last seen ${seen}`,
      ),
  );
  return found;
}

/** The state in messages, without the secret. */
function describe({ enabled, pending, invocation_url: url, secret }: Found = {}): string {
  const ready = url === undefined ? "without a URL" : secret === undefined ? "without a secret" : "with URL and secret";
  return `${enabled === true ? "enabled" : "not enabled"}, ${pending === true ? "pending" : "not pending"}, ${ready}`;
}

/** Gives the branch another secret, and waits until Neon returns it. */
async function rotateSecret(context: Context, state: RealtimeOutputs): Promise<void> {
  const { projectId, branchId } = state;
  let before: string | undefined;
  // Read again before each attempt, because another user may have rotated the secret in the meantime.
  const prepare = async (): Promise<void> => {
    before = (await readRealtime(context, state))?.secret;
  };
  await prepare();
  await context.change({
    what: "rotate Realtime secret",
    request: realtimes.rotateSecret(projectId, branchId),
    applies: ["rotateTrigger"],
    beforeResend: prepare,
    done: async () => {
      const now = await readRealtime(context, state);
      return now !== undefined && now.secret !== before;
    },
    silent: true,
  });
}

/** Whether two lists allow the same origins: in any order, and none allows any, as `*` does. */
function sameOrigins(one: unknown, other: unknown): boolean {
  const [here, there] = [one, other].map((list) => new Set((Array.isArray(list) ? list : []).map(originOf)));
  for (const origins of [here, there]) origins?.delete("*");
  return here?.size === there?.size && [...(here ?? [])].every((origin) => there?.has(origin));
}

function originOf(text: unknown): string {
  return typeof text === "string" && URL.canParse(text) ? new URL(text).origin : String(text);
}
