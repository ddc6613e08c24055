import { z } from "zod";

import { HttpError, PlatformError } from "../../api/errors";
import { organizations } from "../../api/schemas/organization";
import {
  vpcEndpointAssignment as assignmentBody,
  vpcEndpointAssignments,
  type VpcEndpointDetails,
} from "../../api/schemas/vpc-endpoint";
import { objectId, platformId } from "../../api/schemas/wire";
import type { Context } from "../kind/context";
import { adoptedSegment, identifiedBy } from "../kind/id";
import type { Kind } from "../kind/kind";
import { AlreadyThereError } from "../kind/mutation";
import { adopt } from "./shared/adopt";
import { deleteObject, present } from "./shared/delete";
import { invisible, organizationOf } from "./shared/organization";

const inputs = z.strictObject({
  orgId: platformId.optional(),
  regionId: objectId,
  vpcEndpointId: objectId,
  ...assignmentBody.shape,
  adopt: adopt.optional(),
});
/** What a program declares of an assignment. */
export type VpcEndpointAssignmentInputs = z.infer<typeof inputs>;

/** What there is to know of an assignment. */
export interface VpcEndpointAssignmentOutputs extends Omit<VpcEndpointAssignmentInputs, "adopt" | "orgId"> {
  readonly orgId: string;
}

type Address = Pick<VpcEndpointAssignmentOutputs, "orgId" | "regionId" | "vpcEndpointId">;

/** A VPC endpoint that is an organization's to restrict its projects to. */
export const vpcEndpointAssignment: Kind<VpcEndpointAssignmentInputs, VpcEndpointAssignmentOutputs> = {
  name: "VpcEndpointAssignment",
  noun: "VPC endpoint assignment",
  version: 1,
  inputs,
  rules: {
    orgId: { onChange: "replace", unset: "orgId" },
    regionId: { onChange: "replace" },
    vpcEndpointId: { onChange: "replace" },
  },
  controls: ["adopt"],
  secrets: [],
  uniqueBy: ["orgId", "regionId", "vpcEndpointId"],
  onlyOnce: true,
  lossOnReplace: "The old VPC endpoint can never be assigned to its organization again, not even by going back.",
  ...identifiedBy("orgId", "regionId", "vpcEndpointId"),

  create: async (context, declared) => {
    const address = addressOf(context, declared);
    const { orgId, regionId, vpcEndpointId } = address;
    // The platform would give an existing one this label and say nothing.
    if ((await readDetails(context, address)) !== undefined) {
      throw new AlreadyThereError(`${vpcEndpointId} is assigned to organization ${orgId}.`);
    }
    return context
      .create({
        what: `assign ${vpcEndpointId}`,
        request: () => vpcEndpointAssignments.set(orgId, regionId, vpcEndpointId, declared.label),
        repeatable: true,
        record: () => ({
          id: vpcEndpointAssignment.id(address),
          outputs: { ...address, label: declared.label },
        }),
      })
      .catch((error: unknown) => {
        throw deletedExplained(address, error);
      });
  },

  read: async (context, { orgId = "", regionId = "", vpcEndpointId = "" }) => {
    const address = { orgId, regionId, vpcEndpointId };
    const found = await readDetails(context, address);
    return found && { ...address, label: found.label };
  },

  update: async (context, { orgId, regionId, vpcEndpointId }, { label }, changes) => {
    if (!changes.has("label")) return;
    await context.change({
      what: `label ${vpcEndpointId}`,
      project: undefined,
      request: vpcEndpointAssignments.set(orgId, regionId, vpcEndpointId, label),
      applies: ["label"],
      done: async () => (await readDetails(context, { orgId, regionId, vpcEndpointId }))?.label === label,
      silent: true,
    });
  },

  remove: async (context, { orgId, regionId, vpcEndpointId }) => {
    await deleteObject(context, {
      object: `assignment of ${vpcEndpointId} to the organization`,
      project: undefined,
      request: vpcEndpointAssignments.delete(orgId, regionId, vpcEndpointId),
      silent: true,
      isThere: async () => (await readDetails(context, { orgId, regionId, vpcEndpointId })) !== undefined,
    });
  },

  find: async (context, declared, id) => {
    const { orgId, regionId, vpcEndpointId } = addressOf(context, declared);
    if (id !== undefined) return { orgId, regionId, vpcEndpointId: adoptedSegment(id, orgId, regionId) };
    const found = await readDetails(context, { orgId, regionId, vpcEndpointId });
    return found && { orgId, regionId, vpcEndpointId };
  },

  recovery: {
    by: "naturalKey",
    list: async (context, declared) => {
      const address = addressOf(context, declared);
      return (await readDetails(context, address)) === undefined ? [] : [address];
    },
  },
};

function addressOf(context: Context, { orgId, regionId, vpcEndpointId }: VpcEndpointAssignmentInputs): Address {
  return { orgId: organizationOf(context, orgId), regionId, vpcEndpointId };
}

/** An assigned VPC endpoint; it is missing only if the organization is there to say so. */
async function readDetails(
  context: Context,
  { orgId, regionId, vpcEndpointId }: Address,
): Promise<VpcEndpointDetails | undefined> {
  const found = await present(context.read(vpcEndpointAssignments.get(orgId, regionId, vpcEndpointId)));
  if (found !== undefined) return found;
  await context.read(organizations.get(orgId)).catch(async (error: unknown) => {
    throw await invisible(context, orgId, error);
  });
  return undefined;
}

/** The platform does not say why it refuses one that was deleted before in the same words as anything else. */
function deletedExplained({ orgId, vpcEndpointId }: Address, error: unknown): unknown {
  if (!HttpError.isInstance(error) || ![400, 409, 410, 412, 422].includes(error.status)) return error;
  return new PlatformError(
    "invalid",
    `${vpcEndpointId} was not assigned to organization ${orgId}. A VPC endpoint that was deleted from an organization can never be added to it again: if this one was, make another VPC endpoint and declare that. (${error.summary})`,
    error,
  );
}
