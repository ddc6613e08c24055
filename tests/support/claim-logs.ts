import type { ClaimEntry, ClaimLog } from "../../provider/ownership/shared-claims";

/** The log of a run, which several processes share. */
export class TestClaimLog {
  readonly entries: ClaimEntry[] = [];

  /** The log for another process of the run. */
  process(): ClaimLog {
    let read = 0;
    return {
      append: (entry) => this.entries.push(entry),
      news: () => this.entries.slice(read, (read = this.entries.length)),
    };
  }
}
