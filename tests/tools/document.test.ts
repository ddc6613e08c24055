import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { describe, it } from "mocha";

import { memberRules } from "../../platform/published/rules";
import { tool } from "../support/tool";

interface Generator {
  readonly requestsFile: string;
  readonly requestsOf: () => Promise<string>;
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
});
