import type { BranchView } from "../../console-server/protocol";

/** A branch in the tree of its project. */
export interface TreeRow {
  readonly branch: BranchView;
  readonly level: number;
  readonly children: number;
  readonly isOpen: boolean;
}

/** The branches as rows of a tree, each one below its parent. A search shows the branches that match, with their parents. */
export function treeRows(branches: readonly BranchView[], closed: ReadonlySet<string>, search: string): TreeRow[] {
  const shown = search === "" ? undefined : matching(branches, search.toLowerCase());
  const ids = new Set(branches.map(({ id }) => id));
  const children = new Map<string | undefined, BranchView[]>();
  for (const branch of branches) {
    if (shown && !shown.has(branch.id)) continue;
    const parent = branch.parentId !== undefined && ids.has(branch.parentId) ? branch.parentId : undefined;
    const siblings = children.get(parent);
    if (siblings) siblings.push(branch);
    else children.set(parent, [branch]);
  }
  const rows: TreeRow[] = [];
  const add = (parent: string | undefined, level: number): void => {
    for (const branch of children.get(parent) ?? []) {
      const count = children.get(branch.id)?.length ?? 0;
      const isOpen = !closed.has(branch.id);
      rows.push({ branch, level, children: count, isOpen });
      if (isOpen) add(branch.id, level + 1);
    }
  };
  add(undefined, 1);
  return rows;
}

function matching(branches: readonly BranchView[], search: string): Set<string> {
  const byId = new Map(branches.map((branch) => [branch.id, branch]));
  const shown = new Set<string>();
  for (const branch of branches) {
    const text = `${branch.name} ${branch.id} ${branch.computes.map(({ id, host }) => `${id} ${host}`).join(" ")}`;
    if (!text.toLowerCase().includes(search)) continue;
    for (let one: BranchView | undefined = branch; one && !shown.has(one.id); one = byId.get(one.parentId ?? "")) {
      shown.add(one.id);
    }
  }
  return shown;
}
