import { z } from "zod";

/** Rejects whitespace: URL parsers remove it, and the platform would return another text than the declared one. */
function isHttpsUrl(text: string): boolean {
  return !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) && new URL(text).protocol === "https:";
}

/** The URL of a key set. */
export const httpsUrl = z
  .string()
  .refine(isHttpsUrl, 'must be an https URL such as "https://auth.example.com/.well-known/jwks.json"')
  .meta({ note: "It must start with `https://`." });
