import assert from "node:assert/strict";

import { describe } from "mocha";

import { failsWith } from "../support/expected-errors";
import { branchIdOf, createdBranch } from "../support/created-branch";
import { onStages } from "../support/stage";

/** The answers to a second read-write compute of a branch. */
const answers = [409, 422, 400].map((status) => ({
  status,
  body: { code: "ENDPOINTS_LIMIT_EXCEEDED", message: "read_write endpoint already exists" },
}));

describe("a read-write compute that somebody else creates in between", () => {
  const test = onStages(2);

  for (const answer of answers) {
    const fault = { method: "POST", path: "/endpoints$", ...answer };

    test(`is named, with the way to take it, if an Endpoint is refused with HTTP ${answer.status}`, async (stage) => {
      const { id: projectId } = await stage.project();
      const { id: branchId } = await stage.branch(projectId);
      const args = { projectId, branchId, type: "read_write" };
      const compute = stage.resource("Endpoint");
      // This process has seen none.
      await compute.preview(args);
      const made = await stage.platform.call("POST", `/projects/${projectId}/endpoints`, {
        endpoint: { branch_id: branchId, type: "read_write" },
      });
      await stage.settled(projectId);
      await stage.platform.fault(fault);
      await assert.rejects(compute.up(args), failsWith(made.body.endpoint.id, "already exists", "NEON_ADOPT=true"));
    });

    test(`is named, with the way to take it, if Branch.compute is refused with HTTP ${answer.status}`, async (stage) => {
      const { branch, program, projectId } = await createdBranch(stage);
      const made = await stage.platform.call("POST", `/projects/${projectId}/endpoints`, {
        endpoint: { branch_id: branchIdOf(branch), type: "read_write" },
      });
      await stage.settled(projectId);
      await stage.platform.fault(fault);
      await assert.rejects(
        branch.up({ ...program, compute: {} }),
        failsWith(`already has a read-write compute that is not in the state: ${made.body.endpoint.id}`),
      );
    });
  }
});
