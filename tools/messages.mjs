// Part of `npm run docs`: writes docs/messages.md.
import { main } from "./base/main.mjs";
import { writePage } from "./messages/page.mjs";

await main(async () => {
  writePage();
});
