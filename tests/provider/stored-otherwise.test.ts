import assert from "node:assert/strict";

import { afterEach, before, describe, it } from "mocha";

import { kinds } from "../../provider/kinds";
import { declaredPaths } from "../../provider/kind/differences";
import { ruleFor } from "../../provider/kind/field-rules";
import { storedOtherwise } from "../../provider/lifecycle/stored-otherwise";
import { Content } from "../../provider/content";
import { decoded } from "../../provider/pulumi/wire";
import { atPath, type Values, withValue } from "../../provider/values";
import type { EngineResource } from "../support/engine";
import { suiteGated } from "../support/gated";
import { everySample } from "../support/samples";
import { titleOf } from "../support/sample";
import { suiteStage } from "../support/stage";
import { objectOf } from "../support/unusual-values";

const stage = suiteStage({ isServed: false });

function warnings(resource: EngineResource): string[] {
  return resource.said("warning").filter((text) => text.includes("stored something else than declared"));
}

/** Another value of the same type. */
function other(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return "2031-05-06T07:08:09Z";
  return Array.isArray(value) ? [...(value as readonly unknown[]), "other"] : { other: "other" };
}

/** A body in which every member of this name has another value. */
function reworded(body: unknown, name: string, value: unknown): unknown {
  if (Array.isArray(body)) return body.map((item) => reworded(item, name, value));
  if (typeof body !== "object" || body === null) return body;
  return objectOf(
    Object.entries(body).map(([key, member]) => [key, key === name ? value : reworded(member, name, value)]),
  );
}

describe("a value that the platform stores otherwise than declared", () => {
  const { gate, server } = suiteGated(stage);
  let projectId: string;
  let branchId: string;
  before(async () => ({ id: projectId, branchId } = await stage().project()));
  afterEach(() => (gate().reword = undefined));

  function storing(name: string, value: unknown): void {
    gate().reword = (_method, _path, status, body) => (status < 300 ? reworded(body, name, value) : body);
  }

  it("is named in a warning when it is created, and when it is sent again, not by a refresh and not by a preview", async () => {
    const args = { projectId, branchId, type: "read_only", suspendTimeoutSeconds: 600 };
    const replica = stage().resourceOf(server(), "Endpoint");
    storing("suspend_timeout_seconds", 300);
    await replica.up(args);
    assert.deepEqual(warnings(replica), [
      "Neon accepted this compute, but stored something else than declared for `suspendTimeoutSeconds`. Your plan may limit it. `pulumi preview` shows what Neon has stored, and each `pulumi up` sends the declared value again. Declare what is stored, or omit the property.",
    ]);
    assert.equal(replica.outputs["suspendTimeoutSeconds"], 300);
    await replica.refresh();
    assert.equal((await replica.preview(args)).step, "update");
    assert.equal(warnings(replica).length, 1);
    assert.equal(await replica.up({ ...args, suspendTimeoutSeconds: 900 }), "update");
    assert.equal(warnings(replica).length, 2);
    assert.equal(await replica.up({ ...args, suspendTimeoutSeconds: 300 }), "same");
    assert.equal(warnings(replica).length, 2);
  });

  it("is named by its path, of several ones together, and without its value", async () => {
    const project = stage().resourceOf(server(), "Project");
    gate().reword = (_method, _path, status, body) =>
      status < 300 ? reworded(reworded(body, "active_time_seconds", 4711), "history_retention_seconds", 4712) : body;
    await project.up({ historyRetentionSeconds: 3600, settings: { quota: { activeTimeSeconds: 36_000 } } });
    const [text = ""] = warnings(project);
    assert.match(text, /for `historyRetentionSeconds`, `settings\.quota\.activeTimeSeconds`\./);
    assert.doesNotMatch(text, /4711|4712|3600/);
  });

  it("is named where a change of it would replace the object: the state keeps the declared value", async () => {
    const branch = stage().resourceOf(server(), "Branch");
    storing("init_source", "schema-only");
    await branch.up({ projectId, initSource: "parent-data" });
    assert.match(
      warnings(branch)[0] ?? "",
      /for `initSource`\. Your plan may limit it\. Declare what Neon has stored\.$/,
    );
    assert.equal(branch.outputs["initSource"], "parent-data");
  });
});

describe("what counts as stored otherwise", () => {
  for (const sample of everySample) {
    const kind = kinds[sample.kind];
    it(`is each declared member of ${titleOf(sample)} that the platform reports, and none that is as declared`, async () => {
      const { value } = decoded(await sample.declare(stage()));
      // The outputs hold no files.
      const declared = Object.fromEntries(
        Object.entries(value as Values).filter(([, one]) => !(one instanceof Content)),
      );
      assert.deepEqual(storedOtherwise(kind, declared, declared), []);
      for (const path of declaredPaths(kind, declared)) {
        const { platform } = ruleFor(kind.rules, path);
        const stored = withValue(declared, path.split("."), other(atPath(declared, path)));
        assert.deepEqual(storedOtherwise(kind, stored, declared), platform === undefined ? [path] : [], path);
      }
    });
  }
});
