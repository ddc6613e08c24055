import { AwsV4Signer } from "aws4fetch";
import { createHash } from "node:crypto";
import type { z } from "zod";

import { hasStatus, NeonError, summaryOf } from "../core/errors";
import type { Request, S3Target } from "../core/request";
import { together } from "../core/together";
import { type branchStorage, buckets } from "../schemas/bucket";
import { credentials, storageCredentialIn, storageCredentialName } from "../schemas/credential";

/** The S3 API of a branch, and an access key for it. */
interface S3Access extends Pick<z.infer<typeof branchStorage>, "s3_endpoint" | "region"> {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The S3 API of a branch cannot be used with this API key. No request was sent to it. */
export class NoS3AccessError extends NeonError {
  override readonly name = "NoS3AccessError";

  constructor(branchId: string, reason: string, cause?: unknown) {
    super("invalid", `The object storage of branch ${branchId} cannot be reached over S3: ${reason}`, cause, {
      fix: `This needs an API key that can reveal the branch's credential \`${storageCredentialName}\`.`,
    });
  }

  static override isInstance(value: unknown): value is NoS3AccessError {
    return NeonError.isInstance(value) && value.name === "NoS3AccessError";
  }
}

type Branch = Pick<S3Target, "projectId" | "branchId">;

/**
 * The access to the S3 APIs of an account's branches, by the credential that Neon issues for each branch. Read once: a
 * refusal is an answer, too.
 */
export class S3Accesses {
  readonly #known = new Map<string, Promise<S3Access>>();
  readonly #send: <Response>(request: Request<Response>) => Promise<Response>;
  readonly #now: () => Date;

  /** @param send sends a request to the API */
  constructor(send: <Response>(request: Request<Response>) => Promise<Response>, now: () => Date) {
    this.#send = send;
    this.#now = now;
  }

  /** @throws NoS3AccessError if this API key has no access */
  async of({ bucketName, ...branch }: S3Target): Promise<S3Access> {
    const { branchId } = branch;
    // Clients and servers sign the path of such a bucket differently.
    if (bucketName.includes("/")) throw new NoS3AccessError(branchId, "its bucket has a slash in its name");
    const known = this.#known.get(branchId);
    if (known !== undefined) return await known;
    const read = this.#read(branch);
    this.#known.set(branchId, read);
    read.catch((error: unknown) => {
      if (!NoS3AccessError.isInstance(error)) this.forget(branch);
    });
    return await read;
  }

  /** Reads the access again, because its key is no longer valid. */
  forget({ branchId }: Branch): void {
    this.#known.delete(branchId);
  }

  async #read({ projectId, branchId }: Branch): Promise<S3Access> {
    try {
      const [{ s3_endpoint, region }, { credentials: all }] = await together([
        this.#send(buckets.storage(projectId, branchId)),
        this.#send(credentials.list(projectId, branchId)),
      ]);
      const found = storageCredentialIn(all, this.#now());
      if (found === undefined) throw new NoS3AccessError(branchId, "Neon has issued no credential for it");
      const secrets = await this.#send(credentials.reveal(projectId, branchId, found.token_id));
      return { s3_endpoint, region, accessKeyId: found.token_id, secretAccessKey: secrets.s3_secret_access_key };
    } catch (error) {
      const isUnknown = NeonError.isInstance(error) && error.kind === "unknown-route";
      if (!isUnknown && !hasStatus(error, 403, 404, 409, 501)) throw error;
      throw new NoS3AccessError(branchId, summaryOf(error), error);
    }
  }
}

/** A request as it is sent: signed with an access key (AWS Signature Version 4). */
export async function signedFor(
  { s3_endpoint: endpoint, region, accessKeyId, secretAccessKey }: S3Access,
  { method, query = {} }: Request<unknown>,
  { bucketName, key, headers, document }: S3Target,
  now: Date,
) {
  const path = [bucketName, ...(key === undefined ? [] : key.split("/"))].map(escaped).join("/");
  const parameters = Object.entries(query).map(([name, value]) => `${escaped(name)}=${escaped(String(value))}`);
  const url = `${endpoint}/${path}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}`;
  const signer = new AwsV4Signer({
    method,
    url,
    headers: {
      ...headers,
      ...(document !== undefined && { "content-md5": createHash("md5").update(document).digest("base64") }),
      "x-amz-content-sha256":
        document === undefined ? "UNSIGNED-PAYLOAD" : createHash("sha256").update(document).digest("hex"),
    },
    accessKeyId,
    secretAccessKey,
    region,
    service: "s3",
    datetime: now.toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
  });
  const { headers: signed } = await signer.sign();
  return { url, method, headers: Object.fromEntries(signed) };
}

/** Percent-encodes a text as signatures do: everything but letters, digits and `-_.~`. */
function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Whether S3 has refused the access key itself: somebody has rotated or revoked it. A response to HEAD has no code. */
export function isKeyRefused(error: unknown): boolean {
  if (!hasStatus(error, 403)) return false;
  return error.method === "HEAD" || /^(InvalidAccessKeyId|SignatureDoesNotMatch)$/.test(error.code ?? "");
}
