import { z } from "zod";

import { lazy } from "../core/lazy";
import { credentials } from "../schemas/credential";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

const result = lazy(() =>
  z
    .strictObject({
      tokenId: z.string().describe("Id of the credential; the access key id for S3."),
      name: z.string().optional().describe("Name of the credential. Names are not unique."),
      scopes: z.array(z.string()).describe("What the credential allows."),
      createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
      expiresAt: z.string().optional().describe("Time at which it expires (ISO 8601, UTC). Absent: never."),
    })
    .meta({ title: "CredentialResult", description: "A credential of a branch, without its secrets." }),
);

/** The valid credentials of a branch, without their secrets. */
export const getCredentials = lookup("getCredentials", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch whose credentials to list."),
  },
  result: z.array(result()),
  list: "credentials",
  read: async ({ client }, { projectId, branchId }) => {
    const all = (await client.send(credentials.list(projectId, branchId))).credentials;
    return all
      .filter(({ revoked_at }) => (revoked_at ?? undefined) === undefined)
      .map((one) => ({ ...one, expires_at: one.expires_at ?? undefined }));
  },
}));
