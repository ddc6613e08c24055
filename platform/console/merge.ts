import type { LiveMessage, OperationView, PageState, View } from "../console-server/protocol";

/** The most operations and requests that are kept. The page can ask for earlier ones. */
const mostKept = 2_000;

/** The state of a page after a message of the stream. */
export function merged(state: PageState, message: LiveMessage): PageState {
  const { view } = state;
  switch (message.type) {
    case "projects": {
      const projects = upserted(state.projects, message.rows, ({ id }) => id, message.removed);
      return { ...state, projects: projects.toSorted((one, other) => other.createdAt - one.createdAt) };
    }
    case "operations": {
      const operations = newestOperations([...state.operations, ...message.rows]);
      return { ...state, operations: operations.slice(0, mostKept) };
    }
    case "branches": {
      if (view.kind !== "branches") return state;
      const rows = message.rows.filter(({ projectId }) => projectId === view.projectId);
      const branches = upserted(view.branches, rows, ({ id }) => id, message.removed);
      const shown: View = { ...view, branches: branches.toSorted((one, other) => one.createdAt - other.createdAt) };
      return { ...state, view: shown };
    }
    case "requests": {
      if (view.kind !== "requests") return state;
      const requests = upserted(view.requests, message.rows, ({ number }) => String(number));
      return {
        ...state,
        view: { ...view, requests: requests.toSorted((one, other) => other.number - one.number).slice(0, mostKept) },
      };
    }
    case "hello":
    case "stale":
      return state;
    default:
      return message satisfies never;
  }
}

/** Operations in the order of their creation, the newest first. Of two with the same id, the second one counts. */
export const newestOperations = (rows: readonly OperationView[]): OperationView[] =>
  upserted([], rows, ({ id }) => id).toSorted((one, other) => other.createdAt - one.createdAt);

function upserted<Row>(
  before: readonly Row[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  removed: readonly string[] = [],
): Row[] {
  const all = new Map(before.map((row) => [keyOf(row), row]));
  for (const row of rows) all.set(keyOf(row), row);
  for (const key of removed) all.delete(key);
  return [...all.values()];
}
