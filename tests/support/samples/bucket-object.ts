import { assetArchive, stringAsset } from "../contents";
import { inProject } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { Values } from "../provider-server";
import type { ExpectedRequest, KindSample } from "../sample";
import { branchPath } from "./object";

/** The path of the objects of a bucket. */
function listOf(outputs: Values): string {
  return `${branchPath(outputs)}/buckets/${encodeURIComponent(String(outputs["bucketName"]))}/objects`;
}

/** What an upload sends. */
const upload = (body: Values): readonly ExpectedRequest[] => [
  { method: "POST", path: /\/objects\/.+\/presign$/, body: { operation: "upload", ...body }, isRepeated: true },
  { method: "PUT", path: /^\/storage\/.+X-Amz-Signature=/ },
];

/** An object under a key that has to be encoded. */
export const bucketObject: KindSample = {
  kind: "BucketObject",
  creates: () => upload({ content_type: "text/plain" }),
  declare: async (stage) => {
    const { id, branchId } = await stage.project();
    const bucketName = stage.name("files");
    await stage.platform.call("POST", `/projects/${id}/branches/${branchId}/buckets`, { name: bucketName });
    return { projectId: id, branchId, bucketName, key: "50% in/é.txt", source: stringAsset("Hello") };
  },
  inPlace: () => [
    { input: "source", to: stringAsset("Bye"), sends: upload({}) },
    {
      input: "contentType",
      to: "text/plain",
      sends: upload({ content_type: "text/plain" }),
    },
  ],
  replaces: async ({ projectId }, stage) => {
    const { id } = await stage.project();
    const branch = await stage.branch(String(projectId));
    return { createsFirst: { projectId: id, branchId: branch.id, bucketName: "other", key: "other.txt" } };
  },
  remove: async (stage, outputs) => {
    await stage.platform.call("DELETE", `${listOf(outputs)}/${encodeURIComponent(String(outputs["key"]))}`);
  },
  exists: async (stage, outputs) => {
    const { body } = await stage.platform.call("GET", listOf(outputs));
    const { objects = [] } = body as unknown as { readonly objects?: readonly { readonly key: string }[] };
    return objects.some(({ key }) => key === outputs["key"]);
  },
  repeatsCreation: true,
  adopt: ({ key }) => String(key),
  sentOnAdoption: upload({ content_type: "text/plain" }),
  prepareBranch: async (stage, branch) => {
    await stage.platform.call("POST", `${branchPath(branch)}/buckets`, { name: branch["bucketName"] });
  },
  inputOf: { operation: "source" },
  invalid: [
    { ...inProject, branchId: "br-1", bucketName: "files", source: stringAsset("Hello") },
    [
      [{ key: "" }, "key", /at least 1 character/],
      [{ key: "x".repeat(1025) }, "key", /1024 bytes/],
      ...["..", "../logs/a.txt", "a/./b", "a/.."].map((key) => [{ key }, "key", /a segment "\." or "\.\."/] as const),
      [{ source: "logo.svg" }, "source", /^must be an asset.* not its name as text$/],
      [{ source: assetArchive({}) }, "source", /^must be an asset.* not an archive$/],
      [{ contentType: "text/plain\r\nx: y" }, "contentType", /^must be a media type/],
      [{ source: undefined, contentType: "text/plain" }, "contentType", /^needs `source`/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/buckets/:bucketName/objects/:key",
    isNamed: false,
    another: (declared, stage) => ({ ...declared, key: stage.name("other") }),
  },
};
