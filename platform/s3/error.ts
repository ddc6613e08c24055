/** An error of S3 with its published code. */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "S3Error";
    this.status = status;
    this.code = code;
  }
}

export const accessDenied = (message = "Access Denied"): S3Error => new S3Error(403, "AccessDenied", message);
export const invalid = (code: string, message: string): S3Error => new S3Error(400, code, message);
export const noSuchBucket = (): S3Error => new S3Error(404, "NoSuchBucket", "The specified bucket does not exist");
export const noSuchKey = (): S3Error => new S3Error(404, "NoSuchKey", "The specified key does not exist.");
export const noSuchUpload = (): S3Error =>
  new S3Error(404, "NoSuchUpload", "The specified multipart upload does not exist.");
export const notImplemented = (what: string): S3Error =>
  new S3Error(501, "NotImplemented", `The local platform does not implement ${what}`);
