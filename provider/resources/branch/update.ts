import { explained, hasStatus, type HttpError } from "../../../api/core/errors";
import { branches, type BranchUpdate } from "../../../api/schemas/branch";
import type { Context } from "../../call/context";
import { type Changes, same } from "../../kind/field-rules";
import { contains, omitUndefined } from "../../values";
import { updateCompute } from "./change-compute";
import { setAsDefault } from "./default";
import type { BranchInputs } from "./inputs";
import { changeMasking } from "./masking";
import { explainedByObstacle, type Obstacle, branchTitle } from "./obstacles";
import type { BranchOutputs } from "./outputs";
import { type BranchAddress, branchNamed, readBranch } from "./read";
import { replacedError } from "./replaced";
import { applyRestore, planRestore, type RestorePlan } from "./restore";
import { expiryOf, givenLife } from "./ttl";

/** Applies changed inputs to a branch, and to its compute. */
export async function updateBranch(
  context: Context,
  state: BranchOutputs,
  declared: BranchInputs,
  changes: Changes,
): Promise<void> {
  const { projectId, branchId } = state;
  const changed = patchable.filter((member) => changes.has(member));
  const getsCompute = changes.has("compute") && declared.compute !== undefined && state.endpointId === undefined;
  if (getsCompute) await assertNotReplaced(context, state);
  const plan = await planRestore(context, state, declared, changes);
  if (plan === undefined) await patchBranch(context, state, declared, changed);
  else await restoreAndPatch(context, state, declared, changed, plan);
  if (changes.has("default") && declared.default === true) {
    const { branch: now } = await context.read(branches.get(projectId, branchId));
    if (now.default !== true) await setAsDefault(context, projectId, branchId);
  }
  if (changes.has("compute")) await updateCompute(context, state, declared.compute, changes);
  if (changes.has("maskingRules") && declared.maskingRules !== undefined) {
    await changeMasking(context, state, declared.maskingRules);
  }
}

/** The inputs that a PATCH of the branch changes. */
const patchable = ["name", "protected", "expiresAt", "ttl", "ttlTrigger"] as const;
type Patchable = (typeof patchable)[number];

async function patchBranch(
  context: Context,
  state: BranchOutputs,
  declared: BranchInputs,
  members: readonly Patchable[],
): Promise<void> {
  const { projectId, branchId } = state;
  const expires = members.includes("expiresAt") || members.includes("ttl");
  const isRenewed = members.includes("ttlTrigger") && declared.ttlTrigger !== undefined;
  const body: BranchUpdate = omitUndefined({
    name: members.includes("name") ? await newName(context, state, declared) : undefined,
    protected: members.includes("protected") ? declared.protected : undefined,
    expires_at: expires || isRenewed ? (expiryOf(declared, context.serverClock.now()) ?? null) : undefined,
  });
  if (Object.keys(body).length === 0) return;
  await context
    .change({
      what: "update branch",
      request: branches.update(projectId, branchId, body),
      applies: members,
      outputs: (answer) =>
        answer === undefined || body.expires_at === undefined ? {} : givenLife(answer.branch, declared),
      done: async () => {
        const now = (await readBranch(context, projectId, branchId))?.branch;
        return contains({ ...now, expires_at: now?.expires_at ?? null }, body);
      },
    })
    .catch(async (error: unknown) => {
      if (hasStatus(error, 409) && body.name !== undefined)
        throw await explainedByName(context, state, body.name, error);
      if (typeof body.expires_at !== "string") throw error;
      throw await explainedByObstacle(context, state, error, "cannot expire", expiryObstacles(declared));
    });
}

/** Explains the 409 for a new name by the branch that already has it. */
async function explainedByName(
  context: Context,
  { projectId, branchId, name }: BranchOutputs,
  newName: string,
  error: HttpError,
): Promise<unknown> {
  const other = await branchNamed(context, projectId, newName).catch(() => undefined);
  if (other === undefined) return error;
  const replaced = await replacedError(context, { projectId, branchId }).catch(() => undefined);
  if (replaced !== undefined) return replaced;
  return explained(
    `The ${branchTitle({ name, id: branchId })} was not renamed: the ${branchTitle(other)} has that name already`,
    error,
    "Declare another `name`. If two branches of the program exchange names, give one of them a third name first.",
  );
}

/**
 * The new name, or `undefined` if the branch already has it: a killed `up` may have renamed the branch, and the
 * platform refuses to set the same name again.
 */
async function newName(
  context: Context,
  { projectId, branchId, name: known }: BranchOutputs,
  { name }: BranchInputs,
): Promise<string | undefined> {
  if (name === undefined || name === known) return undefined;
  const now = (await readBranch(context, projectId, branchId))?.branch.name;
  if (now === name) return undefined;
  if (now !== known) await assertNotReplaced(context, { projectId, branchId });
  return name;
}

/**
 * @throws NeonError if a snapshot was restored over the branch: the change is meant for the branch that has its name
 * now
 */
async function assertNotReplaced(context: Context, address: BranchAddress): Promise<void> {
  const error = await replacedError(context, address);
  if (error !== undefined) throw error;
}

/**
 * Restores a branch. If the same update changes the protection, removing it comes before the restore, and adding it
 * after.
 */
async function restoreAndPatch(
  context: Context,
  state: BranchOutputs,
  declared: BranchInputs,
  changed: readonly Patchable[],
  plan: RestorePlan,
): Promise<void> {
  const before = changed.filter(
    (member) => member === "name" || (member === "protected" && declared.protected !== true),
  );
  await patchBranch(context, state, declared, before);
  await applyRestore(context, plan);
  // A reset from the parent postpones the expiration of a branch.
  const { branch: now } = await context.read(branches.get(state.projectId, state.branchId));
  const isExpiryKept =
    declared.expiresAt === undefined || same({ equality: "instant" }, now.expires_at, declared.expiresAt);
  const after = patchable.filter((member) =>
    member === "expiresAt" && !isExpiryKept ? true : changed.includes(member) && !before.includes(member),
  );
  await patchBranch(context, state, declared, after);
}

function expiryObstacles({ ttl }: BranchInputs): readonly Obstacle[] {
  const input = ttl === undefined ? "expiresAt" : "ttl";
  return [
    { is: "default", fix: `Remove \`${input}\`.` },
    { is: "protected", fix: `Set \`protected: false\` or remove \`${input}\`.` },
    { is: "parent", fix: "Delete the children first." },
  ];
}
