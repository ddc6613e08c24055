import { onBranch, secret, tooLong } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { branchPath, elsewhere, newBranch, posting, withCompute } from "./object";

/** A role that can log in, with a name that must be encoded in paths and ids. */
export const role: KindSample = {
  kind: "Role",
  creates: (declared) => [posting(`${branchPath(declared)}/roles`, { role: { name: declared["name"] } })],
  secrets: ["password"],
  declare: async (stage) => ({ ...(await newBranch(stage)), name: stage.name("100% app/é") }),
  inPlace: () => {
    const reset = { method: "POST", path: /\/roles\/100%25%20app%2F%C3%A9-\d+\/reset_password$/ } as const;
    return [
      { input: "passwordTrigger", to: "spring", sends: [reset] },
      { input: "passwordTrigger", to: "summer", sends: [reset] },
    ];
  },
  replaces: async ({ projectId, name }, stage) => ({
    createsFirst: { ...(await elsewhere(stage, projectId, withCompute)), name: `${String(name)}-renamed` },
    deletesFirst: { noLogin: true },
  }),
  replaced: {
    name: /^Changing `name` replaces this role\. .* another password/,
    branchId: /^Changing `branchId` replaces this role\. .* another password/,
    noLogin: /^Changing `noLogin` replaces this role\. .* another password/,
  },
  withProject: ["role neondb_owner", { name: "neondb_owner" }],
  readAt: { path: /\/roles\/[^/?]+$/ },
  invalid: [
    onBranch,
    [
      [{ name: "é".repeat(32) }, "name", tooLong],
      [{ name: "a".repeat(64) }, "name", tooLong],
      [{ name: "" }, "name", "must be at least 1 character long"],
      [{ name: "a\0b" }, "name", "must not contain a NUL character"],
      [{ name: ".." }, "name", 'must not be "." or ".."'],
      [
        { name: "pgadmin" },
        "name",
        'is reserved: the name must not start with "pg" or be one of neon_superuser, cloud_admin, zenith_admin, public, none',
      ],
      [
        { noLogin: true, passwordTrigger: "1" },
        "passwordTrigger",
        "cannot be declared together with noLogin: a role that cannot log in has no password",
      ],
      [{ projectId: undefined }, "projectId", "is required"],
      [{ branchId: undefined }, "branchId", "is required"],
      [
        { password: secret },
        "password",
        "there is no such property here; there are projectId, branchId, name, noLogin, passwordTrigger, adopt",
      ],
    ],
  ],
  facts: { ...usualFacts, path: "/projects/:projectId/branches/:branchId/roles/:name" },
};
