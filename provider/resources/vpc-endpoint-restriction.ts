import { z } from "zod";

import { HttpError, PlatformError } from "../../api/errors";
import { type VpcEndpoint, vpcEndpointAssignment, vpcEndpointRestrictions } from "../../api/schemas/vpc-endpoint";
import { objectId } from "../../api/schemas/wire";
import type { Context } from "../kind/context";
import { adoptedSegment, identifiedBy, idOf } from "../kind/id";
import type { Kind } from "../kind/kind";
import { AlreadyThereError } from "../kind/mutation";
import { adopt } from "./shared/adopt";
import { deleteObject, present } from "./shared/delete";

const inputs = z.strictObject({
  projectId: objectId,
  vpcEndpointId: objectId,
  ...vpcEndpointAssignment.shape,
  adopt: adopt.optional(),
});
/** What a program declares of a restriction. */
export type VpcEndpointRestrictionInputs = z.infer<typeof inputs>;

/** What there is to know of a restriction. */
export type VpcEndpointRestrictionOutputs = Omit<VpcEndpointRestrictionInputs, "adopt">;

/** A VPC endpoint through which a project can be reached, and no longer from elsewhere. */
export const vpcEndpointRestriction: Kind<VpcEndpointRestrictionInputs, VpcEndpointRestrictionOutputs> = {
  name: "VpcEndpointRestriction",
  noun: "VPC endpoint restriction",
  version: 1,
  inputs,
  rules: { projectId: { onChange: "replace" }, vpcEndpointId: { onChange: "replace" } },
  controls: ["adopt"],
  secrets: [],
  uniqueBy: ["projectId", "vpcEndpointId"],
  ...identifiedBy("projectId", "vpcEndpointId"),

  create: async (context, { projectId, vpcEndpointId, label }) => {
    // The platform would give an existing one this label and say nothing.
    if ((await readRestriction(context, projectId, vpcEndpointId)) !== undefined) {
      throw new AlreadyThereError(`Project ${projectId} is restricted to ${vpcEndpointId}.`);
    }
    return context
      .create({
        what: `restrict the project to ${vpcEndpointId}`,
        request: () => vpcEndpointRestrictions.set(projectId, vpcEndpointId, label),
        repeatable: true,
        record: () => ({ id: idOf(projectId, vpcEndpointId), outputs: { projectId, vpcEndpointId, label } }),
      })
      .catch((error: unknown) => {
        throw unassignedExplained(vpcEndpointId, error);
      });
  },

  read: async (context, { projectId = "", vpcEndpointId = "" }) => {
    const found = await readRestriction(context, projectId, vpcEndpointId);
    return found && { projectId, vpcEndpointId, label: found.label };
  },

  update: async (context, { projectId, vpcEndpointId }, { label }, changes) => {
    if (!changes.has("label")) return;
    await context.change({
      what: `label the restriction to ${vpcEndpointId}`,
      project: projectId,
      request: vpcEndpointRestrictions.set(projectId, vpcEndpointId, label),
      applies: ["label"],
      done: async () => (await readRestriction(context, projectId, vpcEndpointId))?.label === label,
      silent: true,
    });
  },

  remove: async (context, { projectId, vpcEndpointId }) => {
    await deleteObject(context, {
      object: `restriction to ${vpcEndpointId}`,
      what: `lift the restriction to ${vpcEndpointId}`,
      project: projectId,
      request: vpcEndpointRestrictions.delete(projectId, vpcEndpointId),
      silent: true,
      isThere: async () => (await readRestriction(context, projectId, vpcEndpointId)) !== undefined,
    });
  },

  find: async (context, { projectId, vpcEndpointId }, id) => {
    if (id !== undefined) return { projectId, vpcEndpointId: adoptedSegment(id, projectId) };
    const found = await readRestriction(context, projectId, vpcEndpointId);
    return found && { projectId, vpcEndpointId };
  },

  recovery: {
    by: "naturalKey",
    list: async (context, { projectId, vpcEndpointId }) => {
      const found = await readRestriction(context, projectId, vpcEndpointId);
      return found === undefined ? [] : [{ projectId, vpcEndpointId }];
    },
  },
};

/** The project's restriction to a VPC endpoint, if both are there. */
async function readRestriction(
  context: Context,
  projectId: string,
  vpcEndpointId: string,
): Promise<VpcEndpoint | undefined> {
  const answer = await present(context.read(vpcEndpointRestrictions.list(projectId)));
  return answer?.endpoints.find(({ vpc_endpoint_id }) => vpc_endpoint_id === vpcEndpointId);
}

/** A project can be restricted only to what is its organization's. */
function unassignedExplained(vpcEndpointId: string, error: unknown): unknown {
  if (!HttpError.isInstance(error) || ![400, 404, 409, 412, 422].includes(error.status)) return error;
  return new PlatformError(
    "invalid",
    `The project was not restricted to ${vpcEndpointId}. A VPC endpoint has to be assigned to the project's organization first: declare a VpcEndpointAssignment for it, and use its vpcEndpointId here, so that it is made before. (${error.summary})`,
    error,
  );
}
