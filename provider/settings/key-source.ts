/** Where an API key comes from. A `Provider` comes before the configuration, and that before the environment. */
export type KeySource =
  { readonly from: "configuration" | "environment" } | { readonly from: "provider"; readonly name: string };

/**
 * @param configured the key in the configuration
 * @param provider the name of the `Provider` whose `apiKey` the program declares
 */
export function keySource(configured: string | undefined, provider: string | undefined): KeySource {
  if (provider !== undefined) return { from: "provider", name: provider };
  return { from: configured === undefined ? "environment" : "configuration" };
}

/** Where a key that was refused is replaced by a valid one, as a sentence without its end. */
export function replaceKey(source: KeySource): string {
  switch (source.from) {
    case "configuration":
      return "Set the key with `pulumi config set --secret neon:apiKey`";
    case "environment":
      return "The key is that of the environment variable NEON_API_KEY. Set a valid one there";
    case "provider":
      return `The key is the \`apiKey\` of Provider "${source.name}" in the program. Declare a valid one there`;
    default:
      return source satisfies never;
  }
}

/** The setting that holds a key, as the beginning of a message. */
export function keySetting(source: KeySource): string {
  return source.from === "provider" ? `\`apiKey\` of Provider "${source.name}"` : "neon:apiKey";
}

/** Why a resource has no key although the program has providers. */
export function notUsing(providers: readonly string[]): string {
  const names = providers.map((name) => `"${name}"`).join(", ");
  return `This resource does not use Provider ${names}: pass it in the option \`provider\``;
}
