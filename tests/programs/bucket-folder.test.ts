import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { filesIn } from "../support/files";
import { suitePlatform } from "../support/platform";
import { suiteStacks } from "../support/stack";

const program = `
  const project = new neon.Project("pages", { regionId: "aws-us-east-2" });
  const at = { projectId: project.id, branchId: project.defaultBranchId };
  const cors = [{ allowedOrigins: ["https://shop.example.com"], allowedMethods: ["GET"] }];
  const bucket = new neon.Bucket("site", { ...at, accessLevel: "public_read", cors });
  new neon.BucketFolder("site", {
    ...at,
    bucketName: bucket.name,
    path: "www",
    file: (path) => ({ cacheControl: path.startsWith("assets/") ? "max-age=3600" : "no-cache", metadata: { by: "us" } }),
  });
  exports.url = pulumi.interpolate\`\${neon.getBranchStorageOutput(at).s3Endpoint}/\${bucket.name}\`;
`;

describe("programs: a web site in a bucket", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("is uploaded, changed and deleted file by file, and is served with its header fields", async () => {
    const stack = await newStack({ platform: platform(), program });
    stack.writeFiles({ "www/index.html": "<h1>One</h1>", "www/assets/main.css": "h1 {}", "www/old.txt": "old" });
    await stack.up();
    const url = String(stack.outputs()["url"]);
    const get = (key: string, headers = {}) => fetch(`${url}/${key}`, { headers });
    const page = await get("index.html", { origin: "https://shop.example.com" });
    assert.equal(await page.text(), "<h1>One</h1>");
    assert.deepEqual(
      ["content-type", "cache-control", "x-amz-meta-by", "access-control-allow-origin"].map((name) =>
        page.headers.get(name),
      ),
      ["text/html", "no-cache", "us", "https://shop.example.com"],
    );
    assert.equal((await get("assets/main.css")).headers.get("cache-control"), "max-age=3600");

    stack.writeFiles({ "www/index.html": "<h1>Two</h1>", "www/docs/new.txt": "new" });
    rmSync(join(stack.folder, "www/old.txt"));
    const { text } = await stack.up();
    assert.match(text, /neon:BucketObject +site\/docs\/new\.txt +created/);
    assert.match(text, /neon:BucketObject +site\/index\.html +updated/);
    assert.match(text, /neon:BucketObject +site\/old\.txt +deleted/);
    assert.equal(await (await get("index.html")).text(), "<h1>Two</h1>");
    assert.deepEqual([(await get("docs/new.txt")).status, (await get("old.txt")).status], [200, 404]);

    rmSync(join(stack.folder, "www"), { recursive: true });
    const failed = await stack.failing("up");
    assert.match(failed.text, /BucketFolder "site": the folder www cannot be read: ENOENT/);
    assert.equal((await get("index.html")).status, 200);
    const kept = filesIn(stack.kept).map((file) => readFileSync(file, "latin1"));
    assert.ok(!kept.some((one) => /nsk_live_[0-9a-f]/.test(one)), "the secret of an access key is in a file");

    stack.write("");
    await stack.up();
    stack.assertEmpty();
  });
});
