import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";

import { HttpError } from "../http-error";
import { type ApiServices, type Env, exchange } from "../http/api";
import type { ApiResponse } from "../http/response";
import { createBucket, deleteBucket } from "../model/branches/bucket";
import { type Scope, requireAccess } from "./access";
import { bucketOf } from "./bucket";
import { corsHeaders, preflight, putCors, readCors, removeCors } from "./cors";
import { invalid, noSuchBucket, notImplemented, S3Error } from "./error";
import * as objects from "./objects";
import { type S3Request, type S3Target, targetOf } from "./request";
import { document } from "./xml";

type Level = "branch" | "bucket" | "object";

/** An operation of S3. The first one that fits a request is performed. */
interface Operation {
  readonly method: string;
  readonly of: Level;
  /** The parameter of the query that distinguishes the operation from others with the same method and path. */
  readonly query?: string;
  /** The header that the operation needs. */
  readonly header?: string;
  readonly scopes: readonly Scope[];
  readonly perform: (request: S3Request) => ApiResponse | Promise<ApiResponse>;
}

const reads: readonly Scope[] = ["storage:read"];
const writes: readonly Scope[] = ["storage:write"];
const copySource = "x-amz-copy-source";

const operations: readonly Operation[] = [
  { method: "GET", of: "branch", scopes: reads, perform: objects.listAllBuckets },
  { method: "GET", of: "bucket", scopes: reads, perform: objects.listBucket },
  { method: "HEAD", of: "bucket", scopes: reads, perform: objects.headBucket },
  { method: "GET", of: "bucket", query: "cors", scopes: reads, perform: readCors },
  { method: "PUT", of: "bucket", query: "cors", scopes: writes, perform: putCors },
  { method: "DELETE", of: "bucket", query: "cors", scopes: writes, perform: removeCors },
  { method: "PUT", of: "bucket", scopes: writes, perform: putBucket },
  { method: "DELETE", of: "bucket", scopes: writes, perform: removeBucket },
  { method: "POST", of: "bucket", query: "delete", scopes: writes, perform: objects.removeMany },
  { method: "GET", of: "object", scopes: reads, perform: objects.readObject },
  { method: "HEAD", of: "object", scopes: reads, perform: objects.readObject },
  { method: "POST", of: "object", query: "uploads", scopes: writes, perform: objects.startMultipart },
  { method: "POST", of: "object", query: "uploadId", scopes: writes, perform: objects.completeMultipart },
  { method: "PUT", of: "object", query: "uploadId", scopes: writes, perform: objects.putPart },
  { method: "PUT", of: "object", header: copySource, scopes: [...reads, ...writes], perform: objects.copy },
  { method: "PUT", of: "object", scopes: writes, perform: objects.put },
  { method: "DELETE", of: "object", query: "uploadId", scopes: writes, perform: objects.abortMultipart },
  { method: "DELETE", of: "object", scopes: writes, perform: objects.remove },
];

/** Parameters that select an operation of the same method and path. A query has at most one of them. */
const distinguishing =
  /^(accelerate|acl|analytics|attributes|cors|delete|encryption|inventory|legal-hold|lifecycle|location|logging|metrics|notification|object-lock|ownershipControls|policy|policyStatus|publicAccessBlock|replication|requestPayment|restore|retention|select|tagging|torrent|uploadId|uploads|versioning|versions|website)$/;

/** Serves a request of S3. */
export async function serveS3(services: ApiServices, context: Context<Env>): Promise<Response> {
  const { incoming } = context.env;
  // Browsers and caches keep objects as their header fields say.
  return await exchange(services, context, () => Promise.resolve(() => performS3(services, incoming)), {});
}

async function performS3(services: ApiServices, incoming: IncomingMessage): Promise<ApiResponse> {
  const requestId = randomUUID();
  const failed = (error: unknown): ApiResponse => errorResponse(services.store.explain(error), incoming, requestId);
  const perform = async (): Promise<ApiResponse> => {
    const target = targetOf(incoming);
    const answer = await respond(services, incoming, target).catch(failed);
    return { ...answer, headers: { ...corsOf(services, target), ...answer.headers } };
  };
  const answer = await perform().catch(failed);
  return { ...answer, headers: { "x-amz-request-id": requestId, ...answer.headers } };
}

/** The header fields by which a page of another origin may read an answer, also that of an error. */
function corsOf({ controlPlane }: ApiServices, { branchId, bucketName: name = "", signed }: S3Target) {
  const bucket = controlPlane.tables.buckets.get({ branch_id: branchId, name });
  return bucket ? corsHeaders(bucket, signed.method, signed.headers) : {};
}

async function respond(services: ApiServices, incoming: IncomingMessage, target: S3Target): Promise<ApiResponse> {
  const { controlPlane, store, scheduler } = services;
  const { branchId, bucketName = "", key = "", signed } = target;
  scheduler.runDueJobs();
  const branch = controlPlane.tables.branches.get({ id: branchId, deleted_at: null });
  const project = branch && controlPlane.tables.projects.get({ id: branch.project_id, deleted_at: null });
  if (!branch || !project) throw noSuchBucket();
  const { query, headers } = signed;
  if (signed.method === "OPTIONS") {
    // Browsers send no signature with it.
    return preflight(controlPlane.tables.buckets.get({ branch_id: branchId, name: bucketName }) ?? {}, headers);
  }
  const operation = operationOf(target);
  const isPublic = operation.perform === objects.readObject && isPublicBucket(services, branchId, bucketName);
  await requireAccess(controlPlane, { branch, signed, scopes: operation.scopes, isPublic });
  const change: S3Request["change"] = (work) => store.transaction(work);
  const request = { controlPlane, change, project, branch, bucketName, key, query, headers, incoming };
  return await operation.perform(request);
}

function operationOf({ bucketName, key, signed: { method, query, headers } }: S3Target): Operation {
  const level: Level = bucketName === undefined ? "branch" : key === undefined ? "bucket" : "object";
  const distinction = Object.keys(query).find((name) => distinguishing.test(name));
  const found = operations.find(
    (one) =>
      one.method === method &&
      one.of === level &&
      one.query === distinction &&
      (one.header === undefined || headers[one.header] !== undefined),
  );
  if (!found)
    throw notImplemented(`${method} of a ${level}${distinction === undefined ? "" : ` with ?${distinction}`}`);
  if (found.perform === objects.putPart && headers[copySource] !== undefined) throw notImplemented("UploadPartCopy");
  return found;
}

function isPublicBucket({ controlPlane }: ApiServices, branchId: string, name: string): boolean {
  return controlPlane.tables.buckets.get({ branch_id: branchId, name })?.access_level === "public_read";
}

function putBucket({ controlPlane, change, branch, bucketName: name }: S3Request): ApiResponse {
  if (name.length > 255) throw invalid("InvalidBucketName", "The specified bucket is not valid.");
  change(() => createBucket(controlPlane, branch, { name }));
  return { status: 200, headers: { location: `/${encodeURIComponent(name)}` } };
}

function removeBucket(request: S3Request): ApiResponse {
  const { controlPlane, change, branch, bucketName } = request;
  bucketOf(request);
  change(() => deleteBucket(controlPlane, branch, bucketName));
  return { status: 204, headers: {} };
}

/** An error in the format of S3. Any other error is a bug, so it is logged. */
function errorResponse(error: unknown, { method, url = "/" }: IncomingMessage, requestId: string): ApiResponse {
  const { status, code, message } = s3ErrorOf(error, requestId);
  const content = { Code: code, Message: message, Resource: url.split("?", 1)[0], RequestId: requestId };
  const headers = { "content-type": "application/xml" };
  return method === "HEAD" ? { status, headers } : { status, headers, body: document("Error", content) };
}

function s3ErrorOf(error: unknown, requestId: string): S3Error {
  if (error instanceof S3Error) return error;
  if (error instanceof HttpError) {
    if (error.status === 404) return noSuchBucket();
    if (error.code !== "") return new S3Error(error.status, error.code, error.message);
    if (error.status === 409) return new S3Error(409, "BucketAlreadyOwnedByYou", error.message);
    return new S3Error(error.status, error.status === 503 ? "ServiceUnavailable" : "InternalError", error.message);
  }
  // The client has disconnected: nobody reads the answer.
  const isAbandoned = (error as NodeJS.ErrnoException | undefined)?.code === "ECONNRESET";
  if (!isAbandoned) console.error(`request ${requestId}:`, error);
  return new S3Error(500, "InternalError", "We encountered an internal error. Please try again.");
}
