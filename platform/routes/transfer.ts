import { accountKey, organizationAdmin, personalKey, projectOwner } from "../http/authorization";
import { noContent } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import { organizationAsOwner, userAsOwner } from "../model/accounts/owner";
import { acceptTransfer, createTransferRequest, transferProjects } from "../model/projects/transfer";
import { transferRequestTable } from "../model/projects/transfer-row";
import * as published from "../published/requests";
import { publicMembers } from "../storage/table";

export const transferPaths: ApiPaths = {
  "/projects/:project_id/transfer_requests": {
    POST: allow(
      { ...projectOwner, status: 201, ...published.createProjectTransferRequest },
      ({ controlPlane, project, body }) =>
        publicMembers(transferRequestTable, createTransferRequest(controlPlane, project, body.ttl_seconds)),
    ),
  },
  "/projects/:project_id/transfer_requests/:request_id": {
    PUT: allow(
      // The caller cannot see the project yet: knowing the id of the request is enough.
      { ...accountKey, ...published.acceptProjectTransferRequest },
      ({ controlPlane, caller, parameter, body }) => {
        const request = { projectId: parameter("project_id"), requestId: parameter("request_id") };
        acceptTransfer(controlPlane, caller, request, body.org_id);
        return noContent;
      },
    ),
  },
  "/organizations/:org_id/projects/transfer": {
    POST: allow(
      { ...organizationAdmin, ...published.transferProjectsFromOrgToOrg },
      ({ controlPlane, caller, organization, body }) => {
        transferProjects(controlPlane, caller, organizationAsOwner(organization), body);
        return {};
      },
    ),
  },
  "/users/me/projects/transfer": {
    POST: allow({ ...personalKey, ...published.transferProjectsFromUserToOrg }, ({ controlPlane, caller, body }) => {
      transferProjects(controlPlane, caller, userAsOwner(controlPlane, caller.user), body);
      return {};
    }),
  },
};
