/** Gives back the turn that was taken. Calling it again does nothing. */
export type Release = () => void;

interface Line {
  /** What the holder of the turn is doing, for those behind it. */
  holder: string;
  readonly waiting: { readonly what: string; readonly start: () => void }[];
}

/**
 * One mutation at a time per project, first come, first served: the platform refuses conflicting work on a project, so
 * sending it would only cost refusals. Different projects do not wait for each other.
 */
export class ProjectLocks {
  readonly #lines = new Map<string, Line>();

  /**
   * Resolves when it is this caller's turn for the project.
   *
   * @param project whose turn; `undefined` for work that belongs to no project and never waits
   * @param what what the caller is about to do, shown to those who wait behind it
   * @param queued told, when the caller has to wait, what it waits behind
   */
  async acquire(project: string | undefined, what: string, queued: (behind: string) => void): Promise<Release> {
    if (project === undefined) return () => undefined;
    const line = this.#lines.get(project);
    if (line === undefined) {
      this.#lines.set(project, { holder: what, waiting: [] });
    } else {
      queued(line.holder);
      await new Promise<void>((resolve) => line.waiting.push({ what, start: resolve }));
    }
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#next(project);
    };
  }

  #next(project: string): void {
    const line = this.#lines.get(project);
    const next = line?.waiting.shift();
    if (line === undefined || next === undefined) {
      this.#lines.delete(project);
    } else {
      line.holder = next.what;
      next.start();
    }
  }
}
