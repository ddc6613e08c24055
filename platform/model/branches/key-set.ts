import { z } from "zod";

import type { JwksUrlCreate } from "../../../api/schemas/jwks-url";
import { badRequest } from "../../http-error";
import type { ControlPlane } from "../control-plane";

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });
const responseTimeout = 10_000;

/**
 * Makes sure that a JWKS URL serves a key set, if the `verifyJwks` option is set.
 *
 * @throws HttpError 400
 */
export async function requireKeySet(
  { clock, verifyJwks }: ControlPlane,
  { jwks_url: url }: Pick<JwksUrlCreate, "jwks_url">,
): Promise<void> {
  if (!verifyJwks) return;
  const timeout = new AbortController();
  const cancel = clock.after(responseTimeout, () => {
    timeout.abort(new Error(`no response within ${responseTimeout / 1000} s`));
  });
  try {
    const response = await fetch(url, { signal: timeout.signal });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    if (!keySet.safeParse(await response.json()).success) throw new Error("the response is not a JSON Web Key Set");
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw badRequest(`jwks_url ${url} serves no key set: ${reason}`);
  } finally {
    cancel();
  }
}
