import { createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useState } from "preact/hooks";

import type { LiveMessage, PageState } from "../console-server/protocol";
import * as clock from "./clock";
import { merged } from "./merge";

/** Whether the project that a page shows is gone; without one in the address, whether there is a newer one. */
function showsAnotherProject({ view, path, projects }: PageState): boolean {
  if (view.kind !== "branches") return false;
  return path === "/" ? view.projectId !== projects[0]?.id : !projects.some(({ id }) => id === view.projectId);
}

/** How long the page pauses after it has read its state, as a multiple of the time that it took. */
const pauseFactor = 4;

/** Whether the page hears of changes. */
export type Connection = "connecting" | "live" | "lost";

/** What all parts of the page show, and how it changes. */
export class Store {
  state: PageState;
  connection: Connection = "connecting";
  readonly #listeners = new Set<() => void>();
  #reading: Promise<void> | undefined;
  /** What the stream has sent during a reading: the answer may be older. */
  #sentMeanwhile: LiveMessage[] | undefined;
  #isWanted = false;
  #isStale = false;
  #isRefreshing = false;
  /** The page that is shown, or that is to be. */
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

  /** Applies what the stream has sent. */
  apply(message: LiveMessage): void {
    if (message.type === "hello") {
      // A platform that was started again has another token.
      if (message.instance !== this.state.instance) {
        location.reload();
        return;
      }
      this.set({ connection: "live" });
      if (message.version !== this.state.version) void this.#refresh();
    } else if (message.type === "stale") {
      if (message.views.includes(this.state.view.kind)) void this.#refresh();
    } else {
      this.#sentMeanwhile?.push(message);
      this.#show(merged(this.state, message));
    }
  }

  #show(state: PageState): void {
    this.set({ state });
    if (showsAnotherProject(state)) void this.#refresh();
  }

  /** Reads the state of the page again, or of another one. Who asks meanwhile waits for one more reading. */
  async read(path = this.#path): Promise<void> {
    this.#path = path;
    this.#isWanted = true;
    await (this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined)));
  }

  /**
   * Reads the state again after a change, and then pauses for several times as long: a page that follows a busy platform must not
   * make it slower. A reading that fails is left to the next connection, which begins with the number of the last change.
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

/** The store of the page; the part is drawn again when it changes. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error("there is no store");
  const [, redraw] = useState({});
  // Not an effect after the next frame: what the stream sends before that would be missed.
  useLayoutEffect(() => store.subscribe(() => redraw({})), [store]);
  return store;
}

/** The time. It goes on every so many milliseconds; with 0 it stands still. */
export function useNow(start: number, everyMs: number): number {
  const [now, setNow] = useState(start);
  useEffect(() => {
    if (everyMs === 0) return undefined;
    setNow(clock.now());
    return clock.every(everyMs, () => setNow(clock.now()));
  }, [everyMs]);
  return now;
}
