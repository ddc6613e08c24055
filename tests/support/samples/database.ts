import { onBranch, tooLong } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { addressed, branchPath, posting } from "./object";

/** A database with a name that must be encoded in paths and ids. */
export const database: KindSample = {
  kind: "Database",
  creates: (declared) => [
    posting(`${branchPath(declared)}/databases`, { database: { name: declared["name"], owner_name: "seller" } }),
  ],
  declare: async (stage) => {
    const { id, branchId } = await stage.project();
    const declared = { projectId: id, branchId, name: stage.name("50% shop/é"), ownerName: "neondb_owner" };
    await stage.platform.call("POST", `${branchPath(declared)}/roles`, { role: { name: "seller" } });
    await stage.settled(id);
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
  replaces: async ({ projectId }, stage) => {
    const { id } = await stage.project();
    const branch = await stage.branch(String(projectId), { endpoints: [{ type: "read_write" }] });
    return { createsFirst: { projectId: id, branchId: branch.id } };
  },
  ...addressed((outputs) => `${branchPath(outputs)}/databases/${encodeURIComponent(String(outputs["name"]))}`),
  adopt: ({ name }) => String(name),
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
