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

  it("creates the branch with one request, and waits until its data is masked", async () => {
    const declared = await declare();
    const resource = stage().resource("Branch");
    const sent = await stage().sentBy("", async () => assert.equal(await resource.up(declared), "create"));
    assert.deepEqual(
      sent.map(({ method, path }) => [method, path]),
      [["POST", `/projects/${String(declared["projectId"])}/branch_anonymized`]],
    );
    const [{ body } = { body: {} }] = sent;
    const { masking_rules, start_anonymization, branch_create } = body as Values;
    assert.deepEqual([masking_rules, start_anonymization], [[onWire], true]);
    assert.deepEqual(branch_create, { branch: { name: declared["name"] } });
    assert.equal(await stateOf(resource.outputs), "anonymized");
    const { maskingRules, maskingState, annotations } = resource.outputs;
    assert.deepEqual([maskingRules, maskingState], [[byFunction], "anonymized"]);
    assert.deepEqual(annotations, { team: "shop" }, "Neon's own annotation is hidden");
    await assertUpToDate(stage(), resource, declared);
    await resource.destroy();
  });

  it("changes the rules in place, and masks the data again", async () => {
    const { declared, resource } = await created();
    const changed = { ...declared, maskingRules: [byValue, { ...byFunction, columnName: "name" }] };
    const sent = await stage().sentBy("", async () => assert.equal(await resource.up(changed), "update"));
    assert.deepEqual(
      sent.map(({ method, path }) => [method, path]),
      [
        ["PATCH", pathOf(resource.outputs, "masking_rules")],
        ["POST", pathOf(resource.outputs, "anonymize")],
      ],
    );
    assert.equal(resource.outputs["maskingState"], "anonymized");
    await assertUpToDate(stage(), resource, changed);
    const reordered = { ...changed, maskingRules: [...changed.maskingRules].reverse() };
    assert.equal(await resource.up(reordered), "same", "the order means nothing");
  });

  it("keeps the rules while the program omits them, and changes them when it declares others", async () => {
    const { declared, resource } = await created();
    const { maskingRules: _, ...without } = declared;
    assert.equal(await resource.up(without), "same");
    assert.deepEqual(resource.outputs["maskingRules"], [byFunction]);
    for (const maskingRules of [[], [byValue]]) {
      assert.equal(await resource.up({ ...declared, maskingRules }), "update");
      assert.deepEqual(resource.outputs["maskingRules"], maskingRules);
      await assertUpToDate(stage(), resource, { ...declared, maskingRules });
    }
  });

  it("reports rules that somebody else has changed as drift, and restores them", async () => {
    const { declared, resource } = await created();
    await stage().platform.call("PATCH", pathOf(resource.outputs, "masking_rules"), { masking_rules: [] });
    await resource.refresh();
    assert.equal(await resource.up(declared), "update");
    assert.deepEqual(resource.outputs["maskingRules"], [byFunction]);
    await assertUpToDate(stage(), resource, declared);
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

  it("fails if the data is not masked, keeps the branch, and masks it with the next up", async () => {
    const declared = await declare();
    const resource = stage().resource("Branch");
    await stage().platform.fault({ ...status, ...failing, times: 2 });
    await assert.rejects(resource.up(declared), failsWith("may be unmasked: no such table", "Correct `maskingRules`"));
    const { id } = resource.present;
    assert.equal(await resource.up(declared), "update");
    assert.equal(resource.id, id);
    assert.equal(await stateOf(resource.outputs), "anonymized");
    await assertUpToDate(stage(), resource, declared);
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

  for (const [request, method, path] of [
    ["the rules", "PATCH", "/masking_rules$"],
    ["the start", "POST", "/anonymize$"],
  ] as const) {
    it(`finds out what has become of ${request} if the response is lost`, async () => {
      const { declared, resource } = await created();
      const changed = { ...declared, maskingRules: [byValue] };
      await stage().platform.fault({ method, path, reset: "after" });
      const sent = await stage().sentBy("/branches/", async () => assert.equal(await resource.up(changed), "update"));
      // To mask masked data again does no harm.
      assert.equal(sent.filter((one) => one.method === "PATCH").length, 1);
      assert.equal(await stateOf(resource.outputs), "anonymized");
      await assertUpToDate(stage(), resource, changed);
    });
  }

  it("finds a masked branch whose creation was not answered by its tag", async () => {
    const declared = await declare();
    const resource = stage().resource("Branch");
    await stage().platform.fault({ method: "POST", path: "/branch_anonymized$", reset: "after" });
    assert.equal(await resource.up(declared), "create");
    assert.equal(await stateOf(resource.outputs), "anonymized");
    assert.equal((await stage().branches(String(declared["projectId"]))).length, 2);
    await assertUpToDate(stage(), resource, declared);
  });

  it("adopts a masked branch with its rules", async () => {
    const { declared, resource } = await created();
    const other = await stage().nextRun(stage().resource("Branch"));
    const sent = await stage().sentBy("", async () => {
      assert.equal(await other.up({ ...declared, adopt: true }), "create");
    });
    assert.deepEqual(sent, []);
    assert.equal(other.id, resource.id);
    assert.deepEqual(other.outputs["maskingRules"], [byFunction]);
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

  it("takes rules that the program declares again, and rules for the branch that replaces one without any", async () => {
    const { declared, resource } = await created();
    const { maskingRules: _, ...without } = declared;
    assert.equal(await resource.up(without), "same");
    assert.equal(await resource.up(declared), "same");
    await resource.up(without);
    assert.equal(await resource.up({ ...declared, maskingRules: [byValue] }), "update");
    assert.deepEqual(resource.outputs["maskingRules"], [byValue]);
    const other = stage().resource("Branch");
    const { projectId } = declared;
    const name = stage().name("plain");
    await other.up({ projectId, name });
    const parentId = (await stage().branch(String(projectId))).id;
    assert.equal(await other.up({ projectId, name, parentId, maskingRules: [byFunction] }), "replace");
    assert.equal(await stateOf(other.outputs), "anonymized");
  });

  it("refuses rules for a branch without any, without a mask, and with a restore", async () => {
    const { projectId } = await declare();
    const plainBranch = { projectId, name: stage().name("plain") };
    const resource = stage().resource("Branch");
    await resource.up(plainBranch);
    await assert.rejects(
      resource.up({ ...plainBranch, maskingRules: [byValue] }),
      refusesInputs({ maskingRules: /can only be declared when the branch is created/ }),
    );
    for (const rule of [column, { ...byValue, ...byFunction }]) {
      await assert.rejects(
        stage()
          .resource("Branch")
          .up({ ...plainBranch, maskingRules: [rule] }),
        refusesInputs({ "maskingRules.0": /needs a maskingFunction or a maskingValue/ }),
      );
    }
    await assert.rejects(
      stage()
        .resource("Branch")
        .up({ ...plainBranch, maskingRules: [byValue], resetTrigger: "1" }),
      refusesInputs({ resetTrigger: /data that is not masked/ }),
    );
  });
});
