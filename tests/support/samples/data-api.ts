import { inProject, keysUrl } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { ExpectedRequest, KindSample } from "../sample";
import { branchPath, elsewhere, newBranch, posting } from "./object";

/** The Data API of a database whose name has to be encoded. */
export const dataApi: KindSample = {
  kind: "DataApi",
  creates: (declared) => [
    posting(`${branchPath(declared)}/data-api/${encodeURIComponent(String(declared["databaseName"]))}`, {
      settings: { db_max_rows: 200, db_schemas: ["public", "shop"] },
    }),
  ],
  declare: async (stage) => {
    const declared = { ...(await newBranch(stage)), databaseName: stage.name("50% shop/é") };
    const database = { name: declared.databaseName, owner_name: "neondb_owner" };
    await stage.platform.call("POST", `${branchPath(declared)}/databases`, { database });
    await stage.settled(declared.projectId);
    return { ...declared, settings: { dbMaxRows: 100 } };
  },
  inPlace: () => {
    const path = /\/data-api\/50%25%20shop%2F%C3%A9-\d+$/;
    const settings = {
      db_aggregates_enabled: true,
      db_anon_role: "anonymous",
      jwt_role_claim_key: ".role",
      openapi_mode: "disabled",
    };
    const patched = (...schemas: readonly string[]): ExpectedRequest[] => [
      { method: "PATCH", path, body: { settings: { ...settings, db_schemas: schemas, db_max_rows: 200 } } },
    ];
    const dbSchemas = ["public", "shop"];
    return [
      { input: "settings.dbMaxRows", to: { dbMaxRows: 200 }, sends: patched("public") },
      { input: "settings.dbSchemas", to: { dbMaxRows: 200, dbSchemas }, sends: patched(...dbSchemas) },
    ];
  },
  replaces: async ({ projectId }, stage) => ({
    createsFirst: { ...(await elsewhere(stage, projectId)), databaseName: "neondb" },
    deletesFirst: {
      authProvider: "neon_auth",
      jwksUrl: "https://auth.example.com/.well-known/jwks.json",
      providerName: "Auth0",
      jwtAudience: "shop",
      addDefaultGrants: true,
      skipAuthSchema: true,
    },
  }),
  replaced: {
    databaseName: /^Changing `databaseName` replaces this Data API\. Requests to the old Data API fail/,
    addDefaultGrants: undefined,
  },
  needs: [{ databaseName: "nothing" }, "use the output `name` as `databaseName`"],
  invalid: [
    { ...inProject, branchId: "br-1", databaseName: "neondb" },
    [
      [{ authProvider: "external" }, "jwksUrl", "is required with an external provider"],
      [{ authProvider: "neon_auth", jwksUrl: keysUrl }, "jwksUrl", /^needs `authProvider: "external"`/],
      [{ authProvider: "neon_auth", providerName: "Clerk" }, "providerName", /^needs `authProvider: "external"`/],
      [{ authProvider: "mine" }, "authProvider", /"neon_auth" or "external"/],
      [{ jwksUrl: "http://auth.example.com/jwks.json" }, "jwksUrl", /must be an https URL/],
      [{ settings: { dbMaxRow: 1 } }, "settings.dbMaxRow", /did you mean dbMaxRows/],
      [{ settings: { dbMaxRows: 0.5 } }, "settings.dbMaxRows", /^must be a whole number$/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/data-api/:databaseName",
    isNamed: false,
    another: async (declared, stage) => {
      const { id } = await stage.branch(String(declared["projectId"]));
      return { ...declared, branchId: id, databaseName: "neondb" };
    },
  },
};
