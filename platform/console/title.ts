import type { BranchPage, PageState, View, ViewOf } from "../console-server/protocol";

/** The pages that the navigation leads to, and the keys that lead to them after `g`. */
export const navigation: readonly (readonly [kind: View["kind"], path: string, title: string, key: string])[] = [
  ["branches", "/", "Branches", "b"],
  ["operations", "/operations", "Operations", "o"],
  ["timeline", "/timeline", "Timeline", "t"],
  ["sql", "/sql", "SQL", "s"],
  ["requests", "/requests", "Requests", "r"],
  ["faults", "/faults", "Faults", "f"],
  ["keys", "/keys", "Keys", "k"],
  ["people", "/people", "People", "p"],
];

/** The pages below that of a branch, which lead to each other. */
export const branchPages: Readonly<Record<BranchPage, string>> = {
  functions: "Functions",
  triggers: "Triggers",
  buckets: "Buckets",
};

/** The title of a page in tabs and in the history: the object that it shows, if any, and the name of the page. */
export function titleOf({ view, projects }: PageState): string {
  if ("place" in view) {
    return [branchPages[view.kind], view.place.branch, view.place.project, "Local platform"].join(" · ");
  }
  const page = navigation.find(([kind]) => kind === view.kind)?.[2] ?? "Not found";
  return [...(view.kind === "branches" ? shownBranches(view, projects) : []), page, "Local platform"].join(" · ");
}

function shownBranches({ projectId, branches, detail }: ViewOf<"branches">, projects: PageState["projects"]): string[] {
  const branch = branches.find(({ id }) => id === detail?.id);
  const project = projects.find(({ id }) => id === projectId);
  return [branch, project].flatMap((shown) => shown?.name ?? []);
}
