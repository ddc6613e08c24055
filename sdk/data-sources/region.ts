import type * as pulumi from "@pulumi/pulumi";

import { type Region, regions } from "../../api/schemas/region";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";

/** A place where projects can be. */
export interface RegionResult {
  /** The region's id, such as `aws-eu-central-1`, as a project's `regionId` takes it. */
  readonly regionId: string;
  /** What people call it. */
  readonly name: string;
  /** Whether a project that names no region is made there. */
  readonly default: boolean;
  /** Roughly where it is: degrees of latitude, empty if unknown. */
  readonly geoLat?: string;
  /** Roughly where it is: degrees of longitude, empty if unknown. */
  readonly geoLong?: string;
}

/** Whose regions to list. */
export interface GetRegionsArgs {
  /** The organization that is to use them: not every region is open to every one. Default: `neon:orgId`. */
  readonly orgId?: string;
}

/**
 * The regions in which projects can be made.
 *
 * @example
 * ```ts
 * const europe = (await neon.getRegions()).filter(({ regionId }) => regionId.startsWith("aws-eu-"));
 * ```
 */
export function getRegions(args: GetRegionsArgs = {}, options?: LookupOptions): Promise<RegionResult[]> {
  return look(options, async ({ client, orgId }) => {
    const answer = await client.send(regions.list(args.orgId ?? orgId));
    return answer.regions.map(regionResult);
  });
}

/** {@link getRegions} for arguments that are outputs. */
export function getRegionsOutput(
  args: Inputs<GetRegionsArgs> = {},
  options?: LookupOptions,
): pulumi.Output<RegionResult[]> {
  return lookOutput(args, options, getRegions);
}

function regionResult(region: Region): RegionResult {
  return known<RegionResult>(region, {
    regionId: true,
    name: true,
    default: true,
    geoLat: true,
    geoLong: true,
  });
}
