import { inProject, nothingHere } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { ExpectedRequest, KindSample } from "../sample";
import { branchPath, elsewhere, newBranch, posting } from "./object";

const cors = [
  {
    allowedOrigins: ["https://*.example.com", "http://localhost:3000"],
    allowedMethods: ["GET", "PUT"],
    allowedHeaders: ["*"],
    exposeHeaders: ["ETag", "x-amz-meta-author"],
    maxAgeSeconds: 60,
  },
  { allowedOrigins: ["*"], allowedMethods: ["HEAD"] },
];

const setsCors = (method: "PUT" | "DELETE"): ExpectedRequest => ({ method, path: /^\/storage\/.*\?cors=$/ });

/** A bucket with a name that must be encoded in paths and ids. */
export const bucket: KindSample = {
  kind: "Bucket",
  creates: (declared) => [posting(`${branchPath(declared)}/buckets`, { name: declared["name"] }), setsCors("PUT")],
  declare: async (stage) => ({ ...(await newBranch(stage)), name: stage.name("100% files é"), cors }),
  inPlace: () => [
    { input: "forceDestroy", to: true, sends: [] },
    { input: "forceDestroy", to: undefined, sends: [] },
    { input: "cors", to: [{ ...cors[0], maxAgeSeconds: 0 }], sends: [setsCors("PUT")] },
    { input: "cors", to: undefined, sends: [setsCors("DELETE")] },
    { input: "cors", to: cors, sends: [setsCors("PUT")] },
  ],
  replaces: async ({ projectId, name }, stage) => ({
    createsFirst: { ...(await elsewhere(stage, projectId)), name: `${String(name)}-renamed` },
    deletesFirst: { accessLevel: "public_read" },
  }),
  list: { member: "buckets", id: "name" },
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
      [{ cors: [] }, "cors", /at least 1 entry/],
      [{ cors: [{ ...cors[0], allowedMethods: ["PATCH"] }] }, "cors.0.allowedMethods.0", /"GET" or "PUT"/],
      [{ cors: [{ ...cors[0], allowedOrigins: ["*.*"] }] }, "cors.0.allowedOrigins.0", /more than one `\*`/],
      [{ cors: [{ ...cors[0], exposeHeaders: ["x-*"] }] }, "cors.0.exposeHeaders.0", /without `\*`/],
      [{ cors: [{ ...cors[0], exposeHeaders: [" ETag "] }] }, "cors.0.exposeHeaders.0", /without `\*` and spaces/],
      [{ cors: [{ ...cors[0], allowedHeaders: ["x-a, x-b"] }] }, "cors.0.allowedHeaders.0", /without spaces/],
      [{ cors: [{ ...cors[0], maxAge: 1 }] }, "cors.0.maxAge", nothingHere],
      [{ accessLevel: "public" }, "accessLevel", /"private" or "public_read"/],
    ],
  ],
  facts: { ...usualFacts, path: "/projects/:projectId/branches/:branchId/buckets/:name" },
};
