import { hydrate } from "preact";

import type { PageState } from "../console-server/protocol";
import { App } from "./app";
import { listenToKeys } from "./keyboard";
import { followLinks } from "./navigate";
import { Store, StoreContext } from "./store";
import { listen } from "./stream";

const store = new Store(JSON.parse(document.getElementById("state")?.textContent ?? "") as PageState);
const page = document.getElementById("page");
if (page) {
  hydrate(
    <StoreContext.Provider value={store}>
      <App />
    </StoreContext.Provider>,
    page,
  );
}
followLinks(store);
listenToKeys(store);
listen(store);
