import { settingNames } from "./client-settings";

/** Where an API key comes from. A `Provider` comes before the configuration, and that before the environment. */
export type KeySource =
  | { readonly from: "configuration" }
  /** `others`: more variables with the same value, which the option `envVarMappings` of a provider can have named. */
  | { readonly from: "environment"; readonly others: readonly string[] }
  | { readonly from: "provider"; readonly name: string };

/**
 * @param configured the key in the configuration
 * @param provider the name of the `Provider` whose `apiKey` the program declares
 */
export function keySource(
  configured: string | undefined,
  provider: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = {},
): KeySource {
  if (provider !== undefined) return { from: "provider", name: provider };
  if (configured !== undefined) return { from: "configuration" };
  const { [settingNames.apiKey]: key = "", ...rest } = environment;
  return { from: "environment", others: Object.keys(rest).filter((name) => key !== "" && rest[name] === key) };
}

/** Where a key that was refused is replaced by a valid one, as a sentence without its end. */
export function replaceKey(source: KeySource): string {
  switch (source.from) {
    case "configuration":
      return "Set the key with `pulumi config set --secret neon:apiKey`";
    case "environment":
      return source.others.length === 0
        ? "The key is that of the environment variable NEON_API_KEY. Set a valid one there"
        : `The key is that of the environment variable ${source.others.join(" or ")} if \`envVarMappings\` of the provider names it, and otherwise that of NEON_API_KEY. Set a valid one there`;
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
