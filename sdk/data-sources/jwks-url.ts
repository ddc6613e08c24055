import type * as pulumi from "@pulumi/pulumi";

import { jwksUrls } from "../../api/schemas/jwks-url";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";
import { assertNeeded } from "../required-arguments";

/** Where keys are by which a project checks tokens. */
export interface JwksUrlResult {
  /** The id of this JWKS URL. */
  readonly id: string;
  /** The project whose tokens are checked. */
  readonly projectId: string;
  /** The branch it holds for; left out: all of them. */
  readonly branchId?: string;
  /** Where the keys are. */
  readonly jwksUrl: string;
  /** Who issues the tokens. */
  readonly providerName: string;
  /** The audience that tokens must be for. */
  readonly jwtAudience?: string;
  /** The roles that tokens give. */
  readonly roleNames?: readonly string[];
  /** When it was added; ISO 8601 in UTC. */
  readonly createdAt: string;
}

/** Which JWKS URLs to list. */
export interface GetJwksArgs {
  /** The project whose JWKS URLs to list. */
  readonly projectId: string;
}

/**
 * All addresses of keys by which a project checks tokens.
 *
 * @example
 * ```ts
 * const issuers = (await neon.getJwks({ projectId: "spring-example-302709" })).map(({ providerName }) => providerName);
 * ```
 */
export function getJwks(args: GetJwksArgs, options?: LookupOptions): Promise<JwksUrlResult[]> {
  return look(options, async ({ client }) => {
    assertNeeded("getJwks", args, "projectId");
    const { jwks } = await client.send(jwksUrls.list(args.projectId));
    return jwks.map((one) =>
      known<JwksUrlResult>(one, {
        id: true,
        projectId: true,
        branchId: true,
        jwksUrl: true,
        providerName: true,
        jwtAudience: true,
        roleNames: true,
        createdAt: true,
      }),
    );
  });
}

/** {@link getJwks} for arguments that are outputs. */
export function getJwksOutput(args: Inputs<GetJwksArgs>, options?: LookupOptions): pulumi.Output<JwksUrlResult[]> {
  return lookOutput(args, options, getJwks);
}
