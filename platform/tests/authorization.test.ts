import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { type Answer, suitePlatform } from "../../tests/support/platform";
import type { KeyKind } from "../model/accounts/caller";
import { routes } from "../routes/index";

/*
 * Every route with every kind of key, on what is the key's own and on what is not. The cases come from the table of
 * routes itself: one that is new is tested here by its path, and passes only if it keeps to these rules.
 *
 * - What stands in the path is seen by the key, or the answer is 404.
 * - Routes below an organization are not for keys of single projects: 403.
 * - Everything else is for everybody who sees it, unless it stands in the lists below.
 */

/** Routes that name no object of anybody's, and the kinds of keys that they are for. */
const unnamed: Readonly<Record<string, readonly KeyKind[]>> = {
  "GET /users/me": ["personal"],
  "GET /users/me/organizations": ["personal", "organization", "project"],
  "GET /auth": ["personal", "organization", "project"],
  "GET /regions": ["personal", "organization", "project"],
  "GET /api_keys": ["personal"],
  "POST /api_keys": ["personal"],
  "DELETE /api_keys/:key_id": ["personal"],
  "GET /projects": ["personal", "organization", "project"],
  "GET /projects/shared": ["personal", "organization", "project"],
  "POST /projects": ["personal", "organization"],
};

/** Routes about a project that a project-scoped key, and a member of its organization, may not use on it. */
const ownersOnly: readonly string[] = [
  "DELETE /projects/:project_id",
  "POST /projects/:project_id/recover",
  "POST /projects/:project_id/transfer_requests",
];

/** Routes whose path names a project that the caller need not see; an account is needed to have it. */
const offers: readonly string[] = ["PUT /projects/:project_id/transfer_requests/:request_id"];

/** Routes about an organization that are for its administrators. */
const administratorsOnly: readonly string[] = [
  "GET /organizations/:org_id/api_keys",
  "DELETE /organizations/:org_id/api_keys/:key_id",
  "POST /organizations/:org_id/projects/transfer",
  "POST /organizations/:org_id/vpc/region/:region_id/vpc_endpoints/:vpc_endpoint_id",
  "DELETE /organizations/:org_id/vpc/region/:region_id/vpc_endpoints/:vpc_endpoint_id",
];

/** Variables of paths below a project that are ids of what is in it. */
const ids: readonly string[] = [
  "branch_id",
  "endpoint_id",
  "operation_id",
  "permission_id",
  "request_id",
  "jwks_id",
  "snapshot_id",
];
/** Other variables of paths: names that mean nothing without what stands before them, and what is tried on its own. */
const names: readonly string[] = [
  "project_id",
  "org_id",
  "key_id",
  "role_name",
  "database_name",
  "region_id",
  "vpc_endpoint_id",
];

/** The account that asks: a kind of key, and for personal ones what its user is in the organization. */
const askers = ["administrator", "member", "organization", "project"] as const;
type Asker = (typeof askers)[number];

describe("platform: scopes", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  let orgId: string;
  let foreignOrgId: string;
  let keys: Record<Exclude<Asker, "project">, string>;
  /** Projects that none of the keys may see, and the one that only the project-scoped key may not. */
  let foreign: { id: string; of: readonly Asker[] }[];

  const project = async (asked: object, key?: string) => {
    const { status, body } = await platform().call("POST", "/projects", { project: asked }, { key });
    assert.equal(status, 201, body.message);
    return body.project.id;
  };
  const organizationKey = async (id: string, asked: object = {}, by?: string) => {
    const path = `/organizations/${id}/api_keys`;
    const { body } = await platform().call("POST", path, { key_name: "scopes", ...asked }, { key: by });
    return (body as unknown as { key: string }).key;
  };
  /** A project of the organization, and a key for it. */
  const ownProject = async () => {
    const id = await project({ org_id: orgId }, keys.administrator);
    return { id, scoped: await organizationKey(orgId, { project_id: id }, keys.member) };
  };
  /** One that stays as it is; the routes that change something have one each, since some leave nothing of it. */
  let own: Awaited<ReturnType<typeof ownProject>>;
  /** What is in a project of another organization, by the variables of paths. */
  let theirs: Readonly<Record<string, string>>;
  before(async () => {
    orgId = await platform().organization({ administrator: "administrator@example.com" });
    await platform().member(orgId, "member@example.com");
    const administrator = await platform().signIn("administrator@example.com");
    const member = await platform().signIn("member@example.com");
    keys = { administrator, member, organization: await organizationKey(orgId, {}, administrator) };
    foreignOrgId = await platform().organization();
    foreign = [
      { id: await project({}), of: askers },
      { id: await project({ org_id: foreignOrgId }), of: askers },
      { id: await project({}, administrator), of: ["member", "organization", "project"] },
      { id: await project({ org_id: orgId }, administrator), of: ["project"] },
      { id: "no-such-12345678", of: askers },
    ];
    own = await ownProject();
    theirs = await contents();
  });

  const contents = async () => {
    const { body: made } = await platform().call("POST", "/projects", { project: { org_id: foreignOrgId } });
    const { id } = made.project;
    await platform().settled(id);
    const path = `/projects/${id}`;
    const idOf = async (url: string, body: object, member?: "jwks" | "snapshot") => {
      const answer = await platform().call("POST", `${path}${url}`, body);
      assert.ok(answer.status < 300, answer.body.message);
      await platform().settled(id);
      const found = (member === undefined ? answer.body : answer.body[member as "snapshot"]) as unknown as {
        id: string;
      };
      return found.id;
    };
    return {
      project_id: id,
      branch_id: made.branch.id,
      endpoint_id: made.endpoints[0]?.id ?? "",
      operation_id: made.operations[0]?.id ?? "",
      permission_id: await idOf("/permissions", { email: "guest@example.com" }),
      request_id: await idOf("/transfer_requests", {}),
      jwks_id: await idOf("/jwks", { jwks_url: "https://example.com/jwks.json", provider_name: "test" }, "jwks"),
      snapshot_id: await idOf(`/branches/${made.branch.id}/snapshot`, {}, "snapshot"),
    };
  };
  /** A route with something in the place of each variable. */
  const pathTo = (path: string, named: Readonly<Record<string, string>>) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => named[name] ?? (name === "key_id" ? "1" : "none-such-1"));
  const isHidden = ({ status, body }: Answer, what: "project" | "organization") =>
    status === 404 && body.message === `${what} not found`;
  const assertRefused = (answer: Answer, status: 403 | 404, message: RegExp, what: string) => {
    assert.equal(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`);
    assert.match(answer.body.message, message, what);
  };
  /** It went past the question whose key it is, whatever came then. */
  const assertAdmitted = (answer: Answer, what: string) => {
    const isRefused =
      [401, 403, 429, 500].includes(answer.status) || isHidden(answer, "project") || isHidden(answer, "organization");
    assert.ok(!isRefused, `${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  const kindOf = (asker: Asker): KeyKind => (asker === "administrator" || asker === "member" ? "personal" : asker);

  for (const { method, path } of routes) {
    const route = `${method} ${path}`;
    const isAboutProject = path.includes("/:project_id");
    const isAboutOrganization = path.includes("/:org_id");
    const call = async (named: Readonly<Record<string, string>>, key: string) =>
      platform().call(method, pathTo(path, named), undefined, { key });

    if (!isAboutProject && !isAboutOrganization) {
      it(`${route} is for the kinds of keys that it is meant for`, async () => {
        const allowed = unnamed[route];
        assert.ok(
          allowed,
          `${route} names neither a project nor an organization: say in this test which keys it is for`,
        );
        for (const asker of askers) {
          const answer = await call({}, asker === "project" ? own.scoped : keys[asker]);
          if (allowed.includes(kindOf(asker))) assertAdmitted(answer, asker);
          else assertRefused(answer, 403, /not allowed for (organization|project-scoped) API keys/, asker);
        }
      });
      continue;
    }

    if (isAboutProject) {
      for (const asker of askers) {
        it(`${route} with ${nounOf(asker)} is for its own projects`, async () => {
          const { id, scoped } = method === "GET" ? own : await ownProject();
          const key = asker === "project" ? scoped : keys[asker];
          const isOffer = offers.includes(route);
          for (const { id: hidden, of } of foreign) {
            if (!of.includes(asker)) continue;
            const answer = await call({ project_id: hidden }, key);
            if (isOffer && asker === "project") assertRefused(answer, 403, /project-scoped API keys/, hidden);
            else assertRefused(answer, 404, isOffer ? /transfer request not found/ : /^project not found$/, hidden);
          }
          const answer = await call({ project_id: id }, key);
          if (asker === "project" && (isOffer || ownersOnly.includes(route))) {
            assertRefused(answer, 403, /not allowed for project-scoped API keys/, "its own");
          } else if (asker === "member" && ownersOnly.includes(route)) {
            assertRefused(answer, 403, /only the owner of the project, or an administrator/, "its own");
          } else {
            assertAdmitted(answer, "its own");
          }
        });
      }
      if (!variablesOf(path).some((name) => ids.includes(name))) continue;
      it(`${route} finds nothing of another project by its id`, async () => {
        const answer = await call({ ...theirs, project_id: own.id }, keys.organization);
        // Deleting what is not there is done already, and a body is read before the object is looked for.
        assert.ok([204, 400, 404].includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`);
      });
      continue;
    }

    for (const asker of askers) {
      it(`${route} with ${nounOf(asker)} is for its own organization`, async () => {
        const key = asker === "project" ? own.scoped : keys[asker];
        for (const hidden of [foreignOrgId, "org-no-such-one"]) {
          assertRefused(await call({ org_id: hidden }, key), 404, /^organization not found$/, hidden);
        }
        const answer = await call({ org_id: orgId }, key);
        if (asker === "project") assertRefused(answer, 403, /not allowed for project-scoped API keys/, "its own");
        else if (asker === "member" && administratorsOnly.includes(route)) {
          assertRefused(answer, 403, /only administrators of the organization/, "its own");
        } else assertAdmitted(answer, "its own");
      });
    }
  }

  it("what is in the other project is still there", async () => {
    const list = async (what: string) =>
      JSON.stringify((await platform().call("GET", `/projects/${theirs["project_id"] ?? ""}/${what}`)).body);
    for (const [what, id] of [
      ["branches", theirs["branch_id"]],
      ["endpoints", theirs["endpoint_id"]],
      ["permissions", theirs["permission_id"]],
      ["jwks", theirs["jwks_id"]],
      ["snapshots", theirs["snapshot_id"]],
    ] as const) {
      assert.ok(id && (await list(what)).includes(id), what);
    }
  });

  it("every variable of a path is an id that is tried with another project's, or a name", () => {
    const variables = new Set(routes.flatMap(({ path }) => variablesOf(path)));
    const unknown = [...variables].filter((name) => !ids.includes(name) && !names.includes(name));
    assert.deepEqual(unknown, [], "add these to one of the lists in this test");
  });

  it("the lists above name routes that there are", () => {
    const known = routes.map(({ method, path }) => `${method} ${path}`);
    for (const route of [...Object.keys(unnamed), ...ownersOnly, ...offers, ...administratorsOnly]) {
      assert.ok(known.includes(route), route);
    }
  });

  it("no route answers without a key, or with one that is revoked", async () => {
    const { body } = await platform().call("POST", "/api_keys", { key_name: "revoked" });
    const { id, key } = body as unknown as { id: number; key: string };
    await platform().call("DELETE", `/api_keys/${id}`);
    for (const { method, path } of routes) {
      for (const [why, options] of [
        ["none", { headers: { authorization: "" } }],
        ["revoked", { key }],
      ] as const) {
        const answer = await platform().call(method, pathTo(path, {}), undefined, options);
        assert.equal(answer.status, 401, `${method} ${path}: ${why}`);
      }
    }
  });
});

function variablesOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

function nounOf(asker: Asker): string {
  switch (asker) {
    case "administrator":
      return "an administrator's key";
    case "member":
      return "a member's key";
    case "organization":
      return "an organization's key";
    case "project":
      return "a project-scoped key";
    default:
      return asker satisfies never;
  }
}
