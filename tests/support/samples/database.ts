import { onBranch, tooLong } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { branchPath, elsewhere, newBranch, posting, withCompute } from "./object";

/** A database with a name that must be encoded in paths and ids. */
export const database: KindSample = {
  kind: "Database",
  creates: (declared) => [
    posting(`${branchPath(declared)}/databases`, { database: { name: declared["name"], owner_name: "seller" } }),
  ],
  declare: async (stage) => {
    const declared = { ...(await newBranch(stage)), name: stage.name("50% shop/é"), ownerName: "neondb_owner" };
    await stage.platform.call("POST", `${branchPath(declared)}/roles`, { role: { name: "seller" } });
    await stage.settled(declared.projectId);
    return declared;
  },
  inPlace: ({ name }) => {
    const path = /\/databases\/50%25%20shop%2F%C3%A9-\d+$/;
    const renamed = `${String(name)}-renamed`;
    return [
      {
        input: "ownerName",
        to: "seller",
        sends: [{ method: "PATCH", path, body: { database: { owner_name: "seller" } } }],
      },
      { input: "name", to: renamed, sends: [{ method: "PATCH", path, body: { database: { name: renamed } } }] },
    ];
  },
  replaces: async ({ projectId }, stage) => ({ createsFirst: await elsewhere(stage, projectId, withCompute) }),
  replaced: {
    branchId: /^Changing `branchId` replaces this database\. The data in the old database is deleted/,
  },
  withProject: ["database neondb", { name: "neondb", ownerName: "neondb_owner" }],
  readAt: { path: /\/databases\/[^/?]+$/ },
  needs: [{ ownerName: "nobody" }, "use its output `name` as `ownerName`"],
  invalid: [
    { ...onBranch, ownerName: "neondb_owner" },
    [
      [{ name: "é".repeat(32) }, "name", tooLong],
      [{ ownerName: "a".repeat(64) }, "ownerName", tooLong],
      [{ name: "" }, "name", "must be at least 1 character long"],
      [{ name: "a\0b" }, "name", "must not contain a NUL character"],
      [{ name: "." }, "name", 'must not be "." or ".."'],
      [{ ownerName: undefined }, "ownerName", "is required"],
      [{ branchId: undefined }, "branchId", "is required"],
      [
        { owner: "app" },
        "owner",
        "there is no such property here; there are projectId, branchId, name, ownerName, adopt",
      ],
    ],
  ],
  facts: { ...usualFacts, path: "/projects/:projectId/branches/:branchId/databases/:name" },
};
