/** The version of the CLI that is downloaded or built if there is none. */
export const cliVersion = "3.255.0";

/** The oldest version of a CLI on PATH that is used. */
export const oldestCliVersion = "3.200.0";

/** The last release of the SDK's Go module that contains the language hosts; they work with every 3.x CLI. */
export const languageHostVersion = "3.66.0";

/** The version of the host for YAML programs. */
export const yamlHostVersion = "1.10.0";

/**
 * A version's numbers, and whether it is a pre-release.
 *
 * @param {string} text For example `v3.255.0` or `3.256.0-alpha.1`.
 * @returns {{ numbers: [number, number, number], pre: boolean } | undefined}
 */
export function parseVersion(text) {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?(?:\+\S*)?$/.exec(text.trim());
  if (!match) return undefined;
  return { numbers: [Number(match[1]), Number(match[2]), Number(match[3])], pre: match[4] !== undefined };
}

/**
 * Whether a version has the same major number as another one and is not older.
 *
 * @param {string} text
 * @param {string} oldest
 */
export function isNewEnough(text, oldest) {
  const version = parseVersion(text);
  const bound = parseVersion(oldest);
  if (!version || !bound || version.numbers[0] !== bound.numbers[0]) return false;
  for (const [index, number] of version.numbers.entries()) {
    const other = /** @type {number} */ (bound.numbers[index]);
    if (number !== other) return number > other;
  }
  return !version.pre || bound.pre;
}
