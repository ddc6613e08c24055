import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { fromWire } from "../../../api/core/camel-case";
import { kinds } from "../../../provider/kinds";
import { decoded } from "../../../provider/pulumi/wire";
import { leafPaths } from "../../../provider/values";
import type { EngineResource } from "../../support/engine";
import { unknownText, type Values } from "../../support/provider-server";
import { changed, type Sample, titleOf } from "../../support/sample";
import { everySample, samples } from "../../support/samples";
import { type SentBy, suiteServer, suiteStage } from "../../support/stage";
import { assertUpToDate } from "../../support/up-to-date";

/** The header fields of an object, which an upload sets besides its type. */
const fields = ["cacheControl", "contentDisposition", "contentEncoding", "metadata"];

/** Inputs that a request applies as a whole, or that its body names otherwise, by the end of its path. */
const applied: readonly { readonly path: RegExp; readonly inputs: (body: Values) => readonly string[] }[] = [
  { path: /\/endpoints$/, inputs: () => ["compute"] },
  { path: /\/set_as_default$/, inputs: () => ["default"] },
  { path: /\/(suspend|start)$/, inputs: () => ["state"] },
  { path: /\/masking_rules$/, inputs: () => ["maskingRules"] },
  { path: /\/anonymize$/, inputs: () => [] },
  { path: /\/backup_schedule$/, inputs: () => ["schedule"] },
  { path: /\/email_provider$/, inputs: () => ["emailProvider", "emailProviderPassword"] },
  { path: /\/email_and_password$/, inputs: () => ["emailAndPassword"] },
  { path: /\/plugins\/.*$/, inputs: () => ["plugins"] },
  { path: /\/webhooks$/, inputs: () => ["webhooks"] },
  { path: /^\/storage\//, inputs: () => ["source", "contentType", ...fields] },
  { path: /\/triggers\/[^/]+$/, inputs: ({ type: _, ...members }) => Object.keys(members) },
];

/** The inputs at the top that a request changes. */
function inputsOf({ path, body }: SentBy): readonly string[] {
  const { inputs } = applied.find((one) => one.path.test(path)) ?? {};
  const members: Values = fromWire((body ?? {}) as Values);
  if (inputs !== undefined) return inputs(members);
  const [wrapper = ""] = Object.keys(members);
  const isWrapped = ["branch", "endpoint", "project", "database", "snapshot", "jwks"].includes(wrapper);
  return Object.keys(isWrapped ? (members[wrapper] as Values) : members);
}

describe("existing › preview › says what adopting changes", () => {
  const stage = suiteStage();
  const next = suiteServer(stage);

  /** Asserts that a preview says the same if it knows the parents by the whole id only. */
  async function assertSaidAgain(resource: EngineResource, args: Values, id: string): Promise<void> {
    const linesOf = (): string[] => [...resource.said("progress"), ...resource.said("warning")].sort();
    const before = linesOf();
    const parents = kinds[resource.kind].addressNames.slice(0, -1).filter((name) => name in args);
    const unknown = Object.fromEntries(parents.map((name) => [name, unknownText]));
    await resource.preview({ ...args, ...unknown, adopt: id });
    assert.deepEqual(linesOf(), [...before, ...before].sort());
  }

  for (const { sample, without } of everySample.flatMap(programsOf)) {
    const omitted = without.length === 0 ? "" : `, without ${without.join(" and ")}`;
    it(`is what is sent: ${titleOf(sample)}${omitted}`, async () => {
      const declared = await sample.declare(stage());
      const theirs = stage().resource(sample.kind);
      await theirs.up(declared);
      const args = {
        ...everyChange(sample, declared, theirs.outputs, without),
        adopt: sample.adopt(theirs.outputs),
      };
      const resource = stage().resource(sample.kind);
      resource.server = next();
      assert.deepEqual(await stage().sentBy("", () => resource.preview(args)), []);
      assert.deepEqual(resource.said("progress"), [`adopts ${theirs.id}`]);
      const said = resource.said("warning").filter((text) => text.startsWith("Adopting the "));
      await assertSaidAgain(resource, args, theirs.id);
      const named = [...said.join("").matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
      const sent = await stage().sentBy("", async () => assert.equal(await resource.up(args), "create"));
      const tops = (paths: readonly string[]): readonly string[] =>
        [...new Set(paths.map((path) => path.split(".", 1)[0] ?? path))].sort();
      const { inputOf = {} } = sample;
      const inputs = sent.flatMap(inputsOf).map((name) => (name in args ? name : (inputOf[name] ?? name)));
      assert.deepEqual(tops(inputs), tops(named), JSON.stringify(sent));
      for (const path of named) assert.ok(leafPaths(decoded(args).value as Values).includes(path), path);
      await assertUpToDate(stage(), resource, args);
    });
  }
});

describe("existing › preview", () => {
  const stage = suiteStage();
  const next = suiteServer(stage);

  for (const { kind, declare, adopt } of [samples.Branch, samples.Project, samples.Endpoint]) {
    it(`says nothing of the name if the program declares none, and the name stays: ${kind}`, async () => {
      const { name = "theirs", ...declared } = await declare(stage());
      const theirs = stage().resource(kind);
      await theirs.up({ ...declared, name });
      const args = { ...declared, adopt: adopt(theirs.outputs) };
      const resource = stage().resourceOf(next(), kind);
      await resource.preview(args);
      assert.ok(resource.said("warning").every((text) => !text.includes("`name`")));
      await resource.up(args);
      assert.equal(resource.outputs["name"], name);
    });
  }

  it("says which name is adopted on a branch that only the run knows", async () => {
    const resource = stage().resource("Role");
    await resource.preview({ projectId: (await stage().project()).id, branchId: unknownText, adopt: "app" });
    assert.deepEqual(resource.said("progress"), ["adopts app"]);
  });

  it("says that `true` creates what does not exist", async () => {
    const resource = stage().resource("Project");
    await resource.preview({ adopt: true });
    assert.deepEqual(resource.said("progress"), ["creates"]);
  });
});

/** The programs that change everything in place which the sample of a kind changes, each without some inputs. */
function programsOf(sample: Sample): readonly { readonly sample: Sample; readonly without: readonly string[] }[] {
  const { variant, inPlace, alternatives = [[]] } = sample;
  if (inPlace({}, {}).length === 0) return [];
  const all = variant === undefined ? alternatives : [[]];
  return all.map((without) => ({ sample, without }));
}

/** What a program declares with all changes in place but these: the last value of each. */
function everyChange({ inPlace }: Sample, declared: Values, outputs: Values, without: readonly string[]): Values {
  return inPlace(declared, outputs)
    .filter(({ input, to }) => to !== undefined && !without.includes(input))
    .reduce((args, { input, to }) => changed(args, input, to), declared);
}
