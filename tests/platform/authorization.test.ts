import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import type { Answer } from "../support/platform";
import type { KeyKind } from "../../platform/model/accounts/caller";
import { routes } from "../../platform/routes/index";
import { ManualPlatformClock } from "../support/platform-clock";
import { suiteAccounts } from "./support/accounts";
import { createContents, type Names, pathTo as filled, readContents } from "./support/contents";
import { assertError } from "./support/responses";

/*
 * Calls every route with every kind of key, for own and foreign objects. The cases come from the table of routes, so a new
 * route is tested automatically. It must follow these rules:
 *
 * - If the key cannot see the project or organization in the path, the response is 404.
 * - Project-scoped keys get 403 on routes below an organization.
 * - Everybody else who can see the object may call the route, unless it is in one of the lists below.
 */

/** Routes without a project or organization in the path, and the kinds of keys that they accept. */
const withoutTarget: Readonly<Record<string, readonly KeyKind[]>> = {
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
  "GET /consumption_history/projects": ["personal", "organization"],
  "GET /consumption_history/v2/projects": ["personal", "organization"],
  "GET /consumption_history/v2/branches": ["personal", "organization"],
  "POST /users/me/projects/transfer": ["personal"],
};

/** Routes of a project that project-scoped keys and members of its organization must not call. */
const projectOwnersOnly: readonly string[] = [
  "DELETE /projects/:project_id",
  "POST /projects/:project_id/recover",
  "POST /projects/:project_id/transfer_requests",
  "PUT /projects/:project_id/members/:member_id/role",
  "DELETE /projects/:project_id/members/:member_id/role",
];

/** Routes whose path has a project that the caller need not see. They need the key of an account. */
const acceptRoutes: readonly string[] = ["PUT /projects/:project_id/transfer_requests/:request_id"];

/** Routes of an organization that only administrators may call. */
const organizationAdminsOnly: readonly string[] = [
  "GET /organizations/:org_id/api_keys",
  "DELETE /organizations/:org_id/api_keys/:key_id",
  "POST /organizations/:org_id/projects/transfer",
  "PATCH /organizations/:org_id/members/:member_id",
  "DELETE /organizations/:org_id/members/:member_id",
  "POST /organizations/:org_id/invitations",
  "PUT /organizations/:org_id/billing/spending_limit",
  "DELETE /organizations/:org_id/billing/spending_limit",
  "POST /organizations/:org_id/vpc/region/:region_id/vpc_endpoints/:vpc_endpoint_id",
  "DELETE /organizations/:org_id/vpc/region/:region_id/vpc_endpoints/:vpc_endpoint_id",
];

/** The kinds of keys; for personal keys, the role of the user in the organization. */
const callerNames = {
  administrator: "an administrator's key",
  member: "a member's key",
  organization: "an organization's key",
  project: "a project-scoped key",
};
type CallerKind = keyof typeof callerNames;
const callers = Object.keys(callerNames) as CallerKind[];
const nameOf = (caller: CallerKind) => callerNames[caller];

describe("local platform: authorization", () => {
  const clock = new ManualPlatformClock();
  const { platform, user, project, personalKey, organizationKey } = suiteAccounts({ clock, operationTime: "0" });
  /** Lets the operations in progress finish, and no time pass. */
  const finish = () => clock.advance(0);
  let orgId: string;
  let foreignOrgId: string;
  let keys: Record<Exclude<CallerKind, "project">, string>;
  /** Projects that no key can see, and one that only the project-scoped key cannot see. */
  let foreign: { id: string; of: readonly CallerKind[] }[];

  /** A project of the organization and a key for it. */
  const ownProject = async () => {
    const id = await project({ org_id: orgId }, keys.administrator);
    return { id, scoped: (await organizationKey(orgId, { project_id: id }, keys.member)).key };
  };
  /** The project of all requests but its deletion, which gets a project of its own. */
  let own: Awaited<ReturnType<typeof ownProject>>;
  /** The objects of another organization, by path variable. */
  let theirs: Names;
  let theirContents: Readonly<Record<string, string>>;
  before(async () => {
    const [{ email, key: administrator }, member] = [await user(), await user()];
    orgId = await platform().organization({ administrator: email });
    await platform().member(orgId, member.email);
    const { key: organization } = await organizationKey(orgId, {}, administrator);
    keys = { administrator, member: member.key, organization };
    foreignOrgId = await platform().organization();
    foreign = [
      { id: await project({}), of: callers },
      { id: await project({ org_id: foreignOrgId }), of: callers },
      { id: await project({}, administrator), of: ["member", "organization", "project"] },
      { id: await project({ org_id: orgId }, administrator), of: ["project"] },
      { id: "no-such-12345678", of: callers },
    ];
    own = await ownProject();
    theirs = await createContents(platform(), finish);
    theirContents = await readContents(platform(), theirs);
  });

  /** A path with a value for each variable. */
  const pathTo = (path: string, named: Names) =>
    filled(path, named).replaceAll(/:(\w+)/g, (_, name) => (name === "key_id" ? "1" : "none-such-1"));
  const isHidden = ({ status, body }: Answer, what: "project" | "organization") =>
    status === 404 && body.message === `${what} not found`;
  const assertRejected = (response: Answer, status: 403 | 404, message: RegExp, what: string) => {
    assertError(response, status, message, "", what);
  };
  /** Asserts that authorization succeeded, whatever the route did then. */
  const assertAllowed = (response: Answer, what: string) => {
    const isRefused =
      [401, 403, 429, 500].includes(response.status) ||
      isHidden(response, "project") ||
      isHidden(response, "organization");
    assert.ok(!isRefused, `${what}: ${response.status} ${JSON.stringify(response.body)}`);
  };
  const kindOf = (caller: CallerKind): KeyKind =>
    caller === "administrator" || caller === "member" ? "personal" : caller;

  for (const { method, path } of routes) {
    const route = `${method} ${path}`;
    const isAboutProject = path.includes("/:project_id");
    const isAboutOrganization = path.includes("/:org_id");
    const call = async (named: Names, key: string) => {
      finish();
      return await platform().call(method, pathTo(path, named), undefined, { key });
    };

    if (!isAboutProject && !isAboutOrganization) {
      it(`${route} accepts only its kinds of keys [1.9.7]`, async () => {
        const allowed = withoutTarget[route];
        assert.ok(allowed, `${route} names neither a project nor an organization: say here which keys it is for`);
        for (const caller of callers) {
          const response = await call({}, caller === "project" ? own.scoped : keys[caller]);
          if (allowed.includes(kindOf(caller))) assertAllowed(response, caller);
          else assertRejected(response, 403, /not allowed for (organization|project-scoped) API keys/, caller);
        }
      });
      continue;
    }

    if (isAboutProject) {
      for (const caller of callers) {
        it(`${route} with ${nameOf(caller)} returns 404 for foreign projects [1.9.7]`, async () => {
          const { id, scoped } = route === "DELETE /projects/:project_id" ? await ownProject() : own;
          const key = caller === "project" ? scoped : keys[caller];
          const isOffer = acceptRoutes.includes(route);
          for (const { id: hidden, of } of foreign) {
            if (!of.includes(caller)) continue;
            const response = await call({ project_id: hidden }, key);
            if (isOffer && caller === "project") assertRejected(response, 403, /project-scoped API keys/, hidden);
            else assertRejected(response, 404, isOffer ? /transfer request not found/ : /^project not found$/, hidden);
          }
          const response = await call({ project_id: id }, key);
          if (caller === "project" && (isOffer || projectOwnersOnly.includes(route))) {
            assertRejected(response, 403, /not allowed for project-scoped API keys/, "its own");
          } else if (caller === "member" && projectOwnersOnly.includes(route)) {
            assertRejected(response, 403, /only the owner of the project, or an administrator/, "its own");
          } else {
            assertAllowed(response, "its own");
          }
        });
      }
      if (!path.replace("/:project_id", "").includes(":")) continue;
      it(`${route} finds no object of another project by its id [1.8 get operation]`, async () => {
        const response = await call({ ...theirs, project_id: own.id }, keys.organization);
        // 204: the object counts as deleted. 400: the body is validated before the object is looked up.
        assert.ok(
          [204, 400, 404, 422].includes(response.status),
          `${response.status} ${JSON.stringify(response.body)}`,
        );
      });
      continue;
    }

    for (const caller of callers) {
      it(`${route} with ${nameOf(caller)} returns 404 for foreign organizations [1.9.4; 1.9.7]`, async () => {
        const key = caller === "project" ? own.scoped : keys[caller];
        for (const hidden of [foreignOrgId, "org-no-such-one"]) {
          assertRejected(await call({ org_id: hidden }, key), 404, /^organization not found$/, hidden);
        }
        const response = await call({ org_id: orgId }, key);
        if (caller === "project") assertRejected(response, 403, /not allowed for project-scoped API keys/, "its own");
        else if (caller === "member" && organizationAdminsOnly.includes(route)) {
          assertRejected(response, 403, /only administrators of the organization/, "its own");
        } else assertAllowed(response, "its own");
      });
    }
  }

  it("none of these requests has changed an object of the other organization", async () => {
    for (const [path, answer] of Object.entries(await readContents(platform(), theirs))) {
      assert.equal(answer, theirContents[path], `GET ${path}`);
    }
  });

  it("every route in the lists of this test exists", () => {
    const known = routes.map(({ method, path }) => `${method} ${path}`);
    for (const route of [
      ...Object.keys(withoutTarget),
      ...projectOwnersOnly,
      ...acceptRoutes,
      ...organizationAdminsOnly,
    ]) {
      assert.ok(known.includes(route), route);
    }
  });

  it("every route returns 401 without a key and with a revoked key [1.1.3; 1.7 revoke]", async () => {
    const { id, key } = await personalKey();
    await platform().call("DELETE", `/api_keys/${id}`);
    for (const { method, path } of routes) {
      for (const [why, options] of [
        ["none", { headers: { authorization: "" } }],
        ["revoked", { key }],
      ] as const) {
        const response = await platform().call(method, pathTo(path, {}), undefined, options);
        assert.equal(response.status, 401, `${method} ${path}: ${why}`);
      }
    }
  });
});
