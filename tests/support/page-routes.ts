const oauthClients = "/projects/{project_id}/branches/{branch_id}/auth/oauth-provider/clients";
const oauthProvider = "/projects/{project_id}/branches/{branch_id}/auth/plugins/oauth-provider";

/**
 * The routes that only the API reference on the vendor's site documents. A test fails once the OpenAPI document or
 * `@neon/sdk` has one: then it goes from here.
 */
export const pageRoutes: readonly string[] = [
  `GET ${oauthProvider}`,
  `PATCH ${oauthProvider}`,
  `GET ${oauthClients}`,
  `POST ${oauthClients}`,
  `PATCH ${oauthClients}/{client_id}`,
  `DELETE ${oauthClients}/{client_id}`,
  `POST ${oauthClients}/{client_id}/rotate_secret`,
];
