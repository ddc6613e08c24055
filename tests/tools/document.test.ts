import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import * as yaml from "js-yaml";
import { describe, it } from "mocha";

import { memberRules } from "../../platform/published/rules";
import { tool } from "../support/tool";

/** The parts of the published document that are changed here. */
interface Root {
  readonly paths: Record<string, Record<string, { operationId: string; parameters?: object[] } | undefined>>;
  readonly components: {
    readonly schemas: Record<string, { properties: Record<string, object>; required?: string[] }>;
  };
}

interface Changes {
  readonly changesOf: (before: object, after: object) => string[];
}
interface Reader {
  readonly Document: new (folder?: string) => object;
}
interface Generator {
  readonly requestsFile: string;
  readonly requestsOf: (document?: object) => Promise<string>;
}

const installed = dirname(require.resolve("@neondatabase/api-client/package.json"));
const fileName = "public-v2-for-users.gen.yaml";

/** A package with another version of the document, for as long as the work takes. */
async function withChanged<Result>(
  change: (root: Root) => void,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "neon-document-test-"));
  try {
    const text = readFileSync(join(installed, fileName), "utf8");
    const root = yaml.load(text, { json: true, schema: yaml.CORE_SCHEMA }) as Root;
    change(root);
    writeFileSync(join(folder, fileName), yaml.dump(root, { schema: yaml.CORE_SCHEMA, noRefs: true }));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ version: "99.0.0" }));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("tools: the checks that are generated from the published document", () => {
  it("in platform/published/requests.ts are those that `npm run document` writes now", async () => {
    const { requestsFile, requestsOf } = await tool<Generator>("document/requests.mjs");
    assert.equal(await requestsOf(), readFileSync(requestsFile, "utf8"), "not current: run `npm run document`");
  });

  it("have a member or an object for each rule beyond the document", () => {
    const text = readFileSync("platform/published/requests.ts", "utf8");
    for (const name of Object.keys(memberRules)) {
      const [member = "", ...objects] = name.split(".").reverse();
      const holder = objects.reverse().join(".");
      const place = holder === "" ? text : (text.split(new RegExp(`object\\(\\s*"${holder}",`))[1] ?? "");
      assert.ok(new RegExp(`\\b${member}:|object\\(\\s*"${member}",`).test(place), `nothing is named ${name}`);
    }
  });

  it("follow a newer document", async () => {
    const { Document } = await tool<Reader>("document/read.mjs");
    const { requestsOf } = await tool<Generator>("document/requests.mjs");
    const text = await withChanged(
      ({ components: { schemas } }) =>
        Object.assign(schemas["MaintenanceWindow"]?.properties ?? {}, { note: { type: "string", maxLength: 9 } }),
      async (folder) => await requestsOf(new Document(folder)),
    );
    assert.match(text, /documentVersion = "99\.0\.0"/);
    assert.match(text, /object\("MaintenanceWindow", \{[^}]*note: z\.string\(\)\.max\(9\)\.optional\(\),/);
  });

  it("fail to be written for an operation that a newer document has no more", async () => {
    const { Document } = await tool<Reader>("document/read.mjs");
    const { requestsOf } = await tool<Generator>("document/requests.mjs");
    await withChanged(
      ({ paths }) => delete paths["/projects/{project_id}/permissions"]?.["post"],
      async (folder) => {
        await assert.rejects(requestsOf(new Document(folder)), /no operation grantPermissionToProject/);
      },
    );
  });
});

describe("tools: what a newer document changes", () => {
  it("is nothing from one document to the same one", async () => {
    const { Document } = await tool<Reader>("document/read.mjs");
    const { changesOf } = await tool<Changes>("document/changes.mjs");
    assert.deepEqual(changesOf(new Document(), new Document()).slice(1), [
      "nothing that is sent or served has changed.",
    ]);
  });

  it("is said of each operation that is sent or served, and of the others by name only", async () => {
    const { Document } = await tool<Reader>("document/read.mjs");
    const { changesOf } = await tool<Changes>("document/changes.mjs");
    const lines = await withChanged(
      ({ paths, components: { schemas } }) => {
        const { properties = {}, required = [] } = schemas["AddProjectJWKSRequest"] ?? {};
        properties["purpose"] = { type: "string", enum: ["sign-in"] };
        required.push("purpose");
        delete properties["jwt_audience"];
        properties["branch_id"] = { type: "string", maxLength: 60 };
        paths["/regions"]?.["get"]?.parameters?.push({ name: "plan", in: "query", schema: { type: "string" } });
        delete paths["/users/me/projects/transfer"];
        delete paths["/projects/auth/keys"];
      },
      async (folder) => await Promise.resolve(changesOf(new Document(), new Document(folder))),
    );
    assert.deepEqual(lines.slice(1), [
      "POST /projects/{project_id}/jwks (sent, served)",
      '  ~ body.branch_id: string, optional, pattern "^[a-z0-9-]{1,60}$" → string, optional, maxLength 60',
      "  - body.jwt_audience: string, optional",
      '  + body.purpose: string, required, enum ["sign-in"]',
      "GET /regions (sent, served)",
      "  + query plan: string, optional",
      "POST /users/me/projects/transfer (served) is gone",
      "Neither sent nor served: POST /projects/auth/keys is gone.",
    ]);
  });
});
