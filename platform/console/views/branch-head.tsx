import type { ComponentChildren } from "preact";

import type { BranchPage, BranchPlace } from "../../console-server/protocol";
import { branchPages } from "../title";

/** The head of a page below that of a branch, with links to the others. */
export function BranchHead({
  place,
  page,
  children,
}: {
  readonly place: BranchPlace;
  readonly page: BranchPage;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="head">
      <div class="titles">
        <h1>{branchPages[page]}</h1>
        <p class="soft">
          <a href={place.path}>{place.branch}</a> of {place.project}
        </p>
      </div>
      <div class="tools">
        {children}
        <nav class="tabs" aria-label={`Pages of the branch ${place.branch}`}>
          {Object.entries(branchPages).map(([kind, title]) => (
            <a key={kind} href={`${place.path}/${kind}`} aria-current={kind === page ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
      </div>
    </div>
  );
}
