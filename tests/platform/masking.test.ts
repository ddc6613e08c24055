import { describe, it } from "mocha";
import assert from "node:assert/strict";

import { suiteProjects } from "./support/project";
import { assertError, namesOf } from "./support/responses";

const rule = {
  database_name: "neondb",
  schema_name: "public",
  table_name: "customer",
  column_name: "email",
  masking_function: "anon.fake_email()",
};

interface Status {
  readonly state: string;
  readonly status_message?: string;
  readonly last_run?: { readonly masked_columns?: number; readonly triggered_by?: string };
}

describe("local platform: masked branches", () => {
  const { project: newProject, platform, finish } = suiteProjects();

  const project = async () => {
    const fixture = await newProject();
    const { call } = fixture;
    return {
      ...fixture,
      create: (body: object) => call("POST", "/branch_anonymized", body),
      statusOf: async (id: string) =>
        (await call("GET", `/branches/${id}/anonymized_status`)).body as unknown as Status,
    };
  };

  it("a branch is initialized, and masked when that is started", async () => {
    const { create, statusOf, send, call, getBranch } = await project();
    const { status, body } = await create({ branch_create: { branch: { name: "masked" } }, masking_rules: [rule] });
    assert.equal(status, 201);
    const { id } = body.branch;
    assert.equal((await statusOf(id)).state, "created");
    assertError(await call("POST", `/branches/${id}/anonymize`), 422, /created/);
    finish();
    assert.equal((await statusOf(id)).state, "initialized");
    assert.equal((await getBranch(id)).name, "masked");
    assert.equal((await call("GET", `/branches/${id}`)).body.annotation.value["anonymized"], "true");
    const started = await call("POST", `/branches/${id}/anonymize`);
    assert.equal((started.body as unknown as Status).state, "anonymizing");
    assertError(await call("POST", `/branches/${id}/anonymize`), 422, /anonymizing/);
    finish();
    const { state, last_run } = await statusOf(id);
    assert.deepEqual([state, last_run?.masked_columns], ["anonymized", 1]);
    assert.match(last_run?.triggered_by ?? "", /^[0-9a-f-]{36}$/);
    const { masking_function: _, ...column } = rule;
    const other = { ...column, masking_value: "hidden" };
    await send("PATCH", `/branches/${id}/masking_rules`, { masking_rules: [other] });
    const { body: rules } = await call("GET", `/branches/${id}/masking_rules`);
    assert.deepEqual(rules, { masking_rules: [other] });
    assert.equal((await statusOf(id)).state, "anonymized");
  });

  it("a masked branch is not restored and keeps its read-write compute, and names both as restricted actions", async () => {
    const { create, call, getBranch } = await project();
    const { body } = await create({ branch_create: { endpoints: [{ type: "read_write" }] } });
    const { id, parent_id } = body.branch;
    finish();
    const { restricted_actions: restricted = [] } = await getBranch(id);
    assert.deepEqual(namesOf(restricted), ["restore", "delete-rw-endpoint"]);
    const refusals = [
      await call("POST", `/branches/${id}/restore`, { source_branch_id: parent_id }),
      await call("DELETE", `/endpoints/${body.endpoints[0]?.id ?? ""}`),
    ];
    for (const [index, refusal] of refusals.entries()) {
      assertError(refusal, 422, new RegExp(`^${restricted[index]?.reason ?? ""}$`));
    }
  });

  it("start_anonymization starts a run, which a rule for an unknown database fails, and the next run can succeed", async () => {
    const { create, statusOf, call, send } = await project();
    const { body } = await create({
      masking_rules: [{ ...rule, database_name: "none" }],
      start_anonymization: true,
    });
    finish();
    const { state, status_message: message } = await statusOf(body.branch.id);
    assert.deepEqual([state, message], ["error", 'database "none" does not exist']);
    await send("PATCH", `/branches/${body.branch.id}/masking_rules`, { masking_rules: [rule] });
    await call("POST", `/branches/${body.branch.id}/anonymize`);
    finish();
    assert.equal((await statusOf(body.branch.id)).state, "anonymized");
  });

  it("a branch that is not created cannot be masked", async () => {
    const { create, statusOf } = await project();
    await platform().fault({ action: "create_branch", end: "error" });
    const { body } = await create({ masking_rules: [rule], start_anonymization: true });
    finish();
    assert.equal((await statusOf(body.branch.id)).state, "initialization_error");
  });

  it("other branches have neither rules nor a state, and a rule needs a function or a value", async () => {
    const { create, call, main } = await project();
    for (const path of ["masking_rules", "anonymized_status"]) {
      assertError(await call("GET", `/branches/${main.id}/${path}`), 404, /anonymized branch not found/);
    }
    assertError(await create({ masking_rules: [{ ...rule, masking_value: "x" }] }), 400, /function or a value/);
  });
});
