import type { Recorded, RunRequest } from "./run";

/** The object of a request, which has a lane of its own. */
export interface RunObject {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
}

const account: RunObject = { key: "account", kind: "account", name: "account" };

/** The collections of a branch whose members are known by their names. */
const namedParts: Readonly<Record<string, string>> = { roles: "role", databases: "database" };
/** The collections of a project whose members are known by their ids. */
const projectParts: Readonly<Record<string, string>> = {
  endpoints: "compute",
  snapshots: "snapshot",
  jwks: "JWKS URL",
  permissions: "permission",
  vpc_endpoints: "VPC restriction",
};

/** Finds the object of a request from its path, the name in its body, and the operations that it has started. */
export function objectOfRequest(request: RunRequest, recorded: Recorded): RunObject {
  const segments = (request.path.split("?", 1)[0] ?? "").split("/").slice(1).map(decodedSegment);
  const [collection, first, part, second, third, fourth] = segments;
  const [started] = request.operations.map((id) => recorded.operation(id));
  if (collection !== "projects") return keyObject(segments, request);
  if (first === undefined) {
    if (request.method !== "POST") return account;
    return started ? projectObject(started.projectId, recorded, request.name) : account;
  }
  const project = projectObject(first, recorded);
  if (part === undefined) return project;
  if (part === "operations") {
    const branchId = second === undefined ? undefined : recorded.operation(second)?.branchId;
    return branchId === undefined ? project : branchObject(branchId, recorded);
  }
  if (part === "branches") {
    const branchId = second ?? (request.method === "POST" ? started?.branchId : undefined);
    if (branchId === undefined) return project;
    const branch = branchObject(branchId, recorded, second === undefined ? request.name : undefined);
    const kind = third === undefined ? undefined : namedParts[third];
    const name = fourth ?? request.name;
    if (kind !== undefined && name !== undefined) return { key: `${kind} ${branchId} ${name}`, kind, name };
    return third === "snapshot" ? { key: `snapshot ${branchId}`, kind: "snapshot", name: branch.name } : branch;
  }
  const kind = projectParts[part];
  const name = second ?? (request.method === "GET" ? undefined : request.name);
  if (kind === undefined || (name === undefined && request.method === "GET")) return project;
  return { key: `${kind} ${name ?? request.requestId}`, kind, name: name ?? "new" };
}

function projectObject(id: string, { projectName }: Recorded, name = projectName(id)): RunObject {
  return { key: `project ${id}`, kind: "project", name: name ?? id };
}

function branchObject(id: string, { branchName }: Recorded, name = branchName(id)): RunObject {
  return { key: `branch ${id}`, kind: "branch", name: name ?? id };
}

function keyObject(segments: readonly string[], { method, name }: RunRequest): RunObject {
  const position = segments.indexOf("api_keys");
  const label = segments[position + 1] ?? name;
  if (position < 0 || label === undefined || (method === "GET" && segments.length === position + 1)) return account;
  return { key: `key ${label}`, kind: "API key", name: name ?? `key ${label}` };
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
