// `npm run api`: writes the reports of the public types, which reviews show as a diff.
import { main } from "./base/main.mjs";
import { step } from "./base/progress.mjs";
import { build } from "./steps/build.mjs";
import { install } from "./steps/install.mjs";

await main(async () => {
  await install();
  await build();
  await step("API reports", async (note) => {
    // Not a module of Node: it is there only after the installation.
    const { reports, writeReports } = await import("./api-report/report.mjs");
    writeReports();
    note(reports);
  });
});
