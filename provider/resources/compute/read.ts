import { ignoreNotFound } from "../../../api/core/errors";
import type { Branch } from "../../../api/schemas/branch";
import { type Endpoint, endpoints } from "../../../api/schemas/endpoint";
import { type Answer, type Collection, onePage, wholeList } from "../../call/collection";
import type { Context } from "../../call/context";

/** The read-write compute of a branch, or `undefined` if it has none. */
export async function readWriteEndpoint(
  context: Context,
  projectId: string,
  branchId: string,
): Promise<Endpoint | undefined> {
  return context.readOne(readWriteEndpointsOf(projectId), branchId);
}

/** Takes the compute of a new branch from the response to its creation. */
export function answeredCompute({ project_id, id }: Branch, created: readonly Endpoint[]): readonly Answer[] {
  const item = created.find(({ type }) => type === "read_write");
  return [{ collection: readWriteEndpointsOf(project_id).name, key: id, item }];
}

/** The read-write computes of a project, each by its branch. A branch need not have one. */
function readWriteEndpointsOf(projectId: string): Collection<Endpoint> {
  const isReadWrite = ({ type }: Endpoint): boolean => type === "read_write";
  return {
    name: `read-write-computes/${projectId}`,
    projectId,
    pages: (reader) =>
      onePage(() => reader.read(endpoints.list(projectId)).then((answer) => answer.endpoints.filter(isReadWrite))),
    keyOf: ({ branch_id }) => branch_id,
    get: async (reader, branchId) =>
      (await reader.read(endpoints.listOfBranch(projectId, branchId))).endpoints.find(isReadWrite),
    optional: true,
  };
}

/** The computes of a branch. */
export function endpointsOn(projectId: string, branchId: string): Collection<Endpoint> {
  return wholeList({
    list: endpoints.listOfBranch(projectId, branchId),
    items: (answer) => answer.endpoints,
    keyOf: ({ id }) => id,
  });
}

/** The compute with this id, or `undefined` if it does not exist. */
export async function readEndpoint(
  context: Context,
  projectId: string,
  endpointId: string,
): Promise<Endpoint | undefined> {
  return context.readOne(endpointsOf(projectId), endpointId);
}

function endpointsOf(projectId: string): Collection<Endpoint> {
  return wholeList({
    list: endpoints.list(projectId),
    items: (answer) => answer.endpoints,
    keyOf: ({ id }) => id,
    get: async (reader, endpointId) =>
      (await ignoreNotFound(reader.read(endpoints.get(projectId, endpointId))))?.endpoint,
  });
}
