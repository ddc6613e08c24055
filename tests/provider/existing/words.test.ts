import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { invalid, messageOf } from "../../../api/core/errors";
import type { KindName } from "../../../provider/frozen-entry";
import { Content } from "../../../provider/content";
import { kinds } from "../../../provider/kinds";
import type { Candidate } from "../../../provider/lifecycle/existing/verdict";
import {
  absent,
  adoptionText,
  alreadyExists,
  beside,
  notAdoptable,
  originText,
  several,
} from "../../../provider/lifecycle/existing/words";
import type { Values } from "../../../provider/values";
import { urnOf } from "../../support/door";
import { assertSays, type Expected } from "../../support/expected-errors";
import { callFor } from "../../support/services";

const minute = 60_000;
const role = { projectId: "shop-1", branchId: "br-1", name: "app" };
const branch = { projectId: "shop-1", branchId: "br-1", name: "pr-42" };
const project = { projectId: "shop-1", name: "shop" };

function candidate(outputs: Values, more: Partial<Candidate> = {}): Candidate {
  return { outputs: { createdAt: "2030-01-01T00:00:00Z", ...outputs }, age: minute, exists: true, ...more };
}

function callerOf(kind: KindName, urn = urnOf(kind, "this")) {
  return { kind: kinds[kind], call: callFor(urn) };
}

const exists = (kind: KindName, inputs: Values, found: Candidate, error?: unknown): string =>
  messageOf(alreadyExists(callerOf(kind), inputs, found, error));

/** Texts that the message of this title contains. */
const messages: readonly (readonly [title: string, message: () => string, ...expected: readonly Expected[]])[] = [
  [
    "names the object that exists, its age, what the platform has answered, and both ways on",
    () => exists("Role", role, candidate(role), invalid("HTTP 409")),
    "A role with this name already exists: shop-1/br-1/app, created at 2030-01-01T00:00:00Z (1 minute ago) (HTTP 409).",
    "To take it over, run `NEON_ADOPT=true pulumi up`. Otherwise declare another name.",
    "needs the resource option `deleteBeforeReplace: true`",
    '`aliases: ["<its former URN>"]`, with the URN that `pulumi stack --show-urns` shows',
  ],
  [
    "says what else can be done where an object has no name",
    () => exists("JwksUrl", { projectId: "shop-1", jwksUrl: "https://a.com" }, candidate({ projectId: "shop-1" })),
    "This JWKS URL already exists: ",
    "Otherwise remove this resource from the program.",
  ],
  [
    "advises to untaint what can never be created again",
    () => exists("VpcEndpointAssignment", { orgId: "org-1" }, candidate({ orgId: "org-1" })),
    "run `pulumi state untaint`",
    { without: /deleteBeforeReplace/ },
  ],
  [
    "offers adopt: false beside a project that may be another stack's",
    () => exists("Project", project, candidate(project, { maker: { by: "this-urn" } })),
    "by a run for a resource with this URN, in this stack or in another one",
    "Otherwise declare another name, or `adopt: false` if the other one is another stack's.",
    { without: /aliases/ },
  ],
  [
    "takes what another resource's tag names only by its id",
    () => exists("Branch", branch, candidate(branch, { maker: { by: "another-resource" } })),
    "by another Pulumi resource.",
    'Only if nothing else manages it, take it over: declare `adopt: "br-1"`.',
    { without: /NEON_ADOPT|aliases/ },
  ],
  [
    "knows the former URN of a resource that the program has moved",
    () =>
      exists(
        "Branch",
        branch,
        candidate(branch, { maker: { by: "this-stack", urn: urnOf("Branch", "old") }, former: "old" }),
      ),
    'by Branch "old" of this stack',
    '`aliases: ["old"]`. ',
  ],
  [
    "asks to declare what came with a project",
    () => exists("Branch", branch, candidate(branch, { maker: { by: "this-project", urn: urnOf("Project", "shop") } })),
    'together with the project of Project "shop"',
    "To manage it, declare `adopt: true`.",
  ],
  [
    "asks to declare what a branch has from its parent",
    () => exists("Role", role, candidate(role, { maker: { by: "parent-branch", parent: "br-0" } })),
    "and inherited by this branch from its parent br-0",
    "To manage it, declare `adopt: true`.",
  ],
  [
    "says of an untagged object only whose its branch can be",
    () => exists("Role", role, candidate(role, { maker: { by: "another-resource" } })),
    "on a branch or in a project of a Pulumi resource that this program has not declared so far",
  ],
  [
    "warns of a project beside the new one",
    () => beside(callerOf("Project"), candidate(project, { maker: { by: "this-resource" } })),
    "There is a project of the same name: shop-1, created at",
    "by an earlier run for this resource. Another one is created, unless you run `NEON_ADOPT=true pulumi up`",
    "If another stack manages it, declare another `name` here to tell the two apart.",
  ],
  [
    "does not offer to take over another stack's project",
    () => beside(callerOf("Project"), candidate(project, { maker: { by: "another-stack" } })),
    "by a run for a resource with this URN in another stack. Another one is created. If another",
    { without: /NEON_ADOPT/ },
  ],
  [
    "warns of a key like the new one",
    () => beside(callerOf("ApiKey"), candidate({ keyId: "7" })),
    "There is already an API key like this one: ",
    "Revoke it if no resource of this program has it",
  ],
  [
    "names an object of unknown age and maker by its id alone",
    () => exists("Role", role, { outputs: role, age: NaN, exists: true }),
    "A role with this name already exists: shop-1/br-1/app. If",
  ],
  [
    "guesses that a resource was moved into the component that it is in",
    () =>
      beside(
        callerOf("ApiKey", "urn:pulumi:dev::shop::shop:index:Shop$neon:index:ApiKey::ci"),
        candidate({ keyId: "7" }),
      ),
    '`aliases: ["urn:pulumi:dev::shop::neon:index:ApiKey::ci"]`, with the URN that',
  ],
  [
    "counts the ids that a name can mean",
    () => messageOf(several(kinds.Project, [candidate(project), candidate({ projectId: "shop-2" })])),
    "There are 2 projects of this name: shop-1, shop-2",
    "Adopt one of them by its id, or declare `adopt: false` to create another one.",
  ],
  [
    "names the fixed properties with their present values",
    () =>
      messageOf(
        notAdoptable(
          kinds.Project,
          { ...project, regionId: "a" },
          candidate({ ...project, regionId: "b" }, { fixed: ["regionId"] }),
        ),
      ),
    'The project shop-1 cannot be adopted: the program declares another value for `regionId` (now "b")',
    "or declare `adopt: false` to create another one.",
  ],
  [
    "says how a deleted object comes back",
    () => messageOf(absent(kinds.Project, "shop-1", candidate({}, { recovery: "Recover it." }))),
    'The project "shop-1" cannot be adopted, because it was deleted. Recover it.',
  ],
  [
    "says that there is nothing to adopt",
    () => messageOf(absent(kinds.Role, "app", candidate({}))),
    'There is no role "app" to adopt, or this API key cannot see it.',
  ],
  [
    "says whose an object can be that a run adopts",
    () => String(adoptionText(callerOf("Branch"), branch, candidate(branch, { maker: { by: "this-resource" } }))),
    /^The branch shop-1\/br-1 is adopted\. It was created at \S+ \(1 minute ago\) by an earlier run for this resource\.$/,
  ],
  [
    "says what adopting changes",
    () =>
      String(
        adoptionText(
          callerOf("Branch"),
          { ...branch, adopt: true, protected: true },
          candidate({ ...branch, protected: false }),
        ),
      ),
    /^Adopting the branch shop-1\/br-1 changes it: `protected` \(now false\)\.$/,
  ],
  [
    "says that content is sent even if it is equal, because Neon does not report it",
    () =>
      String(
        adoptionText(
          callerOf("Function"),
          { ...branch, slug: "api", adopt: true, code: new Content("archive", {}, "1"), runtime: "nodejs24" },
          candidate({ ...branch, slug: "api", runtime: "nodejs22" }),
        ),
      ),
    'Adopting the function shop-1/br-1/api changes it: `code` (sent even if it is equal, because Neon does not report it), `runtime` (now "nodejs22").',
  ],
  [
    "says which declared values Neon does not report",
    () => String(adoptionText(callerOf("DataApi"), { ...branch, addDefaultGrants: true }, candidate(branch))),
    "Neon does not report `addDefaultGrants`, which counts as declared.",
  ],
];

describe("existing › words", () => {
  for (const [title, message, ...expected] of messages) it(title, () => assertSays(message(), ...expected));

  it("says nothing of a declared adoption that changes nothing", () => {
    assert.equal(adoptionText(callerOf("Branch"), { ...branch, adopt: "br-1" }, candidate(branch)), undefined);
  });

  for (const [age, text] of [
    [-minute, "less than a minute ago"],
    [minute - 1, "less than a minute ago"],
    [minute, "1 minute ago"],
    [119 * minute, "119 minutes ago"],
    [120 * minute, "2 hours ago"],
    [47.9 * 60 * minute, "47 hours ago"],
    [48 * 60 * minute, "2 days ago"],
  ] as const) {
    it(`says ${text} of an age of ${age / minute} minutes`, () => {
      const found = candidate(role, { age });
      assert.equal(originText(callerOf("Role"), found), `created at 2030-01-01T00:00:00Z (${text})`);
    });
  }
});
