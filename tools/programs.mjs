// `npm run programs`: writes the reference's programs in Python and Go.
import { cachedProgram } from "./cli/programs.mjs";
import { generateSdk } from "./cli/sources.mjs";
import { buildMissing, keepingGoCaches } from "./cli/go.mjs";
import { main } from "./base/main.mjs";
import { say } from "./base/progress.mjs";
import { generatePrograms } from "./reference/programs.mjs";

await main(async () => {
  const problem = await keepingGoCaches(() => buildMissing([generateSdk]));
  const generator = cachedProgram(generateSdk);
  if (generator === undefined) say(`- skipped: programs of the reference in Python and Go: ${problem}`);
  else await generatePrograms(generator);
});
