/** Shorter values may be part of any text. */
const minSecretLength = 4;

/** Replaces these values in a text, in plain and in JSON form. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= minSecretLength)
    .flatMap(formsOf)
    .sort((one, other) => other.length - one.length)
    .reduce((result, secret) => result.replaceAll(secret, "[secret]"), text);
}

/** The forms of a secret that a message may quote: plain, in JSON, and in JSON as Go escapes it. */
function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return [secret, json, json.replace(/[&<>\u2028\u2029]/g, escape)];
}
