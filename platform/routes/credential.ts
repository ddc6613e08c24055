import { branchMember } from "../http/authorization";
import { noContent } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import {
  issueCredential,
  listCredentials,
  revealCredential,
  revokeCredential,
  rotateCredential,
} from "../model/branches/credential";
import * as published from "../published/requests";

const credentials = "/projects/:project_id/branches/:branch_id/credentials";

export const credentialPaths: ApiPaths = {
  [credentials]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({ credentials: listCredentials(controlPlane, branch) })),
    POST: allow({ ...branchMember, status: 201, ...published.createCredential }, ({ controlPlane, branch, body }) =>
      issueCredential(controlPlane, branch, body),
    ),
  },
  [`${credentials}/:token_id`]: {
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      revokeCredential(controlPlane, branch, parameter("token_id"));
      return noContent;
    }),
  },
  [`${credentials}/:token_id/reveal`]: {
    POST: allow(branchMember, ({ controlPlane, branch, parameter }) =>
      revealCredential(controlPlane, branch, parameter("token_id")),
    ),
  },
  [`${credentials}/:token_id/rotate`]: {
    POST: allow(branchMember, ({ controlPlane, branch, parameter }) =>
      rotateCredential(controlPlane, branch, parameter("token_id")),
    ),
  },
};
