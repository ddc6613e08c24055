import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import type { AnswerBody } from "../support/platform";
import { assertFails, configure, suiteAccount, valueOf } from "./program";

describe("looking up a connection URI", () => {
  const platform = suiteAccount();
  let projectId = "";
  let main: AnswerBody["branch"];
  /** A branch with a compute of its own, on which the role and the database of the tests stand. */
  let branchId = "";
  let endpoint: AnswerBody["endpoint"];
  let replica: AnswerBody["endpoint"];
  /** A branch without a compute. */
  let idle = "";
  let password = "";
  const names = { roleName: "team/app", databaseName: "50% shop" };
  const asked = () => ({ projectId, branchId, ...names });

  before(async () => {
    const born = await platform().project();
    projectId = born.project.id;
    main = born.branch;
    const call = async (path: string, body: object): Promise<AnswerBody> => {
      const answer = await platform().call("POST", `/projects/${projectId}${path}`, body);
      assert.equal(answer.status, 201, answer.body.message);
      await platform().settled(projectId);
      return answer.body;
    };
    const made = await call("/branches", { endpoints: [{ type: "read_write" }] });
    branchId = made.branch.id;
    assert.ok(made.endpoints[0]);
    [endpoint] = made.endpoints;
    const { role } = await call(`/branches/${branchId}/roles`, { role: { name: names.roleName } });
    password = role.password ?? "";
    await call(`/branches/${branchId}/roles`, { role: { name: "readers", no_login: true } });
    const database = { name: names.databaseName, owner_name: names.roleName };
    await call(`/branches/${branchId}/databases`, { database });
    ({ endpoint: replica } = await call("/endpoints", { endpoint: { branch_id: branchId, type: "read_only" } }));
    idle = (await call("/branches", { branch: { parent_id: branchId } })).branch.id;
  });

  /** The URI that leads to a host. */
  const uriTo = (host: string): string =>
    `postgresql://team%2Fapp:${password}@${host}/50%25%20shop?sslmode=require&channel_binding=require`;
  const poolerOf = ({ id, host }: AnswerBody["endpoint"]): string => host.replace(id, `${id}-pooler`);
  const where = (branch = branchId): string => `branch ${branch} of project ${projectId}`;
  const exactly = (text: string): RegExp => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);

  it("answers that of the branch's own compute, with its parts", async () => {
    assert.deepEqual(await neon.getConnectionUri(asked()), {
      ...asked(),
      uri: uriTo(endpoint.host),
      host: endpoint.host,
      endpointId: endpoint.id,
      pooled: false,
    });
  });

  it("answers that of its pooler, and that of a compute that is named", async () => {
    const pooled = await neon.getConnectionUri({ ...asked(), pooled: true });
    assert.deepEqual([pooled.uri, pooled.host, pooled.pooled], [uriTo(poolerOf(endpoint)), poolerOf(endpoint), true]);
    const direct = await neon.getConnectionUri({ ...asked(), pooled: false });
    assert.equal(direct.host, endpoint.host);
    const replicated = await neon.getConnectionUri({ ...asked(), endpointId: replica.id });
    assert.deepEqual([replicated.uri, replicated.endpointId], [uriTo(replica.host), replica.id]);
    const both = await neon.getConnectionUri({ ...asked(), endpointId: replica.id, pooled: true });
    assert.equal(both.host, poolerOf(replica));
  });

  it("follows a password that was reset", async () => {
    const role = `/projects/${projectId}/branches/${branchId}/roles/${encodeURIComponent(names.roleName)}`;
    const { body } = await platform().call("POST", `${role}/reset_password`);
    await platform().settled(projectId);
    password = body.role.password ?? "";
    assert.equal((await neon.getConnectionUri(asked())).uri, uriTo(endpoint.host));
  });

  it("§6.23 is secret in the form that waits for its arguments", async () => {
    const output = neon.getConnectionUriOutput({ ...asked(), branchId: pulumi.output(branchId) });
    assert.equal(await valueOf(output.uri), uriTo(endpoint.host));
    assert.ok(await pulumi.isSecret(output));
    assert.ok(await pulumi.isSecret(output.uri));
  });

  it("§6.22 fails with the one thing that is missing, and where", async () => {
    const lookup = (args: Partial<neon.GetConnectionUriArgs>) => neon.getConnectionUri({ ...asked(), ...args });
    await assertFails(
      lookup({ branchId: "br-no-such-1" }),
      exactly(`There is no ${where("br-no-such-1")}, or this API key does not see it.`),
    );
    await assertFails(
      lookup({ branchId: idle }),
      exactly(`There is no compute on ${where(idle)}, so nothing can connect to it.`),
    );
    await assertFails(
      lookup({ endpointId: "ep-no-such-1" }),
      exactly(`There is no compute ep-no-such-1 on ${where()}.`),
    );
    const { body } = await platform().call("GET", `/projects/${projectId}/branches/${main.id}/endpoints`);
    const [foreign] = body.endpoints;
    assert.ok(foreign);
    await assertFails(lookup({ endpointId: foreign.id }), exactly(`There is no compute ${foreign.id} on ${where()}.`));
    await assertFails(lookup({ roleName: "nobody" }), exactly(`There is no role "nobody" on ${where()}.`));
    await assertFails(lookup({ databaseName: "nothing" }), exactly(`There is no database "nothing" on ${where()}.`));
    await assertFails(lookup({ roleName: "readers" }), exactly(`The role "readers" on ${where()} cannot log in.`));
    // They are on this branch alone, and never taken from it.
    await assertFails(lookup({ branchId: main.id }), exactly(`There is no role "team/app" on ${where(main.id)}.`));
  });

  it("§6.22 says which compute could be named where the branch has none to write to", async () => {
    const { branch } = (
      await platform().call("POST", `/projects/${projectId}/branches`, { endpoints: [{ type: "read_only" }] })
    ).body;
    await platform().settled(projectId);
    const { body } = await platform().call("GET", `/projects/${projectId}/branches/${branch.id}/endpoints`);
    await assertFails(
      neon.getConnectionUri({ projectId, branchId: branch.id, roleName: "neondb_owner", databaseName: "neondb" }),
      exactly(
        `There is no read-write compute on ${where(branch.id)}. To connect to another one, name it: \`endpointId: "${body.endpoints[0]?.id ?? ""}"\`.`,
      ),
    );
  });

  it("§6.22 never answers with a URI that leads anywhere else, whatever the platform says", async () => {
    const { body } = await platform().call("GET", `/projects/${projectId}/branches/${main.id}/endpoints`);
    const other = body.endpoints[0]?.host ?? "";
    const wrong: readonly (readonly [uri: string, args?: Partial<neon.GetConnectionUriArgs>])[] = [
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
    for (const [uri, args] of wrong) {
      await platform().fault({ method: "GET", path: "/connection_uri", status: 200, body: { uri } });
      await assert.rejects(neon.getConnectionUri({ ...asked(), ...args }), (error) => {
        assert.ok(pulumi.RunError.isInstance(error), String(error));
        assert.match(
          error.message,
          /^The platform answered with a connection URI that does not lead to database "50% shop"/,
        );
        assert.ok(!error.message.includes(password));
        return true;
      });
      await platform().clearFaults();
    }
  });

  it("§6.7 says that a project stores no passwords, and where the password is known", async () => {
    const { project, branch } = await platform().project({ store_passwords: false });
    await assertFails(
      neon.getConnectionUri({
        projectId: project.id,
        branchId: branch.id,
        roleName: "neondb_owner",
        databaseName: "neondb",
      }),
      /^Project \S+ stores no passwords, .* the output `password` of the resource that made the role\.$/,
    );
  });

  it("asks for every name that is left out by a program without types", async () => {
    for (const name of ["projectId", "branchId", "roleName", "databaseName"] as const) {
      for (const absent of [undefined, ""]) {
        const args = { ...asked(), [name]: absent } as neon.GetConnectionUriArgs;
        await assertFails(neon.getConnectionUri(args), exactly(`getConnectionUri needs \`${name}\`.`));
      }
    }
  });

  it("§6.9 with a refused key, or where the platform fails, fails: never with an empty password", async () => {
    for (const path of ["/endpoints$", "/roles/", "/databases/", "/connection_uri"]) {
      await platform().fault({ method: "GET", path, status: 403, body: { code: "", message: "not yours" } });
      await assertFails(neon.getConnectionUri(asked()), /HTTP 403: not yours/);
      await platform().clearFaults();
    }
    configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
    await assertFails(neon.getConnectionUri(asked()), /HTTP 401/);
    await assertFails(valueOf(neon.getConnectionUriOutput(asked())), /HTTP 401/);
  });
});
