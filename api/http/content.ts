import { messageOf } from "../core/errors";
import type { Form, Request } from "../core/request";

/** The content of an HTTP request. */
interface Content {
  readonly type: string;
  readonly body: string | Buffer;
}

/** The content of a request cannot be read on this machine. The request was not sent, or not completely. */
export class ContentError extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }
}

/** Reads the content of a request. Failures become a {@link ContentError}. */
export async function readContent<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    throw new ContentError(error);
  }
}

/** Encodes the body or the form of a request; `undefined` if it has neither. */
export async function contentOf({ body, form }: Request<unknown>): Promise<Content | undefined> {
  if (form !== undefined) return await encodedForm(form);
  return body === undefined ? undefined : { type: "application/json", body: JSON.stringify(body) };
}

/** Encodes a form as `multipart/form-data`. The whole body is in memory, so that it can be sent again. */
async function encodedForm(form: Form): Promise<Content> {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === "string") data.set(name, value);
    else if (value !== undefined) {
      const { content, type } = value;
      data.set(
        name,
        new Blob([typeof content === "function" ? await readContent(content) : content], { type }),
        value.name,
      );
    }
  }
  const encoded = new Response(data);
  const type = encoded.headers.get("content-type");
  if (type === null) throw new TypeError("a form was encoded without a boundary");
  return { type, body: Buffer.from(await encoded.arrayBuffer()) };
}
