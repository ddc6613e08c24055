/** A request that is answered with an error; thrown inside its transaction, so that nothing of it stays. */
export class HttpError extends Error {
  readonly status: number;
  /** Often empty, as the platform's own. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is answered instead of code and message, where that has a form of its own. */
  readonly body: object | undefined;

  constructor(
    status: number,
    message: string,
    code = "",
    headers: Readonly<Record<string, string>> = {},
    body?: object,
  ) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.body = body;
  }
}

/** The request itself is wrong: a malformed body, an unknown value. */
export const badRequest = (message: string): HttpError => new HttpError(400, message);
/** The key sees what it asks about, but is not allowed to do this. */
export const forbidden = (message: string): HttpError => new HttpError(403, message);
/** There is no such object, or the key may not see it. */
export const notFound = (what: string): HttpError => new HttpError(404, `${what} not found`);
/** Something of that name or kind exists already. */
export const conflict = (message: string): HttpError => new HttpError(409, message);
/** The request is well formed, but what it asks for is not allowed as things are. */
export const unprocessable = (message: string, code = ""): HttpError => new HttpError(422, message, code);
/** Something else is under way; the same request can succeed later. */
export const locked = (message: string): HttpError => new HttpError(423, message);
