import assert from "node:assert/strict";

import { describe } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { CallError, type Values } from "../support/provider-server";
import { samples } from "../support/samples";
import { onStages, type Stage } from "../support/stage";
import { programmingError } from "../support/unusual-values";

/** Invalid values of the hidden output in a state that somebody has edited or merged. */
const notOurs: readonly unknown[] = [
  "text",
  5,
  [],
  { version: "1" },
  { version: 0 },
  { version: 1.5 },
  { version: 99 },
  { version: 1, urn: 5, declared: [] },
  { version: 1, declared: "projectId" },
  { version: 1, declared: [["projectId"]] },
  { version: 1, declared: [], creationId: {} },
  { version: 1, declared: [], adoptionId: 5 },
  { version: 1, declared: [], evidence: "none" },
  { version: 1, declared: [], pending: true },
  { version: 1, declared: [], pending: { step: "dance", operations: [], applies: [], reason: "" } },
  { version: 1, declared: [], pending: { step: "create", operations: "all", applies: [], reason: "" } },
  { version: 1, declared: [], pending: { step: "create", operations: [{}], applies: [], reason: "" } },
  { version: 1, declared: [], pending: { step: "update", operations: [], applies: [5], reason: "" } },
];
const noAddress: readonly unknown[] = [undefined, null, "", false, {}, ["a"]];
const wrongValues: readonly unknown[] = [undefined, null, "", 5, {}, ["a"], "a/b", "%zz"];

/** The errors for an invalid state. */
const answer =
  /cannot be read: its member [\w.]+ is .* Nothing was changed\.|was written by a newer neon-pulumi \(format 99; this one reads formats up to 1\)|is not a valid .+ id\. The form/;

/** Calls a kind with invalid states. @returns how many there are */
async function garbledStates(stage: Stage, kind: KindName): Promise<number> {
  const sample = samples[kind];
  // Of the default branch, only what a state says is known.
  stage.platform.causedDifferences.push(/path parameter branch_id "(\[object Object\]|a\/b|%zz)"/);
  const declared = await sample.declare(stage);
  const resource = stage.resource(kind);
  await resource.up(declared);
  const { id, inputs, outputs } = resource.present;
  const { server } = stage;
  const sentBefore = (await stage.sent()).length;
  let states = 0;
  const verbs = (of: string, state: Values): readonly (() => Promise<unknown>)[] => [
    () => server.diff(kind, of, state, inputs),
    () => server.read(kind, of, state),
    () => server.update(kind, of, state, inputs),
    () => server.delete(kind, of, state),
  ];
  const refused = async (what: string, of: string, state: Values): Promise<void> => {
    states += 1;
    for (const verb of verbs(of, state)) {
      const error: unknown = await verb().catch((reason: unknown) => reason);
      assert.ok(error instanceof CallError, `${what} was taken for a state`);
      assert.match(error.message, answer, what);
      assert.doesNotMatch(error.message, programmingError);
      assert.equal(error.partial, undefined);
    }
  };
  for (const own of notOurs) await refused(JSON.stringify(own), id, { ...outputs, __neon: own });
  for (const name of addressOf(kind, id)) {
    const { [name]: _, ...rest } = outputs;
    for (const value of noAddress) {
      await refused(`${name}: ${JSON.stringify(value)}`, id, value === undefined ? rest : { ...rest, [name]: value });
    }
  }
  // Without the provider's text, an engine could not even ask a dynamic provider.
  const bare = "__provider" in outputs ? { __provider: outputs["__provider"] } : {};
  // An import through the plugin also takes the last part of an id alone, as the Terraform providers write it.
  const last = server.door === "dynamic" ? [id.split("/").slice(1).join("/")] : [];
  const emptied = [id.replace(/^[^/]*/, ""), id.replace(/[^/]*$/, "")];
  for (const wrong of ["", `${id}/more`, `/${id}`, ...emptied, ...last]) await refused(wrong, wrong, bare);
  // Other outputs are only compared with the platform, or replaced by its values.
  for (const name of Object.keys(outputs).filter((one) => !one.startsWith("__"))) {
    if (addressOf(kind, id).includes(name)) continue;
    for (const value of wrongValues) {
      states += 1;
      for (const verb of verbs(id, { ...outputs, [name]: value }).slice(0, 2)) {
        const error: unknown = await verb().catch((reason: unknown) => reason);
        if (error instanceof CallError)
          assert.doesNotMatch(error.message, programmingError, `${name}: ${JSON.stringify(value)}`);
      }
    }
  }
  assert.equal((await stage.sent()).length, sentBefore, "something was changed");
  assert.ok(await sample.exists(stage, outputs));
  assert.equal(await resource.refresh(), "same");
  await resource.destroy();
  return states;
}

/** The outputs that the id of this kind consists of. */
function addressOf(kind: KindName, id: string): string[] {
  const { address } = samples[kind].definition as unknown as { address: (id: string) => object };
  return Object.keys(address(id));
}

describe("state › that was edited by hand", () => {
  // One provider process would wait for the rate limit, a minute long.
  const test = onStages(2);

  // Ids in the state with one part, two parts and three parts, and that of a key, which is read in another way.
  for (const kind of ["Project", "Branch", "Role", "OrganizationApiKey"] satisfies KindName[]) {
    test(`is rejected by ${kind} in one sentence, and changes nothing`, async (stage) => {
      assert.ok((await garbledStates(stage, kind)) > 20);
    });
  }
});
