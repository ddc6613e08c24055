import assert from "node:assert/strict";

import { describe } from "mocha";

import { defaultsOf } from "../../provider/kind/defaults";
import { ruleFor } from "../../provider/kind/field-rules";
import { kinds } from "../../provider/kinds";
import { codeOf } from "../support/contents";
import type { Values } from "../support/provider-server";
import { changed, titleOf } from "../support/sample";
import { everySample } from "../support/samples";
import { branchPath } from "../support/samples/object";
import { concurrently, type Stage, suiteServer, suiteStage } from "../support/stage";

/** An object that somebody else deletes and creates with another value of an input, under the same id. */
interface Recreated {
  readonly kind: "Bucket" | "CustomDomain" | "Role";
  readonly input: string;
  readonly declare: (stage: Stage, branch: Values) => Values | Promise<Values>;
  /** The path below the branch, and the body of the request that creates it again. */
  readonly path: string;
  readonly list: string;
  readonly body: Values;
}

const recreated: readonly Recreated[] = [
  {
    kind: "Bucket",
    input: "accessLevel",
    declare: (_, branch) => ({ ...branch, name: "files", accessLevel: "private" }),
    path: "/buckets/files",
    list: "/buckets",
    body: { name: "files", access_level: "public_read" },
  },
  {
    kind: "Bucket",
    input: "accessLevel",
    declare: (_, branch) => ({ ...branch, name: "omitted" }),
    path: "/buckets/omitted",
    list: "/buckets",
    body: { name: "omitted", access_level: "public_read" },
  },
  {
    kind: "CustomDomain",
    input: "entityId",
    declare: async (stage, branch) => {
      const code = codeOf("export default { fetch: () => new Response('Hello') };");
      for (const slug of ["api", "web"]) await stage.resource("Function").up({ ...branch, slug, code });
      return { ...branch, domain: "www.drift.example", entityId: "api" };
    },
    path: "/custom-domains/www.drift.example",
    list: "/custom-domains",
    body: { domain: "www.drift.example", entity_type: "function", entity_id: "web" },
  },
  {
    kind: "Role",
    input: "noLogin",
    declare: (_, branch) => ({ ...branch, name: "group", noLogin: true }),
    path: "/roles/group",
    list: "/roles",
    body: { role: { name: "group" } },
  },
];

describe("drift", () => {
  const stage = suiteStage();
  const other = suiteServer(stage);
  const test = concurrently();

  for (const { kind, input, declare, path, list, body } of recreated) {
    test(`${kind} ${path} › a refresh shows another \`${input}\`, and the next \`up\` replaces the resource`, async () => {
      const { id: projectId, branchId } = await stage().project();
      const branch = { projectId, branchId };
      const args = await declare(stage(), branch);
      const resource = stage().resource(kind);
      await resource.up(args);
      await stage().platform.call("DELETE", `${branchPath(branch)}${path}`);
      await stage().settled(projectId);
      await stage().platform.call("POST", `${branchPath(branch)}${list}`, body);
      await stage().settled(projectId);
      assert.equal(await resource.refresh(), "changed");
      assert.equal(await resource.refresh(), "same", "nothing has changed since");
      assert.equal(await resource.up(args), "replace");
      assert.equal(await resource.refresh(), "same");
      assert.equal(await resource.up(args), "same");
    });
  }

  for (const sample of everySample) {
    const { kind } = sample;
    const [known, { rules }] = [defaultsOf(kinds[kind]), kinds[kind]];
    if (known.size === 0) continue;
    test(`${titleOf(sample)} › what it omits is drift only if it had the default that the reference names`, async () => {
      const declared = await sample.declare(stage());
      const resource = stage().resource(kind);
      await resource.up(declared);
      const omitted = sample.inPlace(declared, resource.outputs).filter(({ input, to }) => {
        const isReported = !input.includes(".") && ruleFor(rules, input).platform === undefined;
        return (
          isReported && known.has(input) && declared[input] === undefined && ![undefined, known.get(input)].includes(to)
        );
      });
      // Somebody else sets it: another program that has the object, too.
      const somebody = stage().resourceOf(other(), kind);
      for (const { input, to } of omitted) {
        await somebody.up({ ...changed(declared, input, to), adopt: sample.adopt(resource.outputs) });
        const isIgnored = ruleFor(rules, input).onDrift === "ignore";
        assert.equal(await resource.refresh(), isIgnored ? "same" : "changed", input);
        assert.equal(await resource.up(declared), isIgnored ? "same" : "update", input);
        assert.deepEqual(resource.outputs[input], isIgnored ? to : known.get(input), input);
        assert.equal(await resource.refresh(), "same", input);
        assert.equal(await resource.up(declared), "same", input);
      }
    });
  }
});
