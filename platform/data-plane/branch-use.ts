/**
 * Coordinates the use of the data of branches. Works and readers share a branch. The maintenance of its history needs the branch
 * alone, because it removes files that others could be reading, and changes settings that a start would write.
 */
export class BranchUse {
  readonly #users = new Map<string, number>();
  readonly #maintained = new Map<string, Promise<unknown>>();

  /** Does work on branches, once the maintenance of them in progress has ended. */
  async share<Result>(branchIds: readonly string[], work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      const maintained = branchIds.flatMap((id) => this.#maintained.get(id) ?? []);
      if (maintained.length === 0) break;
      await Promise.allSettled(maintained);
    }
    for (const id of branchIds) this.#users.set(id, (this.#users.get(id) ?? 0) + 1);
    try {
      return await work();
    } finally {
      for (const id of branchIds) this.#release(id);
    }
  }

  /** Does work that needs a branch alone. Does nothing if the branch is in use: the caller tries again later. */
  async alone(branchId: string, work: () => Promise<void>): Promise<void> {
    while (this.#maintained.has(branchId)) await Promise.allSettled([this.#maintained.get(branchId)]);
    if (this.#users.has(branchId)) return;
    const done = work().finally(() => this.#maintained.delete(branchId));
    this.#maintained.set(branchId, done);
    await done;
  }

  #release(branchId: string): void {
    const users = (this.#users.get(branchId) ?? 0) - 1;
    if (users > 0) this.#users.set(branchId, users);
    else this.#users.delete(branchId);
  }
}
