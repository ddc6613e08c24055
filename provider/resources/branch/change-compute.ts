import { toWire } from "../../../api/core/camel-case";
import { explained, isConflict, invalid, isNotFound, summaryOf } from "../../../api/core/errors";
import { type Endpoint, endpoints, type EndpointUpdate } from "../../../api/schemas/endpoint";
import type { Context } from "../../call/context";
import type { Changes } from "../../kind/field-rules";
import { idOf } from "../../kind/id";
import type { ObjectKey } from "../../ownership/claim";
import { contains, omitUndefined } from "../../values";
import { deleteCompute } from "../compute/change";
import { type Compute, computeBody } from "../compute/inputs";
import { branchItMovedTo, type ComputeAddress, movedAway, warnOfMoved } from "../compute/moved";
import { readEndpoint, readWriteEndpoint } from "../compute/read";
import type { BranchAddress } from "./read";
import { replacedError } from "./replaced";

/** A branch, and its compute as far as the state knows it. */
interface ComputeState extends BranchAddress {
  readonly endpointId?: string | undefined;
}

/** Creates, changes or deletes the read-write compute of a branch, as the program declares it. */
export async function updateCompute(
  context: Context,
  { projectId, branchId, endpointId }: ComputeState,
  declared: Compute | undefined,
  changes: Changes,
): Promise<void> {
  if (endpointId === undefined) {
    if (declared !== undefined) await createCompute(context, { projectId, branchId }, declared);
    return;
  }
  const own = { projectId, branchId, endpointId };
  if (declared === undefined) {
    await deleteOwnCompute(context, own);
  } else {
    await assertOwn(context, own);
    const changed = Object.entries(declared).filter(([member]) => changes.has(`compute.${member}`));
    if (changed.length > 0) await changeCompute(context, own, changed);
  }
}

/** Deletes the compute, unless it no longer belongs to the branch or must be kept. */
async function deleteOwnCompute(context: Context, own: ComputeAddress): Promise<void> {
  const { projectId, branchId, endpointId } = own;
  if (context.resource.isRetained) {
    context.warn(`The compute ${endpointId} of branch ${branchId} was not deleted: the branch has \`retainOnDelete\`.`);
    return;
  }
  const movedTo = await branchItMovedTo(context, own);
  if (movedTo !== undefined) {
    warnOfMoved(context, own, movedTo);
    return;
  }
  if (isHeldElsewhere(context, projectId, endpointId)) return;
  await deleteCompute(context, own, {
    applies: ["compute"],
    beforeResend: async () => {
      const hasMoved = (await branchItMovedTo(context, own)) !== undefined;
      if (!hasMoved && !isHeldElsewhere(context, projectId, endpointId)) return;
      throw invalid(`The compute ${endpointId} was not deleted: it does not belong to branch ${branchId} any more`, {
        retry: "Run the same command again.",
      });
    },
  });
}

/** Warns of a compute that was not deleted with its branch, because it belongs to another branch now. */
export async function warnOfLeftCompute(
  context: Context,
  { projectId, branchId, endpointId }: ComputeState,
): Promise<void> {
  if (endpointId === undefined || isHeldElsewhere(context, projectId, endpointId)) return;
  const left = { projectId, branchId, endpointId };
  // The read only serves the warning: the branch is already deleted.
  const movedTo = await branchItMovedTo(context, left).catch(() => undefined);
  if (movedTo !== undefined) warnOfMoved(context, left, movedTo);
}

/** @throws NeonError if the compute belongs to another branch now, or to another stack */
async function assertOwn(context: Context, own: ComputeAddress): Promise<void> {
  const { projectId, branchId, endpointId } = own;
  const movedTo = await branchItMovedTo(context, own);
  if (movedTo !== undefined) {
    const replaced = await replacedError(context, own);
    if (replaced !== undefined) throw replaced;
    const another = await readWriteEndpoint(context, projectId, branchId);
    throw movedAway(
      own,
      movedTo,
      another === undefined
        ? "Run `pulumi refresh`, and then `pulumi up`, which creates another one."
        : `The branch already has another one, ${another.id}: if no other stack manages it, run \`pulumi refresh\`, and then \`pulumi up\`, to manage it here.`,
    );
  }
  if (isHeldElsewhere(context, projectId, endpointId)) {
    throw invalid(
      `The branch ${branchId} declares \`compute\`, but another stack manages its compute ${endpointId}. Remove \`compute\`, or change it there.`,
    );
  }
}

/**
 * The read-write compute of a branch, if the state may hold it. A compute that this stack did not create enters the
 * state only with a refresh.
 *
 * @param state if it has no time of creation, nothing is known of the branch yet, and any compute is accepted
 */
export async function computeInState(
  context: Context,
  { projectId = "", branchId = "", createdAt, endpointId }: Partial<ComputeState> & { readonly createdAt?: string },
): Promise<Endpoint | undefined> {
  const found = await readWriteEndpoint(context, projectId, branchId);
  return context.isRefresh || createdAt === undefined || found?.id === endpointId ? found : undefined;
}

/** Whether another resource of this run has the compute. */
function isHeldElsewhere(context: Context, projectId: string, endpointId: string): boolean {
  return context.resource.isHeldByOther(computeKey(projectId, endpointId));
}

function computeKey(projectId: string, endpointId: string): ObjectKey {
  return { kind: "Endpoint", id: idOf(projectId, endpointId) };
}

async function createCompute(
  context: Context,
  { projectId, branchId }: BranchAddress,
  declared: Compute,
): Promise<void> {
  const read = (): Promise<Endpoint | undefined> => readWriteEndpoint(context, projectId, branchId);
  const body = computeBody(declared);
  const before = await read();
  let found: Endpoint | undefined;
  const creation = context.change({
    what: "create compute",
    request: endpoints.create(projectId, { branch_id: branchId, type: "read_write", ...body }),
    applies: ["compute"],
    outputs: (answer) => omitUndefined({ endpointId: (answer?.endpoint ?? found)?.id }),
    // Another stack may have created the compute that is found after a lost response.
    done: async () => {
      found = await read();
      if (found === undefined || found.id === before?.id || !contains(found, body)) return false;
      return !isHeldElsewhere(context, projectId, found.id);
    },
  });
  await creation.catch(async (error: unknown) => {
    if (!isConflict(error)) throw error;
    const existing = await read().catch(() => undefined);
    if (existing === undefined) throw error;
    if (isHeldElsewhere(context, projectId, existing.id)) {
      throw explained(
        `The branch ${branchId} already has a read-write compute that another resource manages: ${existing.id}`,
        error,
        "If this change removes that resource, run `pulumi refresh`, and then `pulumi up`. Otherwise declare it in one place only.",
      );
    }
    // A killed `up` or another user may have created it.
    throw explained(
      `The branch ${branchId} already has a read-write compute that is not in the state: ${existing.id}`,
      error,
      "If no other stack manages it, run `pulumi refresh`, and then `pulumi up`, to manage it here.",
    );
  });
}

async function changeCompute(
  context: Context,
  own: ComputeAddress,
  changed: readonly (readonly [member: string, value: unknown])[],
): Promise<void> {
  const { projectId, branchId, endpointId } = own;
  const body: EndpointUpdate = toWire(Object.fromEntries(changed));
  const update = context.change({
    what: "change compute",
    request: endpoints.update(projectId, endpointId, body),
    applies: changed.map(([member]) => `compute.${member}`),
    configures: endpointId,
    beforeResend: () => assertOwn(context, own),
    done: async () => contains(await readEndpoint(context, projectId, endpointId), body),
  });
  await update.catch(async (error: unknown) => {
    if (!isNotFound(error)) throw error;
    // If the branch is gone as well, this read fails, and the lifecycle reports the missing branch.
    const isDeleted = await readWriteEndpoint(context, projectId, branchId).then(
      (existing) => existing?.id !== endpointId,
      () => false,
    );
    if (!isDeleted) throw error;
    // The next `up` creates a compute, but only after a refresh has removed this one from the state.
    throw invalid(`The compute ${endpointId} of branch ${branchId} no longer exists (${summaryOf(error)})`, {
      cause: error,
      retry: "Run `pulumi refresh`, and then `pulumi up`.",
    });
  });
}
