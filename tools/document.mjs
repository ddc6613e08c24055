// The end of `npm run document`: reads the vendor's document, says what has changed since the version that
// platform/published/requests.ts is from, and writes that module. `npm run document -- latest` installs the latest one first.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "./base/main.mjs";
import { npm } from "./base/npm.mjs";
import { changesOf } from "./document/changes.mjs";
import { Document, packageName } from "./document/read.mjs";
import { requestsFile, writeRequests } from "./document/requests.mjs";

await main(async () => {
  const [version] = process.argv.slice(2);
  if (version !== undefined) await npm(["install", "--save-dev", "--ignore-scripts", `${packageName}@${version}`]);
  const current = new Document();
  const [, before] = /documentVersion = "([^"]+)"/.exec(readFileSync(requestsFile, "utf8")) ?? [];
  if (before !== undefined && before !== current.version) await report(before, current);
  await writeRequests(current);
});

/** @param {string} version @param {Document} current */
async function report(version, current) {
  const folder = mkdtempSync(join(tmpdir(), "neon-document-"));
  try {
    await npm(["install", "--prefix", folder, "--no-save", "--ignore-scripts", `${packageName}@${version}`]);
    const before = new Document(join(folder, "node_modules", packageName));
    console.log(changesOf(before, current).join("\n"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
