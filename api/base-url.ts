import { invalid } from "./core/errors";

/** The base URL of the public service. */
export const publicApiUrl = "https://console.neon.tech/api/v2";

/**
 * Whether a text is a valid base URL, including the version. Without the version, all requests would return 404, as if every
 * object had been deleted.
 */
export function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, hash, username } = new URL(text);
  return /^https?:$/.test(protocol) && /\/v\d+\/*$/.test(pathname) && search + hash + username === "";
}

/**
 * The base URL without its trailing slashes.
 *
 * @throws NeonError `invalid` if the text is not a valid base URL
 */
export function checkedUrl(text: string): string {
  if (isBaseUrl(text)) {
    const { origin, pathname } = new URL(text);
    return origin + pathname.replace(/\/+$/, "");
  }
  throw invalid(`The base URL is invalid. It must include the version, such as ${publicApiUrl}.`);
}
