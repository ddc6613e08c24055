import { z } from "zod";

import type { NeonClient } from "../client";
import { lazy } from "../core/lazy";
import { type Credential, credentials } from "../schemas/credential";
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
  read: async ({ client }, { projectId, branchId }) =>
    (await validCredentials(client, projectId, branchId)).map((one) => ({
      ...one,
      expires_at: one.expires_at ?? undefined,
    })),
}));

/** The credentials of a branch that are neither revoked nor expired. */
export async function validCredentials(
  client: NeonClient,
  projectId: string,
  branchId: string,
): Promise<readonly Credential[]> {
  const all = (await client.send(credentials.list(projectId, branchId))).credentials;
  // The platform judges by its own time.
  const now = client.serverClock.now().getTime();
  return all.filter(({ revoked_at: revoked, expires_at: end }) => !revoked && (!end || Date.parse(end) > now));
}
