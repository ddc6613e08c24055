import { branchMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { createDataApi, dataApiResponse, deleteDataApi, getServed, updateDataApi } from "../model/branches/data-api";
import { requireKeySet } from "../model/branches/key-set";
import type { ControlPlane } from "../model/control-plane";
import * as published from "../published/requests";

/** An invalid body is rejected afterwards. */
async function checkKeySet(controlPlane: ControlPlane, body: unknown): Promise<void> {
  const url = published.createProjectBranchDataAPI.body.safeParse(body).data?.jwks_url;
  if (url !== undefined) await requireKeySet(controlPlane, { jwks_url: url });
}

const database = "database_name";

export const dataApiPaths: ApiPaths = {
  [`/projects/:project_id/branches/:branch_id/data-api/:${database}`]: {
    GET: allow(branchMember, ({ controlPlane, project, branch, parameter }) =>
      dataApiResponse(project, getServed(controlPlane, branch, parameter(database))),
    ),
    POST: allow(
      { ...branchMember, status: 201, ...published.createProjectBranchDataAPI, check: checkKeySet },
      ({ controlPlane, project, branch, parameter, body }) =>
        createDataApi(controlPlane, project, branch, parameter(database), body),
    ),
    PATCH: allow(
      { ...branchMember, status: 201, ...published.updateProjectBranchDataAPI },
      ({ controlPlane, branch, parameter, body }) => {
        updateDataApi(controlPlane, getServed(controlPlane, branch, parameter(database)), body.settings);
        return {};
      },
    ),
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      deleteDataApi(controlPlane, getServed(controlPlane, branch, parameter(database)));
      return {};
    }),
  },
};
