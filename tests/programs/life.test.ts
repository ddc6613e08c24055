import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { assertOnlyEngineShows } from "../support/engine-lines";
import { suitePlatform } from "../support/platform";
import { branchNames, inventory, type StoredResource, suiteStacks } from "../support/stack";

/** The largest state of a branch with a compute, in bytes of JSON: docs/internals/decisions/0001. */
const maxStateBytes = 2_850;

/** The stored state of a resource, without the SDK's additions for debuggers. */
function compact(resource: StoredResource): string {
  const { stackTrace: _trace, sourcePosition: _position, ...rest } = resource as unknown as Record<string, unknown>;
  return JSON.stringify(rest);
}

describe("programs: the life of a project and its branches", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "50ms" });
  const newStack = suiteStacks();

  it("has the steps that the CLI shows for every edit", async () => {
    const program = ({ region = "aws-eu-central-1", branch = "", more = "" } = {}): string => `
      const project = new neon.Project("shop", { regionId: "${region}" });
      const base = new neon.Branch("base", { projectId: project.id });
      const pr = new neon.Branch("pr", { projectId: project.id, ${branch} });
      ${more}
      exports.host = pr.host;
      exports.uri = pr.connectionUri;
      exports.region = project.regionId;
      exports.isBranch = neon.Branch.isInstance(pr) && !neon.Project.isInstance(pr);
    `;
    const small = "compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 }";
    const stack = await newStack({ platform: platform(), program: program({ branch: small }) });

    const created = await stack.up();
    assert.match(created.text, /\+ 4 created/);
    assert.match(created.text, /neon:Branch pr creating .*create_branch running/, "its row says what it waits for");
    assert.doesNotMatch(created.text, /neon: (GET|POST) /, "requests are shown only if asked for");
    const { shop } = await inventory(platform());
    assert.ok(shop);
    assert.deepEqual(Object.keys(shop.branches).sort(), ["base", "main", "pr"]);
    assert.equal(shop.branches["pr"]?.length, 1);
    assert.equal(stack.resource("shop").id, shop.id);

    assert.match(created.text, /uri *: \[secret\]/);
    const { host, uri, region, isBranch } = stack.outputs();
    assert.deepEqual([region, isBranch], ["aws-eu-central-1", true]);
    assert.match(String(uri), new RegExp(`^postgresql://neondb_owner:npg_\\w+@${String(host)}/neondb`));

    const pr = stack.resource("pr");
    assert.ok(compact(pr).length <= maxStateBytes, `the state of a branch has ${compact(pr).length} bytes`);
    assert.ok(String(pr.inputs["__provider"]).length <= 300);
    assert.deepEqual(Object.keys(pr.outputs["connectionUri"] as object).sort(), [
      "4dabf18193072939515e22adb298388d",
      "ciphertext",
    ]);

    const large = 'name: "pr-42", compute: { autoscalingLimitMinCu: 0.5, autoscalingLimitMaxCu: 2 }';
    stack.write(program({ branch: large }));
    const { text: edit } = await stack.up("--diff");
    assert.match(edit, /~ pulumi-nodejs:dynamic\/neon:Branch: \(update\)/);
    for (const change of [/~ name +: "pr" => "pr-42"/, /~ autoscalingLimitMaxCu: 1 => 2/]) assert.match(edit, change);
    assert.doesNotMatch(edit, /__/, `what is ours alone is not the user's business: ${edit}`);
    assert.match(edit, /~ 1 updated\n +3 unchanged/);
    const edited = stack.resource("pr");
    assert.equal(edited.id, pr.id);
    const branchPath = `/projects/${String(pr.id).replace("/", "/branches/")}`;
    const { branch } = (await platform().call("GET", branchPath)).body;
    assert.equal(branch.name, "pr-42");
    const { endpoints } = (await platform().call("GET", `${branchPath}/endpoints`)).body;
    assert.deepEqual(
      endpoints.map((one) => [one.autoscaling_limit_min_cu, one.autoscaling_limit_max_cu]),
      [[0.5, 2]],
    );

    const moving = `${large}, parentId: base.branchId`;
    stack.write(program({ branch: moving }));
    const { text: move } = await stack.up();
    assert.match(move, /warning: Changing `parentId` replaces this branch\. Data written to the old branch is deleted/);
    assert.match(move, /\+-1 replaced\n +3 unchanged/);
    const moved = stack.resource("pr");
    assert.notEqual(moved.id, pr.id);
    assert.equal(moved.outputs["parentId"], stack.resource("base").outputs["branchId"]);
    assert.deepEqual(await branchNames(platform(), "shop"), ["base", "main", "pr-42"]);

    stack.write(program({ region: "aws-us-east-2", branch: moving }));
    const { text: anew } = await stack.up();
    assert.match(
      anew,
      /warning: Changing `regionId` replaces this project\. All branches of the old project, their data and their hosts are deleted\./,
    );
    assert.match(anew, /\+-3 replaced\n +1 unchanged/);
    const after = await inventory(platform());
    assert.deepEqual(Object.keys(after), ["shop"]);
    assert.notEqual(after["shop"]?.id, shop.id);
    assert.deepEqual(await branchNames(platform(), "shop"), ["base", "main", "pr-42"]);
    assert.equal(stack.resource("pr").outputs["parentId"], stack.resource("base").outputs["branchId"]);
  });

  it("shows no secret of its own even where Pulumi logs everything", async () => {
    const stack = await newStack({
      platform: platform(),
      program: `
        const project = new neon.Project("quiet", {});
        exports.uri = new neon.Branch("pr", { projectId: project.id, compute: {} }).connectionUri;
      `,
    });
    const { code, text } = await stack.run(["up", "--yes", "--skip-preview", "-v=9", "--logtostderr"]);
    assert.equal(code, 0, text);
    assertOnlyEngineShows(/npg_|napi_/, text);
  });
});
