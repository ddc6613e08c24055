import { createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useState } from "preact/hooks";

import type { LiveMessage, PageState } from "../console-server/protocol";
import * as clock from "./clock";
import { merged } from "./merge";

/** Whether a page has to show another project: its own was deleted, or its address names none and there is a newer one. */
function showsAnotherProject({ view, path, projects }: PageState): boolean {
  if (view.kind !== "branches") return false;
  return path === "/" ? view.projectId !== projects[0]?.id : !projects.some(({ id }) => id === view.projectId);
}

/** The pause after the page has read its state, as a multiple of the time that the reading took. */
const pauseFactor = 4;

/** The state of the connection to the stream of changes. */
export type Connection = "connecting" | "live" | "lost";

/** The state that all parts of the page show, and its changes. */
export class Store {
  state: PageState;
  connection: Connection = "connecting";
  readonly #listeners = new Set<() => void>();
  #reading: Promise<void> | undefined;
  /** The messages of the stream during a reading, whose answer may be older. */
  #sentMeanwhile: LiveMessage[] | undefined;
  #isWanted = false;
  #isStale = false;
  #isRefreshing = false;
  /** The path of the page that is shown, or that is being read. */
  #path: string;

  constructor(state: PageState) {
    this.state = state;
    this.#path = state.path;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  set(change: Partial<Pick<Store, "state" | "connection">>): void {
    Object.assign(this, change);
    for (const listener of this.#listeners) listener();
  }

  /** Applies a message of the stream. */
  apply(message: LiveMessage): void {
    if (message.type === "hello") {
      // A platform that was started again has another token, so the page has to be loaded again.
      if (message.instance !== this.state.instance) {
        location.reload();
        return;
      }
      this.set({ connection: "live" });
      if (message.version !== this.state.version) void this.#refresh();
    } else if (message.type === "stale") {
      const { view } = this.state;
      const branch = view.kind === "branches" ? view.detail?.id : undefined;
      const isDetailed = branch !== undefined && message.branches.includes(branch);
      if (isDetailed || message.views.includes(view.kind)) void this.#refresh();
    } else {
      this.#sentMeanwhile?.push(message);
      this.#show(merged(this.state, message));
    }
  }

  #show(state: PageState): void {
    this.set({ state });
    if (showsAnotherProject(state)) void this.#refresh();
  }

  /** Reads the state of the page again, or of another one. A call during a reading waits for one more reading. */
  async read(path = this.#path): Promise<void> {
    this.#path = path;
    this.#isWanted = true;
    await (this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined)));
  }

  /**
   * Reads the state again after a change, and then pauses for several times as long: a page that follows a busy platform must not
   * make it slower. After a failure, the next connection reads again, because it begins with the number of the last change.
   */
  async #refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    while (this.#isStale) {
      this.#isStale = false;
      const began = clock.now();
      await this.read().catch(() => undefined);
      const pause = pauseFactor * (clock.now() - began);
      await new Promise<void>((resolve) => clock.after(pause, resolve));
    }
    this.#isRefreshing = false;
  }

  async #readAll(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.#readOnce(this.#path);
    }
  }

  async #readOnce(path: string): Promise<void> {
    const sent: LiveMessage[] = [];
    this.#sentMeanwhile = sent;
    try {
      const response = await fetch(`/console/state?path=${encodeURIComponent(path)}`);
      const state = response.ok ? ((await response.json()) as PageState) : undefined;
      if (state) this.#show(sent.reduce(merged, state));
    } finally {
      this.#sentMeanwhile = undefined;
    }
  }
}

export const StoreContext = createContext<Store | undefined>(undefined);

/** The store of the page. The component is rendered again when the store changes. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error("there is no store");
  const [, redraw] = useState({});
  // A layout effect, because an effect after the next frame would miss earlier messages of the stream.
  useLayoutEffect(() => store.subscribe(() => redraw({})), [store]);
  return store;
}

/** The time, updated after each interval; with 0 it stands still. Default: often enough for `5 min ago`. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(useStore().state.now);
  useEffect(() => {
    if (everyMs === 0) return undefined;
    setNow(clock.now());
    return clock.every(everyMs, () => setNow(clock.now()));
  }, [everyMs]);
  return now;
}
