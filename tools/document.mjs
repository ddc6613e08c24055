// `npm run document`: writes platform/published/requests.ts from the installed version of the vendor's document.
import { writeFileSync } from "node:fs";
import { main } from "./base/main.mjs";
import { requestsFile, requestsOf } from "./document/requests.mjs";

await main(async () => {
  writeFileSync(requestsFile, await requestsOf());
});
