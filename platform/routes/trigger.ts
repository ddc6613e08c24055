import { z } from "zod";

import { badRequest } from "../http-error";
import { branchMember } from "../http/authorization";
import { noContent } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import {
  createTrigger,
  deleteTrigger,
  getTrigger,
  listTriggers,
  triggerResponse,
  updateTrigger,
} from "../model/branches/trigger";

const triggers = "/projects/:project_id/branches/:branch_id/triggers";

const members = {
  type: z.enum(["schedule", "storage_object_created"]),
  function_slug: z.string(),
  name: z.string().min(1).max(256),
  function_path: z.string().min(1).max(2048).exactOptional(),
  schedule: z.object({ cron: z.string() }).exactOptional(),
  storage_object_created: z.object({ bucket_name: z.string().min(1), prefix: z.string().optional() }).exactOptional(),
  enabled: z.boolean().exactOptional(),
};

type Requested = Readonly<Record<string, unknown>>;

/** A type decides which other members there are. Unlike elsewhere, one that is not known is an error. */
const ofOneType = z.looseObject({}).superRefine((value: Requested, context) => {
  const problem = requestProblem(value);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem, continue: false });
});

function requestProblem(value: Requested): string | undefined {
  if (typeof value["type"] !== "string") return "unable to detect sum type variant";
  const unknown = Object.keys(value).find((name) => !(name in members));
  if (unknown !== undefined) return `unexpected field "${unknown}"`;
  const storage = value["storage_object_created"];
  const lacksBucket = typeof storage === "object" && storage !== null && !("bucket_name" in storage);
  return lacksBucket ? "bucket_name (field required)" : undefined;
}

const created = ofOneType.pipe(z.object(members));
const changed = ofOneType.pipe(
  z.object({ ...members, function_slug: members.function_slug.exactOptional(), name: members.name.exactOptional() }),
);

/** Only the newer of the two published documents has these. */
export const triggerPaths: ApiPaths = {
  [triggers]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      triggers: listTriggers(controlPlane, branch).map(triggerResponse),
    })),
    POST: allow(
      { ...branchMember, status: 201, operationId: "createProjectBranchTrigger", body: created },
      ({ controlPlane, branch, body }) => {
        if (body[body.type] === undefined) throw badRequest(`invalid: ${body.type} (field required)`);
        return { trigger: triggerResponse(createTrigger(controlPlane, branch, body)) };
      },
    ),
  },
  [`${triggers}/:trigger_id`]: {
    GET: allow(branchMember, ({ controlPlane, branch, parameter }) => ({
      trigger: triggerResponse(getTrigger(controlPlane, branch, parameter("trigger_id"))),
    })),
    PATCH: allow(
      { ...branchMember, operationId: "updateProjectBranchTrigger", body: changed },
      ({ controlPlane, branch, parameter, body }) => ({
        trigger: triggerResponse(updateTrigger(controlPlane, branch, parameter("trigger_id"), body)),
      }),
    ),
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      deleteTrigger(controlPlane, branch, parameter("trigger_id"));
      return noContent;
    }),
  },
};
