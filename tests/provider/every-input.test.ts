import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import { withValue } from "../../provider/values";
import type { Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { suiteStage } from "../support/stage";
import { assertUnchanged, assertUpToDate } from "../support/up-to-date";
import { cases, memberAt } from "./every-input-cases";

describe("every input", () => {
  const stage = suiteStage();

  for (const [title, declared] of Object.entries(cases)) {
    describe(title, () => {
      const {
        kind,
        base,
        constant = [],
        updated,
        replaced,
        deletesFirst,
        lost,
        created,
        patched,
        cleared = [],
      } = declared;
      let resource: EngineResource;
      let program: Values;
      before(async () => {
        resource = stage().resource(kind);
        program = await base(stage());
        for (const [path, value] of [...constant, ...updated, ...replaced]) {
          if (value !== undefined) program = withValue(program, path.split("."), value);
        }
        if (kind === "Branch") program = { name: resource.name, ...program };
      });

      it("is sent in the one request that creates the object", async () => {
        const text = String(program["projectId"] ?? program["name"]);
        const [creation, ...others] = await stage().sentBy(text, async () =>
          assert.equal(await resource.up(program), "create"),
        );
        assert.deepEqual(others, []);
        const [, tag] =
          /"neon-pulumi":"([0-9a-f]{24}\.[0-9a-f]{24}\.[0-9a-f]{16})"/.exec(JSON.stringify(creation?.body)) ?? [];
        assert.equal(tag === undefined, kind === "Endpoint");
        assert.deepEqual(creation?.body, created(program, { "neon-pulumi": tag }));
        await assertUpToDate(stage(), resource, program);
      });

      for (const [path, , to] of updated) {
        it(`${path} is changed in place, with exactly that in the request`, async () => {
          program = withValue(program, path.split("."), to);
          const sent = await stage().sentBy(String(resource.outputs["projectId"]), async () =>
            assert.equal(await resource.up(program), "update"),
          );
          assert.deepEqual(sent, [{ method: "PATCH", ...patched(resource.outputs, memberAt(program, path)) }]);
          await assertUpToDate(stage(), resource, program);
        });
      }

      for (const [path, , to] of replaced) {
        it(`${path} replaces the object when it changes, with a warning`, async () => {
          const plan = await resource.preview(withValue(program, path.split("."), to));
          assert.deepEqual(plan.replaces, [path.split(".", 1)[0]]);
          assert.deepEqual([plan.step, plan.deleteBeforeReplace], ["replace", deletesFirst]);
          const said = resource.said("warning").at(-1) ?? "";
          assert.ok(said.startsWith(`Changing \`${path}\` replaces this ${kind.toLowerCase()}. `), said);
          assert.match(said, lost ?? assert.fail());
        });
      }

      it("is ignored when the program omits it, unless its removal is a change", async () => {
        const required = new Set([...Object.keys(await base(stage())), ...cleared, "name"]);
        const kept = Object.fromEntries(Object.entries(program).filter(([name]) => required.has(name)));
        await assertUnchanged(stage(), resource, kept);
        assert.equal(await resource.refresh(), "same");
      });
    });
  }
});
