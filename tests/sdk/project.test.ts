import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { idsOf, namesOf } from "../platform/support/responses";
import { assertFails, configure, pagesOf, suiteAccount } from "./program";

describe("getProjects and getProject", () => {
  const platform = suiteAccount();
  let shop: neon.ProjectResult;
  before(async () => {
    const created = await Promise.all(
      ["shop", "the twin", "the twin"].map((name) =>
        platform().call("POST", "/projects", { project: { name, region_id: "aws-eu-central-1" } }),
      ),
    );
    const { id, name } = created[0]?.body.project ?? assert.fail();
    shop = { id, name } as neon.ProjectResult;
  });

  const listed = async (): Promise<string[]> =>
    (await platform().requests())
      .filter(({ method }) => method === "GET")
      .map(({ path }) => path.replace("/api/v2", ""));

  it("getProjects reads all pages", async () => {
    const { projects } = (await platform().call("GET", "/projects")).body;
    const [first, ...others] = projects;
    await pagesOf(platform(), "^/projects\\?", [
      { projects: [first], pagination: { cursor: "later" } },
      { projects: others },
    ]);
    await platform().clearRequests();
    assert.deepEqual(idsOf(await neon.getProjects()), idsOf(projects));
    assert.deepEqual(await listed(), ["/projects?limit=100", "/projects?limit=100&cursor=later"]);
  });

  it("getProjects returns the documented members in camelCase", async () => {
    const found = (await neon.getProjects({ search: "shop" })).find(({ id }) => id === shop.id);
    const { body } = await platform().call("GET", `/projects/${shop.id}`);
    assert.ok(found);
    const { updatedAt, quotaResetAt, ...rest } = found;
    assert.equal(updatedAt, body.project.updated_at);
    assert.equal(quotaResetAt, body.project.consumption_period_end);
    assert.deepEqual(rest, {
      id: shop.id,
      name: "shop",
      platformId: "aws",
      regionId: "aws-eu-central-1",
      pgVersion: body.project.pg_version,
      provisioner: body.project.provisioner,
      storePasswords: true,
      proxyHost: body.project.proxy_host,
      branchLogicalSizeLimit: body.project.branch_logical_size_limit,
      historyRetentionSeconds: body.project.history_retention_seconds,
      syntheticStorageSize: body.project.synthetic_storage_size,
      activeTime: body.project.active_time_seconds,
      computeLastActiveAt: body.project.compute_last_active_at,
      creationSource: "console",
      createdAt: body.project.created_at,
    });
  });

  it("getProjects returns the projects whose names or ids contain `search`", async () => {
    // No id has a space.
    assert.deepEqual(namesOf(await neon.getProjects({ search: "e twi" })), ["the twin", "the twin"]);
    assert.deepEqual(idsOf(await neon.getProjects({ search: shop.id })), [shop.id]);
    assert.deepEqual(await neon.getProjects({ search: "no such name" }), []);
  });

  it("getProject finds a project by id or exact name", async () => {
    assert.equal((await neon.getProject({ projectId: shop.id })).name, "shop");
    assert.equal((await neon.getProject({ name: "shop" })).id, shop.id);
    const { historyRetentionSeconds, consumptionPeriodStart, consumptionPeriodEnd } = await neon.getProject({
      name: "shop",
    });
    assert.equal(historyRetentionSeconds, 86_400);
    assert.ok(Date.parse(consumptionPeriodEnd ?? "") > Date.parse(consumptionPeriodStart ?? ""));
  });

  it("§6.22 getProject fails if the project does not exist, and never returns one with a similar name", async () => {
    await assertFails(
      neon.getProject({ name: "sho" }),
      /^This API key can see no project named "sho"\. If the project .* `orgId`\.$/,
    );
  });

  it("getProject fails if two projects have the name, and lists their ids", async () => {
    const twins = (await neon.getProjects({ search: "the twin" })).map(({ id }) => id);
    assert.equal(twins.length, 2);
    await assertFails(
      neon.getProject({ name: "the twin" }),
      /^There are 2 projects named "the twin" \(\S+, \S+\)\. Set `projectId` to one of them\.$/,
    );
  });

  it("getProjects fetches the projects that the list returns as unavailable", async () => {
    const body = { projects: [], unavailable_project_ids: [shop.id], applications: {}, integrations: {} };
    await platform().fault({ method: "GET", path: "^/projects\\?", status: 200, body });
    assert.deepEqual(idsOf(await neon.getProjects()), [shop.id]);
  });

  it("getProjects uses the organization of the arguments, then of the stack, then of the environment", async () => {
    await pagesOf(platform(), "^/projects\\?", Array<object>(3).fill({ projects: [] }));
    await platform().clearRequests();
    const { apiKey, apiUrl } = platform();
    process.env["NEON_ORG_ID"] = "org-environment";
    await neon.getProjects();
    configure({ apiKey, apiUrl, orgId: "org-stack" });
    await neon.getProjects();
    await neon.getProjects({ orgId: "org-argument" });
    assert.deepEqual(await listed(), [
      "/projects?org_id=org-environment&limit=100",
      "/projects?org_id=org-stack&limit=100",
      "/projects?org_id=org-argument&limit=100",
    ]);
  });
});
