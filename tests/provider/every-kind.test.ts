import assert from "node:assert/strict";

import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { describe, it } from "mocha";

import { decoded } from "../../provider/pulumi/wire";
import { currentDoor } from "../support/door";
import type { Values } from "../support/provider-server";
import type { EngineResource, Plan } from "../support/engine";
import { assertSays, failsWith } from "../support/expected-errors";
import { changed, type ExpectedRequest, inputNames, titleOf } from "../support/sample";
import { everySample, samples } from "../support/samples";
import { type SentBy, suiteServer, suiteStage } from "../support/stage";

const lookUpRemedy = [
  "Nothing was changed. Check the id, or use an API key of the account or organization that owns it.",
] as const;

describe("every kind", () => {
  const stage = suiteStage();
  /** The run of another program: within one run, an object has one resource. */
  const adopting = suiteServer(stage);
  /** A run after that one: what a run has adopted it does not delete. */
  const destroying = suiteServer(stage);

  /** What is sent to change something while this runs. */
  const sentBy = (run: () => Promise<unknown>): Promise<SentBy[]> => stage().sentBy("", run);

  /** Asserts that nothing is left to do: not for an unchanged program, and not after a refresh. */
  async function assertSettled(resource: EngineResource, args: Values): Promise<void> {
    await stage().platform.clearRequests();
    assert.equal(await resource.up(args), "same");
    assert.deepEqual(await stage().requests(), [], "an unchanged program asks nothing");
    assert.equal(await resource.refresh(), "same", JSON.stringify(resource.outputs));
    assert.equal(await resource.up(args), "same");
    assert.deepEqual(await stage().sent(), []);
  }

  /** The inputs that the samples of each kind change or excuse. */
  const touched = new Map<string, Set<string>>();

  for (const sample of everySample) {
    describe(titleOf(sample), () => {
      let resource: EngineResource;
      let declared: Values;
      const inputs = touched.get(sample.kind) ?? new Set<string>();
      touched.set(sample.kind, inputs);
      const touch = (input: string): void => void inputs.add(input.split(".", 1)[0] ?? input);
      for (const input of Object.keys(sample.excused ?? {})) touch(input);

      it("is created, and an unchanged program has nothing to do", async () => {
        declared = await sample.declare(stage());
        resource = stage().resource(sample.kind);
        assert.equal(await resource.up(declared), "create");
        assert.ok(await sample.exists(stage(), resource.outputs));
        assert.deepEqual(
          sample.definition.outputs().safeParse(decoded(resource.ownOutputs).value).error?.issues,
          undefined,
        );
        await assertSettled(resource, declared);
      });

      it("shows the replacement in the preview for each input that needs one", async () => {
        const { createsFirst, deletesFirst = {} } = await sample.replaces(declared, stage());
        for (const [input, to] of Object.entries({ ...createsFirst, ...deletesFirst })) {
          touch(input);
          const sent = await sentBy(async () => {
            const plan = await resource.preview(changed(declared, input, to));
            assert.equal(plan.step, "replace", input);
            assert.deepEqual(plan.replaces, [input]);
            assert.equal(plan.deleteBeforeReplace, input in deletesFirst, input);
            if (!plan.deleteBeforeReplace) {
              const text = resource.said("warning").at(-1) ?? "";
              assertSays(text, `Changing \`${input}`, { without: /until the new|deleted first/ });
            }
            if (currentDoor() === "plugin") assert.ok(showsReplacement(plan, input), input);
          });
          assert.deepEqual(sent, [], "a preview sends nothing");
        }
      });

      it("changes each other input in place, alone and with exactly that in the request", async () => {
        const { id } = resource;
        for (const { input, to, sends } of sample.inPlace(declared, resource.outputs)) {
          touch(input);
          declared = changed(declared, input, to);
          const sent = await sentBy(async () => assert.equal(await resource.up(declared), "update", input));
          assertSent(sent, sends);
          assert.equal(resource.id, id, "an update never changes the id");
          await assertSettled(resource, declared);
        }
      });

      it("is stored as declared: no change was followed by a warning that something else was stored", () => {
        assert.deepEqual(
          resource.said("warning").filter((text) => text.includes("stored something else")),
          [],
        );
      });

      it("is created again after it was deleted elsewhere, with exactly what is declared in the request", async () => {
        await sample.remove(stage(), resource.outputs);
        assert.ok(!(await sample.exists(stage(), resource.outputs)));
        assert.equal(await resource.refresh(), "gone");
        if (sample.replacement !== undefined) {
          await assert.rejects(resource.up(declared), sample.replacement.reason);
          declared = sample.replacement.declare(declared, stage());
        }
        const sent = await sentBy(async () => assert.equal(await resource.up(declared), "create"));
        assertSent(sent.map(withoutTag), sample.creates(declared));
        assert.ok(await sample.exists(stage(), resource.outputs));
        await assertSettled(resource, declared);
      });

      it("is adopted by another program without a change", async () => {
        const other = stage().resource(sample.kind);
        other.server = adopting();
        const args = { ...declared, adopt: sample.adopt(resource.outputs) };
        const sent = await sentBy(async () => assert.equal(await other.up(args), "create"));
        assertSent(sent, sample.sentOnAdoption ?? []);
        assert.equal(other.id, resource.id);
        const lost = sample.lostOnAdoption ?? [];
        for (const [name, value] of Object.entries(resource.ownOutputs)) {
          if (sample.movedOnAdoption?.includes(name) === true) continue;
          assert.deepEqual(other.outputs[name], lost.includes(name) ? undefined : value, name);
        }
        await assertSettled(other, args);
        await assertSettled(other, declared);
        resource = other;
      });

      it("leaves nothing behind when it is destroyed, and can then no longer be read by its id", async () => {
        const { id, outputs } = resource;
        const reader = stage().resource(sample.kind);
        reader.server = adopting();
        const lookUp = (of: string) => reader.server.lookUp(sample.kind, of, { urn: reader.urn });
        const found = await lookUp(id);
        assert.equal(found.id, id);
        resource.server = destroying();
        await resource.destroy();
        assert.ok(!(await sample.exists(stage(), outputs)));
        const absent = sample.absent?.(outputs) ?? id;
        const missing = `There is no ${sample.definition.noun} ${absent}, or this API key cannot see it`;
        const sent = await sentBy(() => assert.rejects(lookUp(absent), failsWith(missing, ...lookUpRemedy)));
        assert.deepEqual(sent, []);
        // A program that has read it before has it in its state.
        reader.state = { ...found, failed: [] };
        assert.equal(await reader.refresh(), "gone");
      });
    });
  }

  // Mocha runs the tests of a suite before the suites in it.
  describe("each input", () => {
    for (const sample of Object.values(samples)) {
      it(`of ${sample.kind} is among those that replace and those that are changed in place`, () => {
        const changeable = inputNames(sample).filter((name) => name !== "adopt");
        assert.deepEqual([...(touched.get(sample.kind) ?? [])].sort(), changeable.sort());
      });
    }
  });
});

function assertSent(sent: readonly SentBy[], expected: readonly ExpectedRequest[]): void {
  const short = sent.map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`).join("\n");
  assert.equal(sent.length, expected.length, short);
  for (const [index, { method, path, body }] of expected.entries()) {
    const one = sent[index];
    assert.equal(one?.method, method, short);
    assert.match(one.path, path);
    if (body === undefined) assert.equal(one.body ?? undefined, undefined, short);
    else if (typeof body === "function") (body as (sent: unknown) => void)(one.body);
    else assert.deepEqual(one.body, body);
  }
}

/** A request without the value of the annotation that names the resource. */
function withoutTag(request: SentBy): SentBy {
  const text = JSON.stringify(request).replace(/("neon-pulumi":)"[^"]+"/, '$1"[tag]"');
  return JSON.parse(text) as SentBy;
}

/** Whether a plan tells the user that a change of this input replaces. */
function showsReplacement({ detailed }: Plan, input: string): boolean {
  const { ADD_REPLACE, DELETE_REPLACE, UPDATE_REPLACE } = PropertyDiff.Kind;
  const replacing: readonly PropertyDiff.Kind[] = [ADD_REPLACE, DELETE_REPLACE, UPDATE_REPLACE];
  return Object.entries(detailed).some(([path, is]) => path.split(".")[0] === input && replacing.includes(is));
}
