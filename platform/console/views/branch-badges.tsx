import type { BranchView } from "../../console-server/protocol";
import { leftText } from "../format";
import { Badge } from "../parts/status";

/** The special properties of a branch, in words. */
export function BranchBadges({ branch, now }: { readonly branch: BranchView; readonly now: number }) {
  const isSettled = branch.state === "ready" && branch.pending === undefined;
  return (
    <>
      {branch.isDefault && <Badge tone="accent">default</Badge>}
      {branch.isProtected && <Badge tone="warn">protected</Badge>}
      {!isSettled && (
        <Badge tone={branch.state === "archived" ? "quiet" : "busy"}>{branch.pending ?? branch.state}</Badge>
      )}
      {branch.expiresAt !== undefined && <Badge tone="warn">{leftText(branch.expiresAt, now)}</Badge>}
    </>
  );
}
