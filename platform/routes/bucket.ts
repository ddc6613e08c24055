import { badRequest } from "../http-error";
import { branchMember, requireWriter } from "../http/authorization";
import { ContentResult, noContent } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import {
  bucketResponse,
  createBucket,
  deleteBucket,
  getBucket,
  listBuckets,
  storageResponse,
} from "../model/branches/bucket";
import {
  getObject,
  listObjects,
  objectResponse,
  presignObject,
  removeObjectsBelow,
  removeObject,
} from "../model/branches/bucket-object";
import * as published from "../published/requests";

const branch = "/projects/:project_id/branches/:branch_id";
const bucket = `${branch}/buckets/:bucket_name`;

export const bucketPaths: ApiPaths = {
  [`${branch}/buckets`]: {
    GET: allow(branchMember, ({ controlPlane, branch: of }) => ({
      buckets: listBuckets(controlPlane, of).map(bucketResponse),
    })),
    POST: allow(
      { ...branchMember, status: 201, ...published.createProjectBranchBucket },
      ({ controlPlane, branch: of, body }) => ({ bucket: bucketResponse(createBucket(controlPlane, of, body)) }),
    ),
  },
  [bucket]: {
    DELETE: allow(branchMember, ({ controlPlane, branch: of, parameter }) => {
      deleteBucket(controlPlane, of, parameter("bucket_name"));
      return noContent;
    }),
  },
  [`${bucket}/objects`]: {
    GET: allow(
      { ...branchMember, ...published.listProjectBranchBucketObjects },
      ({ controlPlane, branch: of, parameter, query }) => {
        const { prefix = "", delimiter, cursor, limit } = query;
        const page = listObjects(controlPlane, getBucket(controlPlane, of, parameter("bucket_name")), {
          prefix,
          delimiter,
          after: positionOf(cursor),
          limit,
        });
        return {
          folders: page.folders,
          objects: page.objects.map(objectResponse),
          prefix,
          ...(page.next !== undefined && { next_cursor: Buffer.from(page.next).toString("base64url") }),
          is_truncated: page.next !== undefined,
        };
      },
    ),
  },
  [`${bucket}/objects/:object_key`]: {
    DELETE: allow(branchMember, ({ controlPlane, branch: of, parameter }) => {
      const found = getObject(
        controlPlane,
        getBucket(controlPlane, of, parameter("bucket_name")),
        parameter("object_key"),
      );
      removeObject(controlPlane, found);
      return noContent;
    }),
  },
  [`${bucket}/objects/:object_key/download`]: {
    GET: allow(branchMember, ({ controlPlane, branch: of, parameter }) => {
      const found = getObject(
        controlPlane,
        getBucket(controlPlane, of, parameter("bucket_name")),
        parameter("object_key"),
      );
      const headers = {
        "content-type": "application/octet-stream",
        "content-length": String(found.size),
        etag: `"${found.etag}"`,
        "content-disposition": "attachment",
        "x-content-type-options": "nosniff",
      };
      return new ContentResult(headers, () => controlPlane.objects.files.read(found.content));
    }),
  },
  [`${bucket}/objects/:object_key/presign`]: {
    POST: allow(
      { ...branchMember, changesNothing: true, ...published.presignProjectBranchBucketObject },
      ({ controlPlane, caller, project, branch: of, parameter, body }) => {
        if (body.operation === "upload") requireWriter(controlPlane, caller, project);
        const found = getBucket(controlPlane, of, parameter("bucket_name"));
        return presignObject(controlPlane, project, found, parameter("object_key"), body);
      },
    ),
  },
  [`${bucket}/objects-by-prefix`]: {
    DELETE: allow(
      { ...branchMember, ...published.deleteProjectBranchBucketObjectsByPrefix },
      ({ controlPlane, branch: of, parameter, query }) => {
        const found = getBucket(controlPlane, of, parameter("bucket_name"));
        return { deleted: removeObjectsBelow(controlPlane, found, query.prefix) };
      },
    ),
  },
  [`${branch}/storage`]: {
    GET: allow({ ...branchMember, notFound: { reason: "branch_not_found" } }, ({ controlPlane, project, branch: of }) =>
      storageResponse(controlPlane, project, of),
    ),
  },
};

/** What a page of a list is after. @throws HttpError 400 */
function positionOf(cursor: string | undefined): string {
  if (cursor === undefined) return "";
  const position = Buffer.from(cursor, "base64url").toString();
  if (position === "" || Buffer.from(position).toString("base64url") !== cursor) throw badRequest("invalid cursor");
  return position;
}
