interface ErrorDetails {
  /** Often empty, as in the real API. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the usual body of code and message, for the few errors that have a body of their own. */
  readonly body?: object;
}

/** Answers a request with an error status. Throw it inside the transaction, so that the transaction is rolled back. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object | undefined;

  constructor(status: number, message: string, { code = "", headers = {}, body }: ErrorDetails = {}) {
    super(message);
    this.name = "HttpError";
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.body = body;
  }
}

/** 400: the request is malformed or has an unknown value. */
export const badRequest = (message: string): HttpError => new HttpError(400, message);
/** 403: the key can see the object but must not do this to it. */
export const forbidden = (message: string): HttpError => new HttpError(403, message);
/** 404: the object does not exist, or the key cannot see it. */
export const notFound = (what: string): HttpError => new HttpError(404, `${what} not found`);
/** 409: an object with this name, or of this kind, exists already. */
export const conflict = (message: string, code = ""): HttpError => new HttpError(409, message, { code });
/** 422: the request is well-formed but conflicts with the state of an object or with a limit. */
export const unprocessable = (message: string, code = ""): HttpError => new HttpError(422, message, { code });
/** 423: another change is in progress, so that the same request can succeed later. */
export const locked = (message: string): HttpError => new HttpError(423, message);
