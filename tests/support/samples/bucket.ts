import { inProject } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { branchPath, listed, posting } from "./object";

/** A bucket under a name that has to be encoded wherever it is an address. */
export const bucket: KindSample = {
  kind: "Bucket",
  creates: (declared) => [posting(`${branchPath(declared)}/buckets`, { name: declared["name"] })],
  declare: async (stage) => {
    const { id, branchId } = await stage.project();
    return { projectId: id, branchId, name: stage.name("100% files/é") };
  },
  inPlace: () => [
    { input: "forceDestroy", to: true, sends: [] },
    { input: "forceDestroy", to: undefined, sends: [] },
  ],
  replaces: async ({ projectId, name }, stage) => {
    const { id } = await stage.project();
    const branch = await stage.branch(String(projectId));
    return {
      createsFirst: { projectId: id, branchId: branch.id, name: `${String(name)}-renamed` },
      deletesFirst: { accessLevel: "public_read" },
    };
  },
  ...listed((outputs) => `${branchPath(outputs)}/buckets`, "name", { member: "buckets", id: "name" }),
  adopt: ({ name }) => String(name),
  replaced: {
    accessLevel: /^Changing `accessLevel` replaces this bucket\. The new bucket is empty\. Neon deletes/,
  },
  readAt: { path: /\/buckets$/, isList: true },
  invalid: [
    { ...inProject, branchId: "br-1" },
    [
      [{ name: "" }, "name", /at least 1 character/],
      [{ name: "x".repeat(256) }, "name", /at most 255/],
      [{ name: ".." }, "name", /must not be "\."/],
      [{ accessLevel: "public" }, "accessLevel", /"private" or "public_read"/],
    ],
  ],
  facts: { ...usualFacts, path: "/projects/:projectId/branches/:branchId/buckets/:name" },
};
