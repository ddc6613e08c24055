import { invalid } from "./core/errors";

/** Whether a text can be an API key: a header allows no other characters. */
export function isApiKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/**
 * Returns a key that can be sent. The error message does not contain the key.
 *
 * @throws NeonError `invalid` if the text cannot be a key
 */
export function checkedKey(key: string): string {
  if (isApiKey(key)) return key;
  throw invalid(
    key === "" ? "The API key is missing." : "The API key contains whitespace or characters that are not allowed.",
  );
}
