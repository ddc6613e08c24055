// Generated from api/lookups/api-key.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** An API key without its secret, which Neon returns only when the key is created. */
export interface ApiKeyResult {
  /** Numeric id of the key. */
  readonly id: number;
  /** Name of the key. Names are not unique. */
  readonly name: string;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Id of the only project that the key can access. Absent if it can access all projects. */
  readonly projectId?: string;
  /** Id of the user who created the key. */
  readonly createdBy?: string;
}

/** Arguments of `getApiKeys`. */
export interface GetApiKeysArgs {
  /**
   * Organization whose keys to list, including keys limited to a single project. Default: the personal keys of the user
   * who owns the API key in use. The provider's `orgId` is not used.
   */
  readonly orgId?: string;
}

const getApiKeysSource = dataSource<GetApiKeysArgs, ApiKeyResult[]>("getApiKeys");

/**
 * Lists the API keys of the current user or of an organization. Revoked keys are not included.
 *
 * Fails if the API key in use is not allowed to list these keys.
 *
 * Neon API: `GET /api_keys`, `GET /organizations/{org_id}/api_keys`.
 *
 * @example
 * ```ts
 * export const mine = neon.getApiKeysOutput();
 * export const theirs = neon.getApiKeysOutput({ orgId: "org-quiet-river-302709" });
 * ```
 */
export function getApiKeys(args: GetApiKeysArgs = {}, options?: LookupOptions) {
  return getApiKeysSource.invoke(args, options);
}

/** Output form of {@link getApiKeys}: the arguments can be outputs. */
export function getApiKeysOutput(args: Inputs<GetApiKeysArgs> = {}, options?: LookupOptions) {
  return getApiKeysSource.output(args, options);
}
