import { renderToString } from "preact-render-to-string";

import type { PageState } from "../console-server/protocol";
import { App } from "./app";
import { Store, StoreContext } from "./store";

export { titleOf } from "./title";

/** The page as the server sends it, before any script runs. */
export function render(state: PageState): string {
  return renderToString(
    <StoreContext.Provider value={new Store(state)}>
      <App />
    </StoreContext.Provider>,
  );
}
