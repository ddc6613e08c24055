import { settingNames } from "../../provider/settings/client-settings";

/** An account of the real service. */
export interface Account {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** The organization in which a personal key makes projects. */
  readonly orgId: string | undefined;
}

/** What the suite runs against: the local platform, or a real account. */
export type Target = { readonly is: "local" } | { readonly is: "real"; readonly account: Account };

/** What `npm run test:contract` sets, and nobody else: credentials in the environment alone must never be enough. */
export const switchName = "NEON_CONTRACT";

/**
 * What the suite runs against.
 *
 * @throws Error when a real account is asked for and is not named in full.
 */
export function targetOf(environment: Readonly<Record<string, string | undefined>>): Target {
  const asked = environment[switchName] ?? "";
  switch (asked) {
    case "":
    case "local":
      return { is: "local" };
    case "real":
      return { is: "real", account: accountOf(environment) };
    default:
      throw new Error(`${switchName} must be "local" or "real", not "${asked}"`);
  }
}

function accountOf(environment: Readonly<Record<string, string | undefined>>): Account {
  const value = (name: string): string | undefined => environment[name] || undefined;
  const { apiKey: keyName, apiUrl: urlName, orgId: orgName } = settingNames;
  const [apiKey, apiUrl] = [value(keyName), value(urlName)];
  if (apiKey === undefined || apiUrl === undefined) {
    throw new Error(`a real account is named by ${keyName} (a personal key) and ${urlName} (with /api/v2): set both`);
  }
  return { apiKey, apiUrl, orgId: value(orgName) };
}
