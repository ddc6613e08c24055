/** Shorter values may be part of any text. */
const minSecretLength = 4;

/** The text without these values. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= minSecretLength)
    .sort((one, other) => other.length - one.length)
    .reduce((result, secret) => result.replaceAll(secret, "[secret]"), text);
}
