// Part of `npm run docs`: writes docs/coverage.md.
import { writePage } from "./coverage/page.mjs";
import { main } from "./base/main.mjs";

await main(async () => {
  await writePage();
});
