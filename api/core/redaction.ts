/** Shorter values may be part of any text. */
const minSecretLength = 4;

/** The text without these values, also as JSON has them. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= minSecretLength)
    .flatMap(formsOf)
    .sort((one, other) => other.length - one.length)
    .reduce((result, secret) => result.replaceAll(secret, "[secret]"), text);
}

/** As it is, in JSON, and in the JSON of Go, which a message may quote. */
function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return [secret, json, json.replace(/[&<>\u2028\u2029]/g, escape)];
}
