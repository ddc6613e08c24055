import * as published from "../../published/requests";
import { getVisibleOrganization } from "../accounts/access";
import { anyKey } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";

const locations: readonly (readonly [id: string, name: string, latitude: string, longitude: string])[] = [
  ["aws-us-east-1", "AWS US East 1 (N. Virginia)", "38.13", "-78.45"],
  ["aws-us-east-2", "AWS US East 2 (Ohio)", "39.96", "-83"],
  ["aws-us-west-2", "AWS US West 2 (Oregon)", "46.15", "-123.88"],
  ["aws-eu-central-1", "AWS Europe Central 1 (Frankfurt)", "50.12", "8.64"],
  ["aws-eu-west-2", "AWS Europe West 2 (London)", "51.5", "-0.12"],
  ["aws-ap-southeast-1", "AWS Asia Pacific 1 (Singapore)", "1.37", "103.8"],
  ["aws-ap-southeast-2", "AWS Asia Pacific 2 (Sydney)", "-33.86", "151.2"],
  ["aws-sa-east-1", "AWS South America East 1 (São Paulo)", "-23.55", "-46.63"],
  ["azure-eastus2", "Azure East US 2 (Virginia)", "36.66", "-78.38"],
  ["azure-westus3", "Azure West US 3 (Arizona)", "33.44", "-112.07"],
  ["azure-gwc", "Azure Germany West Central (Frankfurt)", "50.11", "8.68"],
];
export const defaultRegionId = "aws-us-east-2";

export const regions = locations.map(([region_id, name, geo_lat, geo_long]) => ({
  region_id,
  name,
  default: region_id === defaultRegionId,
  geo_lat,
  geo_long,
}));

export const regionPaths: ApiPaths = {
  "/regions": {
    GET: allow({ ...anyKey, ...published.getActiveRegions }, ({ controlPlane, caller, query }) => {
      if (query.org_id !== undefined) getVisibleOrganization(controlPlane, caller, query.org_id);
      return { regions };
    }),
  },
};

/** The cloud provider of a region: the first word of its id. */
export function cloudProviderOf(regionId: string): string {
  return regionId.split("-", 1)[0] ?? "";
}

/** The domain of the computes in a region. */
export function proxyHostOf(regionId: string): string {
  const provider = cloudProviderOf(regionId);
  return `c-2.${regionId.slice(provider.length + 1)}.${provider}.neon.tech`;
}

/** The name of a region in S3. */
export function s3Region(regionId: string): string {
  return regionId.slice(cloudProviderOf(regionId).length + 1);
}
