import { z } from "zod";

import { branchMember } from "../http/authorization";
import { noContent } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import { cursorOf, formatCursor } from "../http/validation";
import {
  deleteFunction,
  deployFunction,
  functionResponse,
  getFunction,
  listFunctions,
  renameFunction,
} from "../model/branches/function";
import { deploymentResponse } from "../model/branches/function-deployment";
import * as published from "../published/requests";

const functions = "/projects/:project_id/branches/:branch_id/functions";
const defaultPageSize = 100;

/** The map of texts in a text. */
const environment = z.string().transform((text, context) => {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch {
    context.addIssue("must be a JSON object of names and texts");
    return z.NEVER;
  }
});

const deployment = z.object({
  zip: z.instanceof(Uint8Array, { error: "must be a file" }).optional(),
  runtime: z.enum(["nodejs24"]).optional(),
  environment: environment.optional(),
});

const { query } = published.listProjectBranchFunctions;
const page = query.extend({ cursor: cursorOf(z.string(), "functions").default("") });

export const functionPaths: ApiPaths = {
  [functions]: {
    GET: allow(
      { ...branchMember, query: page },
      ({ controlPlane, branch, query: { cursor, limit = defaultPageSize } }) => {
        const rows = listFunctions(controlPlane, branch, cursor, limit + 1);
        const last = rows.length > limit ? rows[limit - 1] : undefined;
        return {
          functions: rows.slice(0, limit).map((row) => functionResponse(controlPlane, row)),
          pagination: last && { next: formatCursor(last.slug) },
        };
      },
    ),
  },
  [`${functions}/:slug`]: {
    GET: allow(branchMember, ({ controlPlane, branch, parameter }) => ({
      function: functionResponse(controlPlane, getFunction(controlPlane, branch, parameter("slug"))),
    })),
    PATCH: allow(
      { ...branchMember, ...published.updateProjectBranchFunction },
      ({ controlPlane, branch, parameter, body }) => ({
        function: functionResponse(controlPlane, renameFunction(controlPlane, branch, parameter("slug"), body.name)),
      }),
    ),
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      deleteFunction(controlPlane, branch, parameter("slug"));
      return noContent;
    }),
  },
  [`${functions}/:slug/deployments`]: {
    POST: allow(
      {
        ...branchMember,
        status: 201,
        operationId: "createProjectBranchFunctionDeployment",
        bodyKind: "form",
        body: deployment,
      },
      ({ controlPlane, branch, parameter, body }) => ({
        deployment: deploymentResponse(deployFunction(controlPlane, branch, parameter("slug"), body)),
      }),
    ),
  },
};
