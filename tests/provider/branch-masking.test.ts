import assert from "node:assert/strict";

import { describe, it } from "mocha";

import type { Values } from "../support/provider-server";
import { failsWith, refusesInputs } from "../support/expected-errors";
import { suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

const column = { databaseName: "neondb", schemaName: "public", tableName: "customer", columnName: "email" };
const byFunction = { ...column, maskingFunction: "anon.fake_email()" };
const byValue = { ...column, maskingValue: "hidden" };
const onWire = {
  database_name: "neondb",
  schema_name: "public",
  table_name: "customer",
  column_name: "email",
  masking_function: "anon.fake_email()",
};

describe("Branch › maskingRules", () => {
  const stage = suiteStage();

  const declare = async (more: Values = {}): Promise<Values> => ({
    projectId: (await stage().project()).id,
    name: stage().name("masked"),
    annotations: { team: "shop" },
    maskingRules: [byFunction],
    ...more,
  });
  /** A masked branch in the state. */
  const created = async (more?: Values) => {
    const declared = await declare(more);
    const resource = stage().resource("Branch");
    assert.equal(await resource.up(declared), "create");
    return { declared, resource };
  };
  const pathOf = ({ projectId, branchId }: Values, end: string): string =>
    `/projects/${String(projectId)}/branches/${String(branchId)}/${end}`;
  const stateOf = async (outputs: Values): Promise<unknown> =>
    ((await stage().platform.call("GET", pathOf(outputs, "anonymized_status"))).body as unknown as Values)["state"];
  const failing = {
    status: 200,
    body: { branch_id: "br", state: "error", status_message: "no such table", updated_at: "" },
  };
  const status = { method: "GET", path: "/anonymized_status$" };

  it("waits until the data is masked, and hides the annotation that Neon adds", async () => {
    const { resource } = await created();
    assert.equal(await stateOf(resource.outputs), "anonymized");
    const { maskingRules, maskingState, annotations } = resource.outputs;
    assert.deepEqual([maskingRules, maskingState, annotations], [[byFunction], "anonymized", { team: "shop" }]);
  });

  it("keeps the rules while the program omits them, and changes them when it declares others", async () => {
    const { declared, resource } = await created();
    const { maskingRules: _, ...without } = declared;
    assert.equal(await resource.up(without), "same");
    assert.deepEqual(resource.outputs["maskingRules"], [byFunction]);
    assert.equal(await resource.up(declared), "same");
    for (const maskingRules of [[], [byValue]]) {
      assert.equal(await resource.up({ ...declared, maskingRules }), "update");
      assert.deepEqual(resource.outputs["maskingRules"], maskingRules);
      await assertUpToDate(stage(), resource, { ...declared, maskingRules });
    }
    const two = [byValue, { ...byFunction, columnName: "name" }];
    assert.equal(await resource.up({ ...declared, maskingRules: two }), "update");
    assert.equal(await resource.up({ ...declared, maskingRules: two.toReversed() }), "same", "the order means nothing");
  });

  it("masks the data again after a refresh that finds the rules of a run that was killed before it masked", async () => {
    const { declared, resource } = await created();
    const changed = { ...declared, maskingRules: [byFunction, { ...byValue, columnName: "name" }] };
    const rules = [onWire, { ...onWire, column_name: "name", masking_function: undefined, masking_value: "hidden" }];
    await stage().platform.call("PATCH", pathOf(resource.outputs, "masking_rules"), { masking_rules: rules });
    assert.equal(await resource.refresh(), "changed");
    assert.equal(resource.outputs["maskingRules"], undefined, "none is in effect");
    const sent = await stage().sentBy("", async () => assert.equal(await resource.up(changed), "update"));
    assert.match(sent.at(-1)?.path ?? "", /\/anonymize$/);
    await assertUpToDate(stage(), resource, changed);
  });

  for (const starts of [true, false]) {
    it(`is adopted once its data is masked, also if masking had ${starts ? "not ended" : "never begun"}`, async () => {
      const { projectId, name, maskingRules } = await declare();
      const body = { branch_create: { branch: { name } }, masking_rules: [onWire], start_anonymization: starts };
      await stage().platform.call("POST", `/projects/${String(projectId)}/branch_anonymized`, body);
      const resource = stage().resource("Branch");
      const declared = { projectId, name, maskingRules, adopt: true };
      assert.equal(await resource.up(declared), "create");
      assert.equal(await stateOf(resource.outputs), "anonymized");
      assert.equal(resource.outputs["maskingState"], "anonymized");
      await assertUpToDate(stage(), resource, declared);
    });
  }

  it("fails to be adopted while its data cannot be masked, and is masked by corrected rules", async () => {
    const { projectId, name, maskingRules } = await declare();
    const wrong = { ...onWire, database_name: "nope" };
    const body = { branch_create: { branch: { name } }, masking_rules: [wrong], start_anonymization: true };
    await stage().platform.call("POST", `/projects/${String(projectId)}/branch_anonymized`, body);
    const resource = stage().resource("Branch");
    const declared = { projectId, name, maskingRules: [{ ...byFunction, databaseName: "nope" }], adopt: true };
    await assert.rejects(resource.up(declared), failsWith('"nope" does not exist', "Correct `maskingRules`"));
    assert.equal(await resource.up({ ...declared, maskingRules }), "update");
    assert.equal(await stateOf(resource.outputs), "anonymized");
  });

  it("is masked by corrected rules if the first ones fail", async () => {
    const corrected = await declare();
    const resource = stage().resource("Branch");
    const wrong = { ...corrected, maskingRules: [{ ...byFunction, databaseName: "nope" }] };
    for (const _ of ["created", "resumed"]) {
      await assert.rejects(resource.up(wrong), failsWith('"nope" does not exist', "Correct `maskingRules`"));
    }
    const { id } = resource.present;
    assert.equal(await resource.up(corrected), "update");
    assert.equal(resource.id, id);
    assert.equal(await stateOf(resource.outputs), "anonymized");
    await assertUpToDate(stage(), resource, corrected);
  });

  it("masks again with the next up if the start of a change fails, although the rules are changed", async () => {
    const { declared, resource } = await created();
    const changed = { ...declared, maskingRules: [byValue] };
    await stage().platform.fault({
      method: "POST",
      path: "/anonymize$",
      status: 400,
      body: { code: "", message: "no" },
    });
    await assert.rejects(resource.up(changed), failsWith("HTTP 400: no"));
    const sent = await stage().sentBy("/anonymize", async () => assert.equal(await resource.up(changed), "update"));
    assert.equal(sent.length, 1);
    await assertUpToDate(stage(), resource, changed);
  });

  it("masks the data if the response to the start is lost", async () => {
    const { declared, resource } = await created();
    const changed = { ...declared, maskingRules: [byValue] };
    await stage().platform.fault({ method: "POST", path: "/anonymize$", reset: "after" });
    assert.equal(await resource.up(changed), "update");
    assert.equal(await stateOf(resource.outputs), "anonymized");
    await assertUpToDate(stage(), resource, changed);
  });

  it("replaces a branch in the next up whose data could never be prepared", async () => {
    const declared = await declare();
    const resource = stage().resource("Branch");
    const body = { ...failing.body, state: "initialization_error" };
    await stage().platform.fault({ ...status, status: 200, body, times: 4 });
    await assert.rejects(resource.up(declared), failsWith("no such table", "never became usable"));
    await stage().platform.clearFaults();
    const { id } = resource.present;
    assert.equal(await resource.up(declared), "replace");
    assert.notEqual(resource.id, id);
    await assertUpToDate(stage(), resource, declared);
  });

  it("refuses rules for a branch without any, and takes them for the branch that replaces it", async () => {
    const { id: projectId } = await stage().project();
    const program = { projectId, name: stage().name("plain"), maskingRules: [byFunction] };
    const resource = stage().resource("Branch");
    await resource.up({ ...program, maskingRules: undefined });
    await assert.rejects(
      resource.up(program),
      refusesInputs({ maskingRules: /can only be declared when the branch is created/ }),
    );
    const parentId = (await stage().branch(projectId)).id;
    assert.equal(await resource.up({ ...program, parentId }), "replace");
    assert.equal(await stateOf(resource.outputs), "anonymized");
  });
});
