import { inProject } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { branchPath, elsewhere, newBranch, posting } from "./object";

/** A credential for the object storage of a branch. */
export const credential: KindSample = {
  kind: "Credential",
  creates: (declared) => [
    posting(`${branchPath(declared)}/credentials`, {
      name: declared["name"],
      scopes: ["storage:read"],
      principal_type: "user",
    }),
  ],
  declare: async (stage) => ({
    ...(await newBranch(stage)),
    name: stage.name("uploads"),
    scopes: ["storage:read"],
    rotateTrigger: "spring",
  }),
  inPlace: (_, { tokenId }) => [
    {
      input: "rotateTrigger",
      to: "summer",
      sends: [{ method: "POST", path: new RegExp(`/credentials/${String(tokenId)}/rotate$`) }],
    },
  ],
  replaces: async ({ projectId, name }, stage) => ({
    createsFirst: {
      ...(await elsewhere(stage, projectId)),
      name: `${String(name)}-renamed`,
      scopes: ["storage:read", "storage:write"],
    },
  }),
  list: { member: "credentials", id: "token_id" },
  secrets: ["apiToken", "s3SecretAccessKey"],
  replaced: {
    scopes: /^Changing `scopes` replaces this credential\. The old credential is revoked/,
  },
  readAt: { path: /\/credentials$/, isList: true },
  invalid: [
    { ...inProject, branchId: "br-1", scopes: ["storage:read"] },
    [
      [{ scopes: [] }, "scopes", /at least 1/],
      [{ scopes: ["everything"] }, "scopes.0", /"storage:read" or/],
      [{ name: "" }, "name", /at least 1 character/],
      [{ name: "x".repeat(257) }, "name", /at most 256/],
      [{ adopt: true }, "adopt", /must be the id of a credential/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/credentials/:tokenId",
    twice: "another",
    secretOnce: true,
    isAdoptedByName: false,
  },
};
