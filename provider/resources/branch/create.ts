import { z } from "zod";

import { toWire } from "../../../api/core/camel-case";
import { camelShape } from "../../../api/core/camel-shape";
import { branchCreate, type BranchCreateBody, branches } from "../../../api/schemas/branch";
import { masking } from "../../../api/schemas/masking";
import { snapshots } from "../../../api/schemas/snapshot";
import { type Creation, creation } from "../../kind/creation";
import { omitUndefined } from "../../values";
import { createdConnection } from "../compute/connection";
import { computeBody, computeOutputs } from "../compute/inputs";
import { answeredCompute } from "../compute/read";
import type { BranchInputs } from "./inputs";
import { branchOutputs, type BranchOutputs } from "./outputs";
import { expiryOf, givenLife } from "./ttl";

/** The creation of a branch, as a copy of its parent or from a snapshot. */
export function createBranch({ snapshotId, ...declared }: BranchInputs): Creation<BranchOutputs> {
  if (snapshotId !== undefined) return restoredFrom(snapshotId, declared);
  return creation({
    what: "create branch",
    request: (tag, now) => createRequest(declared, tag, now),
    repeatable: true,
    outputs: (answer) => {
      const endpoint = answer.endpoints.find(({ type }) => type === "read_write");
      return {
        ...branchOutputs({ branch: answer.branch, annotations: declared.annotations ?? {} }),
        ...givenLife(answer.branch, declared),
        ...omitUndefined({ maskingRules: declared.maskingRules }),
        ...omitUndefined({ compute: endpoint && computeOutputs(endpoint) }),
        ...createdConnection(endpoint, answer.connection_uris?.[0], answer),
      };
    },
    answers: (answer) => answeredCompute(answer.branch, answer.endpoints),
    leaves: ["default"],
  });
}

/**
 * The creation of a branch from a snapshot. The request carries no annotations. After a lost response, the created
 * branch is identified by its name, its snapshot and its time of creation. The branch comes with a compute of the
 * project's default size, which is then changed to the declared size.
 */
function restoredFrom(
  snapshotId: string,
  { projectId, name }: Omit<BranchInputs, "snapshotId">,
): Creation<BranchOutputs> {
  return creation({
    what: "restore snapshot as a branch",
    request: snapshots.restore(projectId, snapshotId, omitUndefined({ name })),
    repeatable: true,
    outputs: ({ branch: restored, endpoints }) => {
      const endpoint = endpoints.find(({ type }) => type === "read_write");
      return {
        ...branchOutputs({ branch: restored, annotations: {} }),
        ...omitUndefined({ compute: endpoint && computeOutputs(endpoint), endpointId: endpoint?.id }),
      };
    },
    answers: (answer) => answeredCompute(answer.branch, answer.endpoints),
    leaves: ["protected", "expiresAt", "ttl", "compute", "default"],
  });
}

/** The inputs that are members of the branch itself in a create request. */
const branchMembers = z.object(camelShape(branchCreate.shape));

function createRequest(declared: BranchInputs, tag: Readonly<Record<string, string>>, now: Date) {
  const { projectId, maskingRules: rules } = declared;
  const { annotation_value, ...body } = createBody(declared, tag, now);
  if (rules === undefined) return branches.create(projectId, { ...body, annotation_value });
  return masking.create(projectId, {
    branch_create: body,
    annotation_value,
    masking_rules: toWire(rules.map(omitUndefined)),
    start_anonymization: true,
  });
}

function createBody(declared: BranchInputs, tag: Readonly<Record<string, string>>, now: Date): BranchCreateBody {
  const { annotations, compute: declaredCompute } = declared;
  const members = { ...branchMembers.parse(declared), expiresAt: expiryOf(declared, now) };
  return {
    branch: toWire(omitUndefined(members)),
    ...(declaredCompute === undefined ? {} : { endpoints: [{ type: "read_write", ...computeBody(declaredCompute) }] }),
    annotation_value: { ...annotations, ...tag },
  };
}
