import type {
  ConsumptionHistoryPerBranchV2Response,
  ConsumptionHistoryPerProjectResponse,
  ConsumptionHistoryPerProjectV2Response,
  PaginationResponse,
} from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { ManualPlatformClock } from "../support/platform-clock";
import { suiteAccounts } from "./support/accounts";
import { assertError, assertMembers, pagesOf } from "./support/responses";

describe("local platform: consumption history", () => {
  const clock = new ManualPlatformClock(Date.parse("2030-03-15T12:30:00Z"));
  const { platform, call, read, project } = suiteAccounts({ clock });
  const day = "from=2030-03-14T05:00:00Z&to=2030-03-15T12:30:00Z&granularity=hourly";
  const metrics = "metrics=compute_unit_seconds,root_branch_bytes_month";

  const setUp = async () => {
    const orgId = await platform().organization();
    const ids = [await project({ org_id: orgId }), await project({ org_id: orgId })];
    // The computes run for an hour.
    clock.advance(3_600_000);
    return { orgId, ids };
  };

  it("projects are listed in pages, with the time of their computes in the timeframe of the last use", async () => {
    const { orgId, ids } = await setUp();
    type Page = ConsumptionHistoryPerProjectV2Response & PaginationResponse;
    const path = `/consumption_history/v2/projects?org_id=${orgId}&${metrics}&limit=1`;
    const from = "from=2030-03-15T10:20:00Z&to=2030-03-15T23:00:00Z&granularity=hourly";
    const pages = await pagesOf(
      (cursor) => read<Page>(`${path}&${from}${cursor}`),
      ({ pagination }) => pagination?.cursor,
    );
    const found = pages.flatMap(({ projects }) => projects.map(({ project_id }) => project_id));
    assert.deepEqual(found, [...ids].reverse());
    const [period] = pages[0]?.projects[0]?.periods ?? [];
    assertMembers(period, { period_plan: "scale", period_start: "2030-03-01T00:00:00Z" });
    const starts = period?.consumption.map(({ timeframe_start: start }) => start) ?? [];
    assert.deepEqual(starts, [...starts].sort(), "the oldest one comes first");
    assert.ok(
      starts.every((start = "") => start >= "2030-03-15T12:00:00Z"),
      "nothing before the project was created",
    );
    const names = period?.consumption.map((one) => one.metrics?.map(({ metric_name: name }) => name).join());
    assert.deepEqual(new Set(names), new Set(["compute_unit_seconds,root_branch_bytes_month"]));
  });

  it("lists of ids are written with commas or repeated, and select branches and projects", async () => {
    const { orgId, ids } = await setUp();
    const branches = async (query: string) =>
      (
        await read<ConsumptionHistoryPerBranchV2Response>(
          `/consumption_history/v2/branches?org_id=${orgId}&${day}&${metrics}&${query}`,
        )
      ).branches;
    const all = await branches(`project_ids=${ids.join(",")}`);
    assert.deepEqual(all.map(({ project_id }) => project_id).sort(), [...ids].sort());
    assert.deepEqual(await branches(`project_ids=${ids[0]}&project_ids=${ids[1]}`), all);
    const [one] = all;
    assert.deepEqual(await branches(`project_ids=${ids.join(",")}&branch_ids=${one?.branch_id}`), [one]);
    const first = await branches(`project_ids=${ids.join(",")}&limit=1`);
    assert.deepEqual(first, [one]);
  });

  it("plans and ranges that have no history, foreign organizations and unknown metrics are rejected", async () => {
    const plans = async (plan: string) => platform().organization({ plan });
    const [free, launch] = [await plans("free"), await plans("launch")];
    const foreign = await platform().organization({ administrator: "other@example.com" });
    const { orgId } = await setUp();
    for (const [status, path, message] of [
      [
        403,
        `v2/projects?org_id=${free}&${day}&${metrics}`,
        /available on the plans launch and scale only; the plan is free/,
      ],
      [403, `v2/branches?org_id=${free}&${day}&${metrics}&project_ids=a`, /plans launch and scale/],
      [403, `projects?org_id=${launch}&${day}`, /legacy plans are available on the plans scale only/],
      [404, `projects?org_id=${foreign}&${day}`, /^organization not found$/],
      [404, `v2/branches?org_id=${orgId}&${day}&${metrics}&project_ids=no-such-1`, /^project not found$/],
      [404, `v2/projects?org_id=${foreign}&${day}&${metrics}`, /^organization not found$/],
      [
        406,
        `v2/projects?org_id=${orgId}&${metrics}&from=2030-03-01T00:00:00Z&to=2030-03-02T00:00:00Z&granularity=hourly`,
        /reach back to 2030-03-08T/,
      ],
      [
        406,
        `projects?org_id=${orgId}&from=2030-03-15T00:00:00Z&to=2030-03-14T00:00:00Z&granularity=daily`,
        /adjust from and to/,
      ],
      [400, `v2/projects?org_id=${orgId}&${day}&metrics=active_time`, /metrics/],
      [400, `v2/branches?org_id=${orgId}&${day}&project_ids=a&metrics=extra_branches_month`, /metrics/],
    ] as const) {
      assertError(await call("GET", `/consumption_history/${path}`), status, message, "", path);
    }
  });

  it("a personal account has a history in the metrics of legacy plans, by months", async () => {
    const id = await project();
    const query = "from=2029-12-20T00:00:00Z&to=2030-04-01T00:00:00Z&granularity=monthly";
    const { projects } = await read<ConsumptionHistoryPerProjectResponse>(
      `/consumption_history/projects?${query}&project_ids=${id}`,
    );
    assert.deepEqual(
      projects.map(({ project_id, periods }) => [project_id, periods.map(({ period_start }) => period_start)]),
      [[id, ["2030-03-01T00:00:00Z"]]],
    );
  });
});
