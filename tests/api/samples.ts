import type { Operation } from "../../api/index";

/** An operation with these members. */
export function operationSample(members: Partial<Operation> = {}): Operation {
  return {
    id: "11111111-1111-4111-8111-111111111111",
    project_id: "late-frost-302709",
    branch_id: "br-wispy-meadow-118737",
    endpoint_id: "ep-silent-smoke-806639",
    action: "start_compute",
    status: "running",
    failures_count: 0,
    created_at: "2030-01-01T00:00:00.000001Z",
    updated_at: "2030-01-01T00:00:00.000001Z",
    total_duration_ms: 0,
    ...members,
  };
}

/** A project with these members. */
export function projectSample(members: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: "late-frost-302709",
    name: "shop",
    platform_id: "aws",
    region_id: "aws-eu-central-1",
    pg_version: 17,
    created_at: "2030-01-01T00:00:00Z",
    ...members,
  };
}

/** A branch with these members. */
export function branchSample(members: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: "br-wispy-meadow-118737",
    project_id: "late-frost-302709",
    name: "main",
    current_state: "ready",
    created_at: "2030-01-01T00:00:00Z",
    ...members,
  };
}

/** The response to a request that creates a project. */
export function createdProjectSample(
  members: Readonly<Record<string, unknown>> = {},
  operations: readonly Operation[] = [],
): Record<string, unknown> {
  return { project: projectSample(members), branch: branchSample(), operations };
}
