import type { LiveMessage } from "../console-server/protocol";
import { after } from "./clock";
import type { Store } from "./store";

const retryMs = 1_000;

/**
 * Keeps the page current, and connects again after a lost connection. A page in the background is not connected, because a
 * browser has only six connections to one server, for all its pages.
 */
export function listen(store: Store): void {
  let source: EventSource | undefined;
  let shown = "";
  const open = (): void => {
    source?.close();
    shown = wanted(store);
    source = new EventSource(`/console/events${shown}`);
    source.onmessage = ({ data }: MessageEvent<string>) => store.apply(JSON.parse(data) as LiveMessage);
    source.onerror = () => {
      store.set({ connection: "lost" });
      // The browser does not retry after an error response.
      if (source?.readyState === EventSource.CLOSED && !document.hidden) after(retryMs, open);
    };
  };
  const openIfVisible = (): void => {
    if (document.hidden) source?.close();
    else open();
  };
  openIfVisible();
  document.addEventListener("visibilitychange", openIfVisible);
  // Another page needs another stream.
  store.subscribe(() => {
    if (wanted(store) !== shown && !document.hidden) open();
  });
}

/** Only one page shows the requests, of which there are many. */
const wanted = ({ state: { view } }: Store): string => (view.kind === "requests" ? "?requests" : "");
