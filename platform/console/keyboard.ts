import { go } from "./navigate";
import type { Store } from "./store";
import { navigation } from "./title";

/** The keys and their effects, as the page lists them. */
export const shortcuts: readonly (readonly [keys: string, effect: string])[] = [
  ...navigation.map(([, , title, key]) => [`g ${key}`, title] as const),
  ["/", "Search in what the page shows; ↓ leads to what is found"],
  ["↑ ↓", "Go to the list, and move in it; ← → fold and unfold a branch"],
  ["Enter", "Open what is selected"],
  ["Ctrl Enter", "Run the SQL"],
  ["+ − 0", "Zoom the timeline in, out, and to all of it"],
  ["Esc", "Close a panel, or leave the search"],
  ["?", "This list"],
];

/** The time for the second key of a pair. */
const pairMs = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));

/** Moves the focus to the current row of the list of the page. Returns whether there is one. */
function focusList(): boolean {
  const row = document.querySelector<HTMLElement>(".list-row[tabindex='0']");
  row?.focus();
  return row !== null;
}

/** The keys that work everywhere on the page. */
export function listenToKeys(store: Store): void {
  let goAt = 0;
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target instanceof HTMLInputElement) event.target.blur();
    if (event.key === "ArrowDown" && event.target instanceof Element && event.target.matches("[data-search]")) {
      event.preventDefault();
      focusList();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // The browser itself closes a dialog.
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
      document.querySelector<HTMLElement>(".close")?.click();
    }
    // The arrows lead into the list from anywhere that does not use them itself.
    const isUnused = event.target === document.body || event.target === document.querySelector("#main");
    if (isUnused && (event.key === "ArrowDown" || event.key === "ArrowUp") && focusList()) event.preventDefault();
    const page = event.timeStamp - goAt < pairMs && navigation.find(([, , , key]) => key === event.key)?.[1];
    goAt = event.key === "g" ? event.timeStamp : 0;
    if (page) {
      event.preventDefault();
      // Move the focus, so that the next Tab leads into the page and a screen reader reads it.
      void go(store, page).then(() => document.querySelector<HTMLElement>("#main")?.focus());
    } else if (event.key === "/") {
      event.preventDefault();
      document.querySelector<HTMLElement>("[data-search]")?.focus();
    } else if (event.key === "?") {
      document.querySelector<HTMLDialogElement>("#shortcuts")?.showModal();
    }
  });
}
