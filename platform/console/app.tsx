import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

import type { View, ViewOf } from "../console-server/protocol";
import { shortcuts } from "./keyboard";
import { Icon } from "./parts/icons";
import { useStore } from "./store";
import { navigation, titleOf } from "./title";
import { BranchesPage } from "./views/branches";
import { BucketsPage } from "./views/buckets";
import { FaultsPage } from "./views/faults";
import { FunctionsPage } from "./views/functions";
import { KeysPage } from "./views/keys";
import { OperationsPage } from "./views/operations";
import { PeoplePage } from "./views/people";
import { RequestsPage } from "./views/requests";
import { SqlPage } from "./views/sql";
import { TimelinePage } from "./views/timeline";
import { TriggersPage } from "./views/triggers";

const connectionTexts = { connecting: "Connecting…", live: "Live", lost: "Connection lost, trying again" } as const;

/** The whole page. */
export function App() {
  const store = useStore();
  const { view, dataFolder, versions } = store.state;
  const Page = pages[view.kind] as ComponentType<{ readonly view: View }>;
  const title = titleOf(store.state);
  useEffect(() => void (document.title = title), [title]);
  const inProgress = store.state.operations.filter(({ isEnded }) => !isEnded).length;
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="side">
        <a class="brand" href="/">
          <img src="/console/assets/icon.svg" alt="" width="24" height="24" />
          <span>Local platform</span>
        </a>
        <nav aria-label="Pages">
          {navigation.map(([kind, path, title]) => (
            <a
              key={kind}
              href={path}
              aria-current={view.kind === kind ? "page" : isBelow(view, kind) ? "true" : undefined}
            >
              <Icon name={kind} />
              <span>{title}</span>
              {kind === "operations" && inProgress > 0 && <span class="count">{inProgress}</span>}
            </a>
          ))}
        </nav>
        <div class="facts">
          <p class={`connection ${store.connection}`} role="status">
            <span class="dot" />
            <span class="text">{connectionTexts[store.connection]}</span>
          </p>
          <p>{versions === undefined ? "No Postgres" : `Postgres ${versions.join(", ")}`}</p>
          <p class="path cut" title={dataFolder}>
            <bdi>{dataFolder ?? "Data in memory"}</bdi>
          </p>
          <button type="button" class="plain" onClick={showShortcuts}>
            Shortcuts: <kbd>?</kbd>
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1} class={`page ${view.kind}`}>
        <Page view={view} />
      </main>
      <Shortcuts />
    </div>
  );
}

/** Whether a page belongs to the entry of another one: the pages of a branch have no entries in the navigation. */
const isBelow = (view: View, kind: View["kind"]): boolean => "place" in view && kind === "branches";

const showShortcuts = (): void => document.querySelector<HTMLDialogElement>("#shortcuts")?.showModal();

/** The component that draws each view. */
const pages: { readonly [Kind in View["kind"]]: ComponentType<{ readonly view: ViewOf<Kind> }> } = {
  branches: BranchesPage,
  operations: OperationsPage,
  timeline: TimelinePage,
  sql: SqlPage,
  requests: RequestsPage,
  faults: FaultsPage,
  keys: KeysPage,
  people: PeoplePage,
  functions: FunctionsPage,
  triggers: TriggersPage,
  buckets: BucketsPage,
  missing: MissingPage,
};

function MissingPage({ view }: { readonly view: ViewOf<"missing"> }) {
  return (
    <div class="empty">
      <h1>Not found</h1>
      <p>{view.what}</p>
      <p>
        <a href="/">Go to the branches</a>
      </p>
    </div>
  );
}

function Shortcuts() {
  return (
    <dialog id="shortcuts" aria-labelledby="shortcuts-title">
      <form method="dialog">
        <h2 id="shortcuts-title">Keyboard shortcuts</h2>
        <dl class="shortcuts">
          {shortcuts.map(([keys, effect]) => (
            <div key={keys}>
              <dt>
                {keys.split(" ").map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
        <button class="button" type="submit">
          Close
        </button>
      </form>
    </dialog>
  );
}
