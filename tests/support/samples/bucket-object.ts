import { assetArchive, stringAsset } from "../contents";
import { inProject } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { Values } from "../provider-server";
import type { ExpectedRequest, KindSample } from "../sample";
import { branchPath, elsewhere, newBranch } from "./object";

/** The path of the objects of a bucket. */
function listOf(outputs: Values): string {
  return `${branchPath(outputs)}/buckets/${encodeURIComponent(String(outputs["bucketName"]))}/objects`;
}

/** The requests of an upload. */
const upload: readonly ExpectedRequest[] = [{ method: "PUT", path: /^\/storage\/[^?]+$/ }];

const headers = {
  contentType: "text/plain",
  cacheControl: "public, max-age=60",
  contentDisposition: 'attachment; filename="a b.txt"',
  contentEncoding: "identity",
  metadata: { author: "me", "a.b_c": "" },
};

/** An object under a key that has to be encoded. */
export const bucketObject: KindSample = {
  kind: "BucketObject",
  creates: () => upload,
  declare: async (stage) => {
    const branch = await newBranch(stage);
    const bucketName = stage.name("files");
    await stage.platform.call("POST", `${branchPath(branch)}/buckets`, { name: bucketName });
    return { ...branch, bucketName, key: "50% in/é.txt", source: stringAsset("Hello") };
  },
  inPlace: () => [
    { input: "source", to: stringAsset("Bye"), sends: upload },
    ...Object.entries(headers).map(([input, to]) => ({ input, to, sends: upload })),
  ],
  replaces: async ({ projectId }, stage) => ({
    createsFirst: { ...(await elsewhere(stage, projectId)), bucketName: "other", key: "other.txt" },
  }),
  remove: async (stage, outputs) => {
    await stage.platform.call("DELETE", `${listOf(outputs)}/${encodeURIComponent(String(outputs["key"]))}`);
  },
  exists: async (stage, outputs) => {
    const { body } = await stage.platform.call("GET", listOf(outputs));
    const { objects = [] } = body as unknown as { readonly objects?: readonly { readonly key: string }[] };
    return objects.some(({ key }) => key === outputs["key"]);
  },
  repeatsCreation: true,
  sentOnAdoption: upload,
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
      [{ contentType: "text/plain\r\nx: y" }, "contentType", /^must be printable ASCII/],
      [{ cacheControl: " no-cache" }, "cacheControl", /^must be printable ASCII.* without a space/],
      [{ contentDisposition: 'filename="ä"' }, "contentDisposition", /^must be printable ASCII/],
      [{ contentEncoding: "" }, "contentEncoding", /at least 1 character/],
      [{ contentEncoding: "gzip, aws-chunked" }, "contentEncoding", /^must not name `aws-chunked`/],
      [{ cacheControl: "x".repeat(2000) }, "cacheControl", /^is too long: .* 2 KB/],
      [{ metadata: { Author: "me" } }, "metadata.Author", /^must have a name of lower-case letters/],
      [{ metadata: { author: "é" } }, "metadata.author", /^must be printable ASCII/],
      [{ metadata: { a: "x".repeat(1024), b: "x".repeat(1023) } }, "metadata", /^must have at most 2 KB/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/buckets/:bucketName/objects/:key",
    isNamed: false,
    another: (declared, stage) => ({ ...declared, key: stage.name("other") }),
  },
};
