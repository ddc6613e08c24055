// Generated from api/lookups/region.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A region in which projects can be created. */
export interface RegionResult {
  /** Id of the region, such as `aws-eu-central-1`. It is the value of a project's `regionId`. */
  readonly regionId: string;
  /** Display name of the region. */
  readonly name: string;
  /** Whether Neon creates a project without `regionId` in this region. */
  readonly default: boolean;
  /** Approximate latitude in degrees. Empty if unknown. */
  readonly geoLat?: string;
  /** Approximate longitude in degrees. Empty if unknown. */
  readonly geoLong?: string;
}

/** Arguments of `getRegions`. */
export interface GetRegionsArgs {
  /**
   * Organization whose regions to list. Some regions are available to some organizations only. Default: the provider's
   * `orgId`.
   */
  readonly orgId?: string;
}

const getRegionsSource = dataSource<GetRegionsArgs, RegionResult[]>("getRegions");

/**
 * Lists the regions in which projects can be created.
 *
 * Neon API: `GET /regions`.
 *
 * @example
 * ```ts
 * // The region of a project without `regionId`.
 * export const usual = regions.apply((all) => all.find((one) => one.default)?.regionId);
 * ```
 */
export function getRegions(args: GetRegionsArgs = {}, options?: LookupOptions) {
  return getRegionsSource.invoke(args, options);
}

/**
 * Output form of {@link getRegions}: the arguments can be outputs.
 *
 * @example
 * ```ts
 * const regions = neon.getRegionsOutput();
 * export const europe = regions.apply((all) => all.filter(({ regionId }) => regionId.startsWith("aws-eu-")));
 * ```
 */
export function getRegionsOutput(args: Inputs<GetRegionsArgs> = {}, options?: LookupOptions) {
  return getRegionsSource.output(args, options);
}
