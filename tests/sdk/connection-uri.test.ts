import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import type { AnswerBody } from "../support/platform";
import { assertFails, suiteAccount, valueOf } from "./program";

describe("getConnectionUri", () => {
  const platform = suiteAccount();
  let projectId = "";
  let main: AnswerBody["branch"];
  /** A branch with a compute, a role and a database of its own. */
  let branchId = "";
  let endpoint: AnswerBody["endpoint"];
  let replica: AnswerBody["endpoint"];
  /** A branch without a compute. */
  let bareId = "";
  let password = "";
  const names = { roleName: "team/app", databaseName: "50% shop" };
  const args = () => ({ projectId, branchId, ...names });

  before(async () => {
    const created = await platform().project();
    projectId = created.project.id;
    main = created.branch;
    const call = async (path: string, body: object): Promise<AnswerBody> => {
      const answer = await platform().call("POST", `/projects/${projectId}${path}`, body);
      assert.equal(answer.status, 201, answer.body.message);
      await platform().settled(projectId);
      return answer.body;
    };
    const branch = await call("/branches", { endpoints: [{ type: "read_write" }] });
    branchId = branch.branch.id;
    assert.ok(branch.endpoints[0]);
    [endpoint] = branch.endpoints;
    const { role } = await call(`/branches/${branchId}/roles`, { role: { name: names.roleName } });
    password = role.password ?? "";
    await call(`/branches/${branchId}/roles`, { role: { name: "readers", no_login: true } });
    const database = { name: names.databaseName, owner_name: names.roleName };
    await call(`/branches/${branchId}/databases`, { database });
    ({ endpoint: replica } = await call("/endpoints", { endpoint: { branch_id: branchId, type: "read_only" } }));
    bareId = (await call("/branches", { branch: { parent_id: branchId } })).branch.id;
  });

  /** The expected URI for a host. */
  const uriTo = (host: string): string =>
    `postgresql://team%2Fapp:${password}@${host}/50%25%20shop?sslmode=require&channel_binding=require`;
  const poolerOf = ({ id, host }: AnswerBody["endpoint"]): string => host.replace(id, `${id}-pooler`);
  const where = (branch = branchId): string => `branch ${branch} of project ${projectId}`;

  it("returns the URI of the branch's read-write compute by default", async () => {
    assert.deepEqual(await neon.getConnectionUri(args()), {
      ...args(),
      uri: uriTo(endpoint.host),
      host: endpoint.host,
      endpointId: endpoint.id,
      pooled: false,
    });
  });

  it("returns the URI of the pooler with `pooled`, and of another compute with `endpointId`", async () => {
    const pooled = await neon.getConnectionUri({ ...args(), pooled: true });
    assert.deepEqual([pooled.uri, pooled.host, pooled.pooled], [uriTo(poolerOf(endpoint)), poolerOf(endpoint), true]);
    const direct = await neon.getConnectionUri({ ...args(), pooled: false });
    assert.equal(direct.host, endpoint.host);
    const replicated = await neon.getConnectionUri({ ...args(), endpointId: replica.id });
    assert.deepEqual([replicated.uri, replicated.endpointId], [uriTo(replica.host), replica.id]);
    const both = await neon.getConnectionUri({ ...args(), endpointId: replica.id, pooled: true });
    assert.equal(both.host, poolerOf(replica));
  });

  it("returns the new password after a reset", async () => {
    const role = `/projects/${projectId}/branches/${branchId}/roles/${encodeURIComponent(names.roleName)}`;
    const { body } = await platform().call("POST", `${role}/reset_password`);
    await platform().settled(projectId);
    password = body.role.password ?? "";
    assert.equal((await neon.getConnectionUri(args())).uri, uriTo(endpoint.host));
  });

  it("is secret in its output form", async () => {
    const output = neon.getConnectionUriOutput({ ...args(), branchId: pulumi.output(branchId) });
    assert.equal(await valueOf(output.uri), uriTo(endpoint.host));
    assert.ok(await pulumi.isSecret(output));
    assert.ok(await pulumi.isSecret(output.uri));
  });

  it("§6.22 names the missing branch, compute, role or database in its error", async () => {
    const read = (changes: Partial<neon.GetConnectionUriArgs>) => neon.getConnectionUri({ ...args(), ...changes });
    await assertFails(
      read({ branchId: "br-no-such-1" }),
      `There is no ${where("br-no-such-1")}, or this API key cannot see it.`,
    );
    await assertFails(read({ branchId: bareId }), `There is no compute on ${where(bareId)} to connect to.`);
    await assertFails(read({ endpointId: "ep-no-such-1" }), `There is no compute ep-no-such-1 on ${where()}.`);
    const { body } = await platform().call("GET", `/projects/${projectId}/branches/${main.id}/endpoints`);
    const [foreign] = body.endpoints;
    assert.ok(foreign);
    await assertFails(read({ endpointId: foreign.id }), `There is no compute ${foreign.id} on ${where()}.`);
    await assertFails(read({ roleName: "nobody" }), `There is no role "nobody" on ${where()}.`);
    await assertFails(read({ databaseName: "nothing" }), `There is no database "nothing" on ${where()}.`);
    await assertFails(read({ roleName: "readers" }), `The role "readers" on ${where()} cannot log in.`);
    // The role exists on another branch only.
    await assertFails(read({ branchId: main.id }), `There is no role "team/app" on ${where(main.id)}.`);
  });

  it("§6.22 suggests another compute if the branch has no read-write compute", async () => {
    const { branch } = (
      await platform().call("POST", `/projects/${projectId}/branches`, { endpoints: [{ type: "read_only" }] })
    ).body;
    await platform().settled(projectId);
    const { body } = await platform().call("GET", `/projects/${projectId}/branches/${branch.id}/endpoints`);
    await assertFails(
      neon.getConnectionUri({ projectId, branchId: branch.id, roleName: "neondb_owner", databaseName: "neondb" }),
      `There is no read-write compute on ${where(branch.id)}. To connect to another compute, set \`endpointId: "${body.endpoints[0]?.id ?? ""}"\`.`,
    );
  });

  it("§6.22 fails if Neon returns a URI that does not match the arguments", async () => {
    const { body } = await platform().call("GET", `/projects/${projectId}/branches/${main.id}/endpoints`);
    const other = body.endpoints[0]?.host ?? "";
    const wrong: readonly (readonly [uri: string, changes?: Partial<neon.GetConnectionUriArgs>])[] = [
      [uriTo(other)],
      [uriTo(`${endpoint.host}.example`)],
      [uriTo(replica.host)],
      [uriTo(endpoint.host), { pooled: true }],
      [uriTo(poolerOf(endpoint)), { pooled: false }],
      [uriTo(endpoint.host), { endpointId: replica.id }],
      [uriTo(endpoint.host).replace("team%2Fapp", "neondb_owner")],
      [uriTo(endpoint.host).replace("50%25%20shop", "neondb")],
      [uriTo(endpoint.host).replace("50%25%20shop", "%")],
      ["not a URI"],
      [""],
    ];
    for (const [uri, changes] of wrong) {
      await platform().fault({ method: "GET", path: "/connection_uri", status: 200, body: { uri } });
      await assert.rejects(neon.getConnectionUri({ ...args(), ...changes }), (error) => {
        assert.ok(pulumi.RunError.isInstance(error), String(error));
        assert.match(error.message, /^Neon returned a connection URI that does not lead to database "50% shop"/);
        assert.ok(!error.message.includes(password));
        return true;
      });
      await platform().clearFaults();
    }
  });

  it("§6.7 explains a 412: the project does not store passwords, and the role has the password as an output", async () => {
    const { project, branch } = await platform().project({ store_passwords: false });
    await assertFails(
      neon.getConnectionUri({
        projectId: project.id,
        branchId: branch.id,
        roleName: "neondb_owner",
        databaseName: "neondb",
      }),
      new RegExp(
        `^GET /projects/${project.id}/connection_uri .* HTTP 412: .* The resource that created the role has it as its output \`password\`\\.$`,
      ),
    );
  });

  it("fails with 403, whatever it reads, instead of returning a URI without a password", async () => {
    for (const path of ["/endpoints$", "/roles/", "/databases/", "/connection_uri"]) {
      await platform().fault({ method: "GET", path, status: 403, body: { code: "", message: "not yours" } });
      await assertFails(neon.getConnectionUri(args()), /HTTP 403: not yours/);
      await platform().clearFaults();
    }
  });
});
