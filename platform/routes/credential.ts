import { credentialCreate } from "../../api/schemas/credential";
import { branchMember } from "../http/authorization";
import { noContent } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import { issueCredential, listCredentials, revokeCredential } from "../model/branches/credential";

export const credentialPaths: ApiPaths = {
  "/projects/:project_id/branches/:branch_id/credentials": {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({ credentials: listCredentials(controlPlane, branch) })),
    POST: allow({ ...branchMember, status: 201, body: credentialCreate }, ({ controlPlane, branch, body }) =>
      issueCredential(controlPlane, branch, body),
    ),
  },
  "/projects/:project_id/branches/:branch_id/credentials/:token_id": {
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      revokeCredential(controlPlane, branch, parameter("token_id"));
      return noContent;
    }),
  },
};
