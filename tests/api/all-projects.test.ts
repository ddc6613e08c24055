import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { allProjects } from "../../api/all-projects";
import { HttpError } from "../../api/index";
import { idsOf, valuesOf } from "../platform/support/responses";
import { projectSample } from "./samples";
import { all, errorOf, scriptedClient } from "./scripted-client";

describe("allProjects", () => {
  /** Two pages, each with projects that could not be loaded in time. */
  const pages = [
    {
      body: {
        projects: [projectSample({ id: "one" })],
        unavailable_project_ids: ["slow-1", "slow-2"],
        pagination: { cursor: "x" },
      },
    },
    { body: { projects: [projectSample({ id: "two" })], unavailable_project_ids: ["slow-1"] } },
  ];

  it("lists all pages, then fetches each project that could not be loaded in time once", async () => {
    const { client, sent } = scriptedClient((request) => {
      const listed = pages[request.path.includes("cursor") ? 1 : 0];
      const id = /^\/projects\/(.+)$/.exec(request.path)?.[1];
      return id === undefined ? (listed ?? {}) : { body: { project: projectSample({ id }) } };
    });
    const found = await all(allProjects(client, { search: "shop" }));
    assert.deepEqual(idsOf(found), ["one", "two", "slow-1", "slow-2"]);
    assert.deepEqual(valuesOf(sent, "path"), [
      "/projects?search=shop&limit=100",
      "/projects?search=shop&limit=100&cursor=x",
      "/projects/slow-1",
      "/projects/slow-2",
    ]);
  });

  it("fails if a project that could not be loaded in time cannot be fetched", async () => {
    const { client, clock } = scriptedClient((request) =>
      request.path.startsWith("/projects?") ? (pages[1] ?? {}) : { status: 403, body: { message: "no" } },
    );
    const error = await errorOf(clock.run(all(allProjects(client, {}))));
    assert.ok(HttpError.isInstance(error) && error.status === 403);
  });
});
