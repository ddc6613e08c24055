import { branchMember } from "../http/authorization";
import { noContent } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import { createBucket, deleteBucket, listBuckets, storageResponse } from "../model/branches/bucket";
import * as published from "../published/requests";

const branch = "/projects/:project_id/branches/:branch_id";

export const bucketPaths: ApiPaths = {
  [`${branch}/buckets`]: {
    GET: allow(branchMember, ({ controlPlane, branch: of }) => ({ buckets: listBuckets(controlPlane, of) })),
    POST: allow(
      { ...branchMember, status: 201, ...published.createProjectBranchBucket },
      ({ controlPlane, branch: of, body }) => ({
        bucket: createBucket(controlPlane, of, body),
      }),
    ),
  },
  [`${branch}/buckets/:bucket_name`]: {
    DELETE: allow(branchMember, ({ controlPlane, branch: of, parameter }) => {
      deleteBucket(controlPlane, of, parameter("bucket_name"));
      return noContent;
    }),
  },
  [`${branch}/storage`]: {
    GET: allow({ ...branchMember, notFound: { reason: "branch_not_found" } }, ({ project, branch: of }) =>
      storageResponse(project, of),
    ),
  },
};
