import { z } from "zod";

import type { NeonClient } from "../client";
import { credential, type Credential, credentials, isValidCredential } from "../schemas/credential";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The valid credentials of a branch, without their secrets. */
export const getCredentials = lookup("getCredentials", () => ({
  args: ofBranch,
  result: z.array(
    resultOf(
      credential.omit({ last_used_at: true, revoked_at: true }),
      "CredentialResult",
      "A credential of a branch, without its secrets.",
    ),
  ),
  list: "credentials",
  read: ({ client }, { projectId, branchId }) => validCredentials(client, projectId, branchId),
}));

/** The credentials of a branch that are neither revoked nor expired. */
export async function validCredentials(client: NeonClient, projectId: string, branchId: string): Promise<Credential[]> {
  const all = (await client.send(credentials.list(projectId, branchId))).credentials;
  // Expiration is a matter of the platform's clock.
  const now = client.serverClock.now();
  return all.filter((one) => isValidCredential(one, now));
}
