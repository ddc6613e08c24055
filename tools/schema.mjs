// The end of `npm run schema`: writes plugin/schema.json.
import { main } from "./base/main.mjs";
import { writeSchema } from "./schema/package.mjs";

await main(async () => {
  await writeSchema();
});
