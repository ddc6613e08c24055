import type { BranchView } from "../../console-server/protocol";
import { leftText, toneOfState } from "../format";
import { Badge } from "../parts/status";

/** The special properties of a branch, in words. */
export function BranchBadges({ branch, now }: { readonly branch: BranchView; readonly now: number }) {
  const isSettled = branch.state === "ready" && branch.pending === undefined;
  return (
    <>
      {branch.isDefault && <Badge tone="accent">default</Badge>}
      {branch.isProtected && <Badge tone="warn">protected</Badge>}
      {!isSettled && (
        <Badge tone={branch.pending === undefined ? toneOfState(branch.state) : "busy"}>
          {branch.pending ?? branch.state}
        </Badge>
      )}
      {branch.expiresAt !== undefined && <Badge tone="warn">{leftText(branch.expiresAt, now)}</Badge>}
    </>
  );
}
