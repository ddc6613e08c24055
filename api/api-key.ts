import { invalid } from "./core/errors";

/** Whether a text can be an API key: other characters are not allowed in a header. */
export function isApiKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/**
 * Returns a key that can be sent. The message of the error does not contain it.
 *
 * @throws NeonError `invalid` if it is none
 */
export function checkedKey(key: string): string {
  if (isApiKey(key)) return key;
  throw invalid(
    key === "" ? "The API key is missing." : "The API key contains whitespace or characters that are not allowed.",
  );
}
