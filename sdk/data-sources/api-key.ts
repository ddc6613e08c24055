import type * as pulumi from "@pulumi/pulumi";

import { type ApiKey, apiKeys, organizationApiKeys } from "../../api/schemas/api-key";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";

/** An access key, as the platform lists it: never its secret. When it was used last moves by itself and is left out. */
export interface ApiKeyResult {
  /** The key's number. */
  readonly id: number;
  /** The key's name; names are not unique. */
  readonly name: string;
  /** When it was made; ISO 8601 in UTC. */
  readonly createdAt: string;
  /** The id of the user who made it. */
  readonly createdBy?: string;
  /** The only project that it reaches; left out of keys that reach more. */
  readonly projectId?: string;
}

/** Which keys to list. */
export interface GetApiKeysArgs {
  /**
   * The organization whose keys to list, those for single projects included. Default: the personal keys of the user whose
   * key asks, whatever `neon:orgId` says.
   */
  readonly orgId?: string;
}

/**
 * The valid access keys of the user whose key asks, or of an organization. A failure is an error, never an empty list.
 *
 * @example
 * ```ts
 * const mine = await neon.getApiKeys();
 * const theirs = await neon.getApiKeys({ orgId: "org-quiet-river-302709" });
 * ```
 */
export function getApiKeys(args: GetApiKeysArgs = {}, options?: LookupOptions): Promise<ApiKeyResult[]> {
  return look(options, async ({ client }) => {
    const found = await client.send(args.orgId === undefined ? apiKeys.list() : organizationApiKeys.list(args.orgId));
    return found.map(apiKeyResult);
  });
}

/** {@link getApiKeys} for arguments that are outputs. */
export function getApiKeysOutput(
  args: Inputs<GetApiKeysArgs> = {},
  options?: LookupOptions,
): pulumi.Output<ApiKeyResult[]> {
  return lookOutput(args, options, getApiKeys);
}

function apiKeyResult({ created_by, ...key }: ApiKey): ApiKeyResult {
  return known<ApiKeyResult>(
    { ...key, ...(created_by === undefined ? {} : { created_by: created_by.id }) },
    { id: true, name: true, createdAt: true, createdBy: true, projectId: true },
  );
}
