// `npm run site`: the documents as pages that open without a server, with a search, in .state/site.
import { join, relative } from "node:path";
import { main } from "./base/main.mjs";
import { root, state } from "./base/paths.mjs";
import { say } from "./base/progress.mjs";
import { writeSite } from "./site/write.mjs";

await main(async () => {
  const folder = join(state, "site");
  writeSite(folder);
  say(`Open ${join(relative(root, folder), "index.html")} in a browser.`);
});
