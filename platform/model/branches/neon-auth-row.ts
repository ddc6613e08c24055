import type { z } from "zod";

import type {
  AuthProvider,
  EmailAndPasswordUpdate,
  EmailProviderUpdate,
  WebhookConfig,
  magicLinkPluginUpdate,
  organizationPluginUpdate,
  phoneNumberPluginUpdate,
} from "../../../api/schemas/neon-auth";
import type { OauthProviderCreate } from "../../../api/schemas/neon-auth-oauth-provider";
import type { TableDefinition } from "../../storage/table";
import type { Complete } from "../complete";

/** The Neon Auth integration of a branch, with its whole configuration. */
export interface NeonAuthRow {
  project_id: string;
  branch_id: string;
  auth_provider: AuthProvider;
  auth_provider_project_id: string;
  db_name: string;
  base_url: string;
  created_at: string;
  /** Default: the name of the project. */
  name?: string | undefined;
  allow_localhost: boolean;
  email_and_password: Complete<EmailAndPasswordUpdate>;
  /** Its password is encrypted in the file. */
  email_provider: EmailProviderUpdate;
  organization: Complete<z.infer<typeof organizationPluginUpdate>>;
  magic_link: Complete<z.infer<typeof magicLinkPluginUpdate>>;
  phone_number: Complete<z.infer<typeof phoneNumberPluginUpdate>>;
  webhook: WebhookConfig;
  oauth_providers: readonly OauthProviderRow[];
  domains: readonly { readonly domain: string; readonly auth_provider: string }[];
}

/** Its secret is encrypted in the file. */
export interface OauthProviderRow extends OauthProviderCreate {
  type: "standard" | "shared";
}

/** A user of an application, who signs in with Neon Auth. */
export interface NeonAuthUserRow {
  id: string;
  project_id: string;
  branch_id: string;
  /** In lower case. */
  email: string;
  name?: string | undefined;
  roles: readonly string[];
}

export const neonAuthTable: TableDefinition<NeonAuthRow> = {
  name: "neon_auth",
  columns: ["project_id", "branch_id", "created_at"],
  primaryKey: ["branch_id"],
  indexes: ["project_id"],
  // Of the e-mail provider, and of OAuth providers.
  encrypted: ["password", "client_secret"],
  latest: "created_at",
};

export const neonAuthUserTable: TableDefinition<NeonAuthUserRow> = {
  name: "neon_auth_users",
  columns: ["id", "project_id", "branch_id", "email"],
  primaryKey: ["branch_id", "id"],
  indexes: ["project_id", "branch_id, email"],
};
