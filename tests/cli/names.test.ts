import assert from "node:assert/strict";
import { Script } from "node:vm";

import fc from "fast-check";
import { describe, it } from "mocha";

import { namesOf } from "../../cli/names";
import type { Found } from "../../cli/scan";
import { kinds } from "../../provider/kinds";
import type { KindName } from "../../provider/frozen-entry";
import type { Values } from "../../provider/values";

function found(kind: KindName, outputs: Values): Found {
  return { kind, id: kinds[kind].id(outputs), outputs, inputs: {} };
}

const project = (id: string, name: string): Found => found("Project", { projectId: id, name });
const branch = (id: string, name: string, projectId = "p1"): Found =>
  found("Branch", { projectId, branchId: id, name });
const role = (name: string, branchId: string, projectId = "p1"): Found => found("Role", { projectId, branchId, name });

/** The names of all, by the ids of the objects. */
function named(...all: readonly Found[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...namesOf(all)].map(([one, { logical, variable }]) => [one.id, `${logical} ${variable}`]),
  );
}

describe("cli: the names of resources", () => {
  it("are the names of the objects where those tell them apart", () => {
    assert.deepEqual(
      named(project("p1", "shop"), branch("b1", "main"), branch("b2", "feature/login"), role("app", "b1")),
      {
        p1: "shop shop",
        "p1/b1": "main main",
        "p1/b2": "feature-login featureLogin",
        "p1/b1/app": "app app",
      },
    );
  });

  it("stay those of an earlier run when an object appears whose name is the same", () => {
    const first = branch("b1", "a/x");
    const { logical = "", variable = "" } = namesOf([first]).get(first) ?? {};
    const earlier = new Map([[`Branch ${first.id}`, { logical, variable }]]);
    const second = branch("b2", "a-x");
    const names = namesOf([project("p1", "shop"), second, first], earlier);
    assert.deepEqual(names.get(first), { logical, variable });
    assert.deepEqual(names.get(second), { logical: "shop-a-x", variable: "shopAX" });
  });

  it("have the names of parents before them where objects have the same name", () => {
    const all = [
      project("p1", "shop"),
      project("p2", "blog"),
      branch("b1", "main"),
      branch("b2", "staging"),
      branch("b3", "main", "p2"),
      role("app", "b1"),
      role("app", "b2"),
      role("app", "b3", "p2"),
    ];
    assert.deepEqual(named(...all), {
      p1: "shop shop",
      p2: "blog blog",
      "p1/b1": "shop-main shopMain",
      "p1/b2": "staging staging",
      "p2/b3": "blog-main blogMain",
      "p1/b1/app": "shop-main-app shopMainApp",
      "p1/b2/app": "staging-app stagingApp",
      "p2/b3/app": "blog-main-app blogMainApp",
    });
  });

  it("are numbered where only special characters tell objects apart, and are the kind where there is no other one", () => {
    const all = [
      project("p1", "shop"),
      branch("b1", "a b"),
      branch("b2", "a/b"),
      branch("b3", "🚀"),
      branch("b4", "class"),
    ];
    assert.deepEqual(named(...all), {
      p1: "shop shop",
      "p1/b1": "shop-a-b shopAB",
      "p1/b2": "shop-a-b-2 shopAB2",
      "p1/b3": "branch branch",
      "p1/b4": "class classBranch",
    });
  });

  it("are unique and valid, and do not depend on the order of the objects, whatever their names are", () => {
    const name = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.constantFrom("main", "a-b", "a b", "class", "2024", "🚀"),
    );
    const tree = fc.uniqueArray(name, { minLength: 1, maxLength: 4 }).chain((projects) =>
      fc
        .array(fc.uniqueArray(name, { maxLength: 4 }), { minLength: projects.length, maxLength: projects.length })
        .map((branches) =>
          projects.flatMap((title, index) => [
            project(`p${String(index)}`, title),
            ...(branches[index] ?? []).flatMap((one, number) => {
              const [projectId, branchId] = [`p${String(index)}`, `b${String(number)}`];
              return [
                branch(branchId, one, projectId),
                role("app", branchId, projectId),
                role(one, branchId, projectId),
              ];
            }),
          ]),
        ),
    );
    fc.assert(
      fc.property(tree, (all) => {
        const names = namesOf(all);
        const variables = [...names.values()].map(({ variable }) => variable);
        assert.equal(new Set(variables).size, variables.length);
        for (const variable of variables) assert.doesNotThrow(() => new Script(`const ${variable} = 1;`));
        const logical = [...names].map(([{ kind }, one]) => `${kind} ${one.logical}`);
        assert.equal(new Set(logical).size, logical.length);
        for (const one of logical) assert.match(one, /^\w+ [\p{L}\p{M}\p{Nd}_-]+$/u);
      }),
    );
  });
});
