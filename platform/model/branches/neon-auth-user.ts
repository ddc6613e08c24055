import { randomUUID } from "node:crypto";

import { conflict } from "../../http-error";
import * as published from "../../published/requests";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths, noContent } from "../routing/route";
import type { BranchRow } from "./branch-row";
import { authPath, getNeonAuth } from "./neon-auth";

/** A user of an application, who signs in with Neon Auth. */
export interface NeonAuthUserRow {
  id: string;
  project_id: string;
  branch_id: string;
  /** In lower case. */
  email: string;
  name?: string | undefined;
  roles: readonly string[];
}

export const neonAuthUserTable: RowTable<NeonAuthUserRow> = {
  name: "neon_auth_users",
  within: "branch",
  branching: { on: ["branch"], copy: (row) => row },
  primaryKey: ["branch_id", "id"],
  indexes: ["project_id", "branch_id, email"],
};

const users = `${authPath}/users`;

export const neonAuthUserPaths: ApiPaths = {
  [users]: {
    POST: allow(
      { ...branchMember, status: 201, ...published.createBranchNeonAuthNewUser },
      ({ controlPlane, branch, body: { email, name } }) => {
        const { neonAuthUsers } = controlPlane.tables;
        const { branch_id, project_id } = getNeonAuth(controlPlane, branch);
        const address = email.toLowerCase();
        if (neonAuthUsers.get({ branch_id, email: address })) {
          throw conflict("a user with this e-mail address already exists");
        }
        const id = randomUUID();
        neonAuthUsers.put({ id, project_id, branch_id, email: address, name, roles: [] });
        return { id };
      },
    ),
  },
  [`${users}/:auth_user_id`]: {
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      controlPlane.tables.neonAuthUsers.remove(getAuthUser(controlPlane, branch, parameter("auth_user_id")));
      return noContent;
    }),
  },
  [`${users}/:auth_user_id/role`]: {
    PUT: allow(
      { ...branchMember, ...published.updateNeonAuthUserRole },
      ({ controlPlane, branch, body: { roles }, parameter }) => {
        const user = getAuthUser(controlPlane, branch, parameter("auth_user_id"));
        controlPlane.tables.neonAuthUsers.put({ ...user, roles });
        return { id: user.id };
      },
    ),
  },
};

function getAuthUser(controlPlane: ControlPlane, branch: BranchRow, id: string): NeonAuthUserRow {
  getNeonAuth(controlPlane, branch);
  return controlPlane.tables.neonAuthUsers.getOr404("user", { id, branch_id: branch.id });
}
