import assert from "node:assert/strict";

import { describe } from "mocha";

import type { Values } from "../support/provider-server";
import { currentDoor } from "../support/door";
import { type EngineResource } from "../support/engine";
import { failsWith, refusesAdoption } from "../support/expected-errors";
import { onWire } from "../support/inputs";
import { assertOutputs } from "../support/outputs";
import { concurrently, suiteStage } from "../support/stage";
import { assertUnchanged, assertUpToDate } from "../support/up-to-date";

describe("Project", () => {
  const stage = suiteStage();
  const test = concurrently();

  /** The body of the request that created a project, without the ownership tag. */
  async function creationOf({ name }: EngineResource): Promise<Values> {
    const [creation] = await stage().sent(name);
    assert.ok(creation);
    const { project } = creation.body as { project: Values & { branch: Values & { annotations: Values } } };
    const { branch, ...others } = project;
    assert.deepEqual(Object.keys(branch), ["annotations"]);
    assert.deepEqual(Object.keys(branch.annotations), ["neon-pulumi"]);
    assert.match(String(branch.annotations["neon-pulumi"]), /^[0-9a-f]{24}\.[0-9a-f]{24}\.[0-9a-f]{16}$/);
    return others;
  }

  test("create › §6.17 sends only the logical name and the ownership tag for a program without inputs", async () => {
    const project = stage().resource("Project");
    await project.up({});
    assert.deepEqual(await creationOf(project), { name: project.name });
  });

  test("create › waits until branch, compute, role and database are ready, and outputs the connection", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const [branch, ...others] = await stage().branches(project.id);
    assert.ok(branch);
    assert.deepEqual(others, []);
    assert.equal(branch.current_state, "ready");
    const [compute] = await stage().computes(project.id, branch.id);
    assert.ok(compute);
    assert.equal(compute.current_state, "active");
    const query = `database_name=neondb&role_name=neondb_owner`;
    const { body } = await stage().platform.call("GET", `/projects/${project.id}/connection_uri?${query}`);
    assertOutputs(project.outputs, {
      projectId: project.id,
      defaultBranchId: branch.id,
      endpointId: compute.id,
      host: compute.host,
      poolerHost: compute.host.replace(compute.id, `${compute.id}-pooler`),
      roleName: "neondb_owner",
      databaseName: "neondb",
      connectionUri: body.uri,
    });
  });

  for (const [from, requests] of [
    ["a user", [/^POST \/projects\/[^/]+\/transfer_requests$/, /^PUT \/projects\/[^/]+\/transfer_requests\/[^/]+$/]],
    ["an organization", [/^POST \/organizations\/org-[^/]+\/projects\/transfer$/]],
  ] as const) {
    for (const lost of [false, true]) {
      test(`update › transfers a project of ${from} to the declared organization in place${lost ? ", once, when the answers are lost" : ""}`, async () => {
        const { platform } = stage();
        const [source, target] = [await platform.organization(), await platform.organization()];
        const project = stage().resource("Project");
        const before = from === "a user" ? {} : { orgId: source };
        await project.up(before);
        const { id } = project;
        assert.equal((await project.preview({ orgId: target })).step, "update");
        assert.match(
          project.warning,
          /^Changing `orgId` transfers this project to another organization\. Its project API keys/,
        );
        const path = `${id}|${source}/projects`;
        if (lost) await platform.fault({ method: from === "a user" ? "PUT" : "POST", path, reset: "after", times: 1 });
        const sent = await stage().sentBy("", () => project.up({ orgId: target }));
        const mine = sent.filter((one) => one.path.includes(id) || one.path.includes(source));
        assert.equal(mine.length, requests.length, JSON.stringify(mine));
        for (const [index, pattern] of requests.entries()) {
          assert.match(`${mine[index]?.method ?? ""} ${mine[index]?.path ?? ""}`, pattern);
        }
        assert.equal(project.id, id);
        assert.equal((await stage().projectOf(id)).org_id, target);
        assert.equal(project.outputs["orgId"], target);
        await assertUpToDate(stage(), project, { orgId: target });
      });
    }
  }

  test("update › explains a transfer that the platform refuses, and makes it in the next up", async () => {
    const { platform } = stage();
    const target = await platform.organization({ projects_limit: 0 });
    const project = stage().resource("Project");
    await project.up({});
    await assert.rejects(
      project.up({ orgId: target }),
      failsWith(`was not transferred to organization ${target}`, "A transfer needs a personal API key"),
    );
    const other = await platform.organization();
    assert.equal(await project.up({ orgId: other }), "update");
    assert.equal((await stage().projectOf(project.id)).org_id, other);
  });

  test("adopt › fails instead of transferring a project of another owner", async () => {
    const { id } = await stage().project();
    const orgId = await stage().platform.organization();
    const sent = await stage().sentBy(id, () =>
      assert.rejects(
        stage().resource("Project").up({ orgId, adopt: id }),
        refusesAdoption(/cannot be adopted: .*`orgId` \(it belongs to a user\)/),
      ),
    );
    assert.deepEqual(sent, []);
  });

  test("refresh › §6.10 reads answers without some settings, and up then changes one setting of several", async () => {
    const project = stage().resource("Project");
    const args = { settings: { allowedIps: { ips: ["10.0.0.1"] }, blockVpcConnections: true } };
    await project.up(args);
    const { settings, ...rest } = await stage().projectOf(project.id);
    const { allowed_ips: _, ...others } = settings ?? {};
    const { inputs } = project.present;
    for (const body of [{ project: { ...rest, settings: others } }, { project: rest }]) {
      await stage().platform.fault({ method: "GET", path: `^/projects/${project.id}$`, status: 200, body });
      await project.refresh();
      assert.equal(project.id, rest.id);
    }
    await project.refresh();
    assert.deepEqual(project.present.inputs, inputs);
    await assertUnchanged(stage(), project, args);
    await project.up({ settings: { allowedIps: { ips: ["10.0.0.2"] }, blockVpcConnections: true } });
    assert.deepEqual(
      (await stage().sent(project.id)).map(({ body }) => body),
      [{ project: { settings: { allowed_ips: { ips: ["10.0.0.2"] } } } }],
    );
  });

  test("update › sends several changes in one request", async () => {
    const project = stage().resource("Project");
    await project.up({ historyRetentionSeconds: 60 });
    const changes = {
      name: "Shop of lamps",
      historyRetentionSeconds: 120,
      settings: { blockVpcConnections: true },
      defaultEndpointSettings: { suspendTimeoutSeconds: 60 },
    };
    const sent = await stage().sentBy(project.id, () => project.up(changes));
    assert.deepEqual(sent, [{ method: "PATCH", path: `/projects/${project.id}`, body: { project: onWire(changes) } }]);
  });

  const keepsName = currentDoor() === "plugin";
  test(`update › ${keepsName ? "keeps" : "restores"} the name when the program no longer declares one`, async () => {
    const project = stage().resource("Project");
    await project.up({ name: "Shop of clocks" });
    assert.equal(await project.up({}), keepsName ? "same" : "update");
    assert.equal((await stage().projectOf(project.id)).name, keepsName ? "Shop of clocks" : project.name);
  });
});
