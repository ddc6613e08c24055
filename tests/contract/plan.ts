import type { Sent } from "./recorder";

/** What stands for an id or a name in a path. */
const placeholders: Readonly<Record<string, string>> = {
  projects: "{project}",
  branches: "{branch}",
  endpoints: "{endpoint}",
  roles: "{role}",
  databases: "{database}",
  operations: "{operation}",
  api_keys: "{key}",
};

/** What a run has sent, and so what it would send to a real account: by kind, without ids. */
export function planOf(sent: readonly Sent[], wasReal: boolean): string {
  const counts = new Map<string, number>();
  for (const { method, path } of sent) {
    const kind = `${method.padEnd(6)} ${withoutIds(path)}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const rows = [...counts].sort(([one], [other]) => (routeOf(one) < routeOf(other) ? -1 : 1));
  const heading = wasReal
    ? `The account was sent ${sent.length} requests:`
    : `A real account would be sent about ${sent.length} requests, more where its operations take longer:`;
  const ending = [
    "One project, with a branch, two computes, a role and a database besides those it is born with, and one personal",
    `API key ${wasReal ? "were" : "would be"} made and removed.`,
    ...(wasReal ? [] : ["To do so: see docs/internals/testing.md, The contract suite."]),
  ];
  return ["", heading, "", ...rows.map(([kind, count]) => `${String(count).padStart(5)}  ${kind}`), "", ...ending].join(
    "\n",
  );
}

/** The route first, so that what concerns one kind of object stands together. */
function routeOf(kind: string): string {
  return kind.slice(7) + kind.slice(0, 7);
}

function withoutIds(path: string): string {
  const segments = (path.split("?", 1)[0] ?? "").split("/");
  return segments.map((segment, index) => placeholders[segments[index - 1] ?? ""] ?? segment).join("/");
}
