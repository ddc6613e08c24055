import { describe, it } from "mocha";
import { suiteBranches } from "./support/branches";
import { assertError } from "./support/responses";

describe("local platform: branch limits", () => {
  const { project } = suiteBranches();

  it("create and update reject a sixth protected branch and a 26th root branch", async () => {
    const { call, branch } = await project();
    for (let created = 0; created < 5; created += 1) await branch({ branch: { protected: true } });
    const { branch: sixth } = await branch();
    const protect = { branch: { protected: true } };
    const protectedLimit = [422, /limit of 5 protected branches/, "BRANCHES_PROTECTED_LIMIT_EXCEEDED"] as const;
    assertError(await call("PATCH", `/${sixth.id}`, protect), ...protectedLimit);
    assertError(await call("POST", "", protect), ...protectedLimit);
    for (let roots = 1; roots < 25; roots += 1) await branch({ branch: { init_source: "schema-only" } });
    const root = await call("POST", "", { branch: { init_source: "schema-only" } });
    assertError(root, 422, /limit of 25 root branches/, "ROOT_BRANCHES_LIMIT_EXCEEDED");
  });
});
