// `npm run build`: compiles to `dist/`, types of tests included. The provider and the tests run from there.
import { Failure } from "./base/failure.mjs";
import { main } from "./base/main.mjs";
import { build } from "./steps/build.mjs";
import { isInstalled } from "./steps/install.mjs";

await main(async () => {
  try {
    await build();
  } catch (error) {
    if (!(error instanceof Failure) || isInstalled(true)) throw error;
    throw new Failure("Development dependencies are missing. Run `npm ci`, then build again.");
  }
});
