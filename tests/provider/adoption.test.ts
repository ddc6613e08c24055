import assert from "node:assert/strict";

import { describe } from "mocha";

import type { EngineResource } from "../support/engine";
import { failsWith, refusesAdoption } from "../support/expected-errors";
import { unknownText, type Values } from "../support/provider-server";
import { samples } from "../support/samples";
import { concurrently, suiteServer, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

describe("adopt", () => {
  const stage = suiteStage();
  const later = suiteServer(stage);
  const test = concurrently();

  test("sends no request for an id of another project, or for a name of a branch", async () => {
    const [project, other] = [await stage().project(), await stage().project()];
    for (const adopt of [`${other.id}/${other.branchId}`, "Main branch"]) {
      const refused = refusesAdoption(`There is no branch "${adopt}" to adopt`);
      await assert.rejects(stage().resource("Branch").up({ projectId: project.id, adopt }), refused);
      assert.deepEqual(await stage().requests(encodeURIComponent(adopt)), []);
    }
  });

  test("refuses a deleted project with the command that recovers it, and adopts it after that", async () => {
    const { id } = await stage().project();
    await stage().platform.call("DELETE", `/projects/${id}`);
    const project = stage().resource("Project");
    const [found] = (await stage().platform.call("GET", `/projects?recoverable=true&search=${id}`)).body.projects;
    const ways = [`\`neon projects recover ${id}\``, `until ${found?.recoverable_until}`];
    const refused = refusesAdoption(`The project "${id}" cannot be adopted, because it was deleted`, ...ways);
    for (const step of ["preview", "up"] as const) await assert.rejects(project[step]({ adopt: id }), refused);
    await stage().platform.call("POST", `/projects/${id}/recover`);
    await project.up({ adopt: id });
    assert.equal(project.id, id);
    const never = stage().resource("Project").up({ adopt: "none-such-1" });
    await assert.rejects(never, refusesAdoption('There is no project "none-such-1" to adopt'));
  });

  test("reads passwords and connection URIs in the create, not in the preview", async () => {
    const { id: projectId, branchId } = await stage().project();
    const adopted: [EngineResource, Values][] = [
      [stage().resource("Branch"), { projectId, adopt: branchId, compute: {} }],
      [stage().resource("Role"), { projectId, branchId, name: "neondb_owner", adopt: true }],
    ];
    const revealed = async (): Promise<number> =>
      (await stage().requests(projectId)).filter(({ path }) => /reveal_password|connection_uri/.test(path)).length;
    for (const [resource, program] of adopted) {
      const before = await revealed();
      await resource.preview(program);
      assert.equal(await revealed(), before);
      await resource.up(program);
      assert.ok((await revealed()) > before);
    }
  });

  test("gives a branch its compute", async () => {
    const { id: projectId } = await stage().project();
    const { id, name } = await stage().branch(projectId);
    const resource = stage().resource("Branch");
    const program = { projectId, name, adopt: id, compute: {} };
    const sent = await stage().sentBy(projectId, () => resource.up(program));
    assert.deepEqual(
      sent.map(({ method }) => method),
      ["POST"],
    );
    assert.match(String(resource.outputs["connectionUri"]), /^postgresql:/);
    await assertUpToDate(stage(), resource, program);
  });

  test("keeps and hides the ownership tag of another stack", async () => {
    const { id: projectId } = await stage().project();
    const first = stage().resourceOf(later(), "Branch", "theirs");
    await first.up({ projectId, annotations: { team: "sales" } });
    const resource = stage().resource("Branch", "ours");
    await resource.up({ projectId, name: "theirs", adopt: true });
    assert.deepEqual(resource.outputs["annotations"], { team: "sales" });
    await assertUpToDate(stage(), resource, { projectId, name: "theirs", adopt: true });
  });

  test("outputs no secrets of a credential that Neon cannot reveal, and reads them once it can", async () => {
    const declared = await samples.Credential.declare(stage());
    const resource = stage().resource("Credential");
    await resource.up(declared);
    const adopting = stage().resourceOf(later(), "Credential");
    const path = `/projects/${String(declared["projectId"])}/.*/reveal$`;
    await stage().platform.fault({ method: "POST", path, status: 409, body: { message: "no recoverable secret" } });
    await adopting.up({ ...declared, adopt: resource.id });
    for (const name of ["apiToken", "s3SecretAccessKey"]) assert.equal(adopting.outputs[name], undefined);
    await stage().platform.fault({ method: "POST", path, reset: "after" });
    await adopting.refresh();
    for (const name of ["apiToken", "s3SecretAccessKey"]) assert.equal(adopting.outputs[name], resource.outputs[name]);
  });

  test("takes a text that is Pulumi's marker of unknown values as a text", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    const body = { branch: { name: branch.name }, annotation_value: { note: unknownText } };
    await stage().platform.call("POST", `/projects/${projectId}/branches`, body);
    const args = { projectId, adopt: true };
    await branch.up(args);
    assert.match(JSON.stringify(branch.outputs["annotations"]), new RegExp(`${unknownText}"`));
    assert.deepEqual([await branch.refresh(), await branch.up(args)], ["same", "same"]);
  });

  test("resumes in the next up what has failed half-way", async () => {
    const { id: projectId } = await stage().project();
    const { id } = await stage().branch(projectId, { branch: { name: "late" } });
    const resource = stage().resource("Branch");
    const args = { projectId, name: "late", protected: true, adopt: id, compute: {} };
    const path = `^/projects/${projectId}/endpoints$`;
    await stage().platform.fault({ method: "POST", path, status: 422, body: { message: "no more computes" } });
    await assert.rejects(resource.up(args), failsWith("no more computes"));
    await resource.up(args);
    assert.equal((await stage().computes(projectId, id)).length, 1);
    await assertUpToDate(stage(), resource, args);
  });
});
