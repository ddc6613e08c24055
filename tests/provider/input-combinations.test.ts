import assert from "node:assert/strict";

import { describe } from "mocha";

import { NeonClient } from "../../api/client";
import { lookups } from "../../api/lookups";
import { unknownText, type Values } from "../support/provider-server";
import { branchPathOf, createdBranch, undeclaredBranch } from "../support/created-branch";
import { type Refusals, refusesInputs } from "../support/expected-errors";
import { branchWithAuth, mailServer } from "../support/samples/neon-auth";
import { concurrently, suiteStage } from "../support/stage";

const parentLsn = "0/1DE2850";
const parentTimestamp = "2020-01-31T12:00:00Z";
const bothPositions: Refusals = { parentTimestamp: "cannot be declared together with parentLsn" };
const password = "a password";
const passwordIsMissing: Refusals = {
  emailProviderPassword: "is required: a request that sets a server needs its password, and Neon does not return it",
};

/**
 * Combinations of inputs that only a creation or a change makes wrong. Those that are always wrong are in
 * the samples (`invalid`).
 */
describe("combinations of inputs", () => {
  const stage = suiteStage();
  const test = concurrently();

  for (const [declared, failures] of [
    [{ parentLsn, parentTimestamp }, bothPositions],
    [{ parentLsn: unknownText, parentTimestamp }, bothPositions],
    [{ parentLsn, parentTimestamp, adopt: true }, bothPositions],
    [
      { archived: true, compute: {} },
      { compute: "cannot be declared together with `archived`: add it after the creation" },
    ],
  ] as readonly (readonly [Values, Refusals])[]) {
    test(`Branch › create › the preview refuses ${JSON.stringify(declared).replaceAll(unknownText, "?")}`, async () => {
      const { base, branch, project } = await undeclaredBranch(stage());
      await assert.rejects(branch.preview({ ...base, name: "new", ...declared }), refusesInputs(failures));
      assert.deepEqual(
        (await stage().sent(project.id)).filter(({ method }) => method === "POST"),
        [],
      );
    });
  }

  test("Branch › replace › the preview refuses both positions in the history of the parent", async () => {
    const { program, branch } = await createdBranch(stage(), { name: "new" });
    const declared = { ...program, parentLsn, parentTimestamp };
    await assert.rejects(branch.preview(declared), refusesInputs(bothPositions));
  });

  test("Branch › adopt › accepts both positions in the history of the parent", async () => {
    const { project } = await undeclaredBranch(stage());
    for (const isById of [true, false]) {
      const { id, name, parent_lsn, parent_timestamp } = await stage().branch(project.id);
      const declared = { projectId: project.id, name, parentLsn: parent_lsn, parentTimestamp: parent_timestamp };
      await stage()
        .resource("Branch")
        .preview({ ...declared, adopt: isById ? id : true });
    }
  });

  test("Branch › update › an existing branch keeps both positions, and an archived one gets a compute", async () => {
    const { base, branch } = await undeclaredBranch(stage());
    const { id, name, parent_lsn, parent_timestamp } = await stage().branch(base.projectId);
    const declared = { ...base, name, parentLsn: parent_lsn, parentTimestamp: parent_timestamp };
    await branch.up({ ...declared, adopt: id });
    await branch.preview({ ...declared, protected: true });
    const archived = stage().resource("Branch");
    await archived.up({ ...base, name: "archived", archived: true });
    await archived.preview({ ...base, name: "archived", archived: true, compute: {} });
  });

  test("Branch › update › the preview refuses two restores at once", async () => {
    const { program, branch } = await createdBranch(stage());
    await assert.rejects(
      branch.preview({ ...program, restore: { trigger: "1" }, resetTrigger: "1" }),
      refusesInputs({
        resetTrigger:
          "`restore.trigger` and `resetTrigger` changed in the same update. Change one of them, run `pulumi up`, then change the other.",
      }),
    );
  });

  test("Branch › update › the preview refuses the restore of a branch that is and stays protected", async () => {
    const { program, branch } = await createdBranch(stage(), { protected: true });
    const restored = { ...program, resetTrigger: "1" };
    await assert.rejects(
      branch.preview(restored),
      refusesInputs({
        resetTrigger: "a protected branch cannot be restored. Set `protected: false` for the time of the restore.",
      }),
    );
    await branch.preview({ ...restored, protected: false });
    // Somebody else has ended the protection, which the restore comes before.
    await stage().platform.call("PATCH", branchPathOf(branch), { branch: { protected: false } });
    await branch.up({ ...restored, protected: false });
    await branch.preview({ ...restored, resetTrigger: "2", protected: true });
  });

  test("Role › update › the preview refuses another `noLogin` while the role owns a database", async () => {
    const { id: projectId, branchId } = await stage().project();
    const role = stage().resource("Role");
    const program = { projectId, branchId };
    await role.up(program);
    const database = stage().resource("Database");
    await database.up({ ...program, ownerName: role.name });
    const owns = new RegExp(`while the role owns the database "${database.name}".* Give it another owner`);
    await assert.rejects(role.preview({ ...program, noLogin: true }), refusesInputs({ noLogin: owns }));
    await database.up({ ...program, ownerName: "neondb_owner" });
    assert.equal((await role.preview({ ...program, noLogin: true })).step, "replace");
  });

  test("a name where an id is wanted › the preview of a resource, and a look-up, name the id", async () => {
    const name = `Shop${stage().name("")}`.replace("-", " ");
    const { id: projectId, branchId } = await stage().project({ name });
    const role = stage().resource("Role");
    const [ofBranch, ofProject] = [
      `"main" is the name of branch ${branchId}`,
      `"${name}" is the name of project ${projectId}`,
    ];
    for (const [args, refusals] of [
      [{ projectId, branchId: "main" }, { branchId: new RegExp(ofBranch) }],
      [{ projectId: name, branchId }, { projectId: new RegExp(ofProject) }],
      // Among which branches to search is not known.
      [{ projectId: unknownText, branchId: "main" }, { branchId: /which begins with "br-".*`getBranch/ }],
    ] as const) {
      await assert.rejects(role.preview(args), refusesInputs(refusals));
    }
    const client = new NeonClient({ apiKey: stage().platform.apiKey, apiUrl: stage().platform.apiUrl });
    const account = { client, orgId: undefined };
    await assert.rejects(lookups.getRoles.read(account, { projectId, branchId: "main" }), new RegExp(ofBranch));
    await assert.rejects(lookups.getProject.read(account, { projectId: name }), new RegExp(ofProject));
  });

  test("Endpoint › adopt › the preview says nothing of a name that the program does not declare and `up` keeps", async () => {
    const { id: projectId, branchId } = await stage().project();
    const endpoint = stage().resource("Endpoint");
    const program = { projectId, branchId, type: "read_write", adopt: true };
    await endpoint.preview(program);
    assert.deepEqual(endpoint.said("warning"), []);
    assert.deepEqual(await stage().sentBy(projectId, () => endpoint.up(program)), []);
  });

  test("NeonAuth › create › the preview refuses a server without its password", async () => {
    const { id: projectId, branchId } = await stage().project();
    const declared = { projectId, branchId, emailProvider: mailServer };
    const auth = stage().resource("NeonAuth");
    await assert.rejects(auth.preview(declared), refusesInputs(passwordIsMissing));
    await auth.preview({ ...declared, emailProviderPassword: unknownText });
    await auth.preview({ ...declared, emailProvider: { type: "shared" } });
  });

  test("NeonAuth › update › the preview refuses another server once the password is removed", async () => {
    const { id: projectId, branchId } = await stage().project();
    const auth = stage().resource("NeonAuth");
    const program = { projectId, branchId, emailProvider: mailServer };
    await auth.up({ ...program, emailProviderPassword: password });
    assert.notEqual(await auth.up(program), "replace");
    await auth.preview({ ...program, name: "Shop" });
    const changed = { ...program, emailProvider: { ...mailServer, port: 465 } };
    await assert.rejects(auth.preview(changed), refusesInputs(passwordIsMissing));
    await auth.preview({ ...changed, emailProviderPassword: password });
    const other = await stage().branch(projectId, { branch: { init_source: "schema-only" } });
    await assert.rejects(auth.preview({ ...program, branchId: other.id }), refusesInputs(passwordIsMissing));
  });

  test("NeonAuth › update › the preview refuses to restore a server that somebody else has changed without its password", async () => {
    const { id: projectId, branchId } = await stage().project();
    const auth = stage().resource("NeonAuth");
    const program = { projectId, branchId, emailProvider: mailServer };
    await auth.up({ ...program, emailProviderPassword: password });
    await auth.up(program);
    await stage().platform.call("PATCH", `/projects/${projectId}/branches/${branchId}/auth/email_provider`, {
      type: "shared",
    });
    await auth.refresh();
    await assert.rejects(auth.preview(program), refusesInputs(passwordIsMissing));
  });

  test("NeonAuth › adopt › accepts the server that is there without its password, and refuses another one", async () => {
    const address = await branchWithAuth(stage());
    const path = `/projects/${address.projectId}/branches/${address.branchId}/auth/email_provider`;
    const { senderEmail, senderName, ...server } = mailServer;
    await stage().platform.call("PATCH", path, {
      ...server,
      password,
      sender_email: senderEmail,
      sender_name: senderName,
    });
    const auth = stage().resource("NeonAuth");
    const declared = { ...address, adopt: true, emailProvider: mailServer };
    await auth.preview(declared);
    await assert.rejects(
      auth.preview({ ...declared, emailProvider: { ...mailServer, host: "mail.example.com" } }),
      refusesInputs(passwordIsMissing),
    );
    await auth.up(declared);
    await auth.preview({ ...declared, name: "Shop" });
  });
});
