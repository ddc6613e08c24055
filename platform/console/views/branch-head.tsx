import type { BranchPage, BranchPlace } from "../../console-server/protocol";
import { Head } from "../parts/layout";
import { branchPages } from "../title";

/** The head of a page below that of a branch, with links to the others. */
export function BranchHead({ place, page }: { readonly place: BranchPlace; readonly page: BranchPage }) {
  return (
    <Head
      title={branchPages[page]}
      about={
        <>
          <a href={place.path}>{place.branch}</a> of {place.project}
        </>
      }
    >
      <nav class="tabs" aria-label={`Pages of the branch ${place.branch}`}>
        {Object.entries(branchPages).map(([kind, title]) => (
          <a key={kind} href={`${place.path}/${kind}`} aria-current={kind === page ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
    </Head>
  );
}
