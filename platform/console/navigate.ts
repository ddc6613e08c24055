import type { Store } from "./store";

/** Follows links within the page without loading it again. */
export function followLinks(store: Store): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.origin !== location.origin || link.hasAttribute("download") || link.target !== "") return;
    // The browser itself follows a link to a part of the page.
    if (link.hash !== "") return;
    event.preventDefault();
    void go(store, link.pathname + link.search);
  });
  addEventListener("popstate", () => void store.read(location.pathname + location.search));
}

/** Shows another page. */
export async function go(store: Store, path: string): Promise<void> {
  if (path !== location.pathname + location.search) history.pushState(null, "", path);
  await store.read(path);
}
