import type { Form, Request } from "../core/request";

/** What an HTTP request carries. */
interface Content {
  readonly type: string;
  readonly body: string | Buffer;
}

/** Encodes the body or the form of a request; `undefined` if it has neither. */
export async function contentOf({ body, form }: Request<unknown>): Promise<Content | undefined> {
  if (form !== undefined) return await encodedForm(form);
  return body === undefined ? undefined : { type: "application/json", body: JSON.stringify(body) };
}

/** As `multipart/form-data`, complete, so that it can be sent again. */
async function encodedForm(form: Form): Promise<Content> {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === "string") data.set(name, value);
    else if (value !== undefined) {
      const { content, type } = value;
      data.set(name, new Blob([typeof content === "function" ? await content() : content], { type }), value.name);
    }
  }
  const encoded = new Response(data);
  const type = encoded.headers.get("content-type");
  if (type === null) throw new TypeError("a form was encoded without a boundary");
  return { type, body: Buffer.from(await encoded.arrayBuffer()) };
}
