// Writes the public types of each entry point of the packages, as API Extractor prints them.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { Failure } from "../base/failure.mjs";
import { built, root } from "../base/paths.mjs";

/** Where the reports are checked in. */
export const reports = join(root, "etc");

/** The entry points with public types, by the name of their report. `neon-pulumi/provider/v1` is for state files only. */
const entries = {
  "neon-pulumi": ["package.json", "sdk"],
  "neon-pulumi-api": ["package.json", "api"],
  "neon-platform": ["platform/package.json", "platform"],
};

/**
 * Writes a report for each entry point, from the declarations in `dist`.
 *
 * @param {string} [folder]
 */
export function writeReports(folder = reports) {
  mkdirSync(folder, { recursive: true });
  const declarations = Object.values(entries).map(([, entry = ""]) => built(entry, "index.d.ts"));
  const scratch = mkdtempSync(join(tmpdir(), "neon-pulumi-api-"));
  try {
    const configs = Object.entries(entries).map(([name, [manifest = "", entry = ""]]) =>
      ExtractorConfig.prepare({
        configObjectFullPath: undefined,
        packageJsonFullPath: join(root, manifest),
        configObject: {
          projectFolder: root,
          mainEntryPointFilePath: built(entry, "index.d.ts"),
          newlineKind: "lf",
          compiler: { overrideTsconfig: { ...compiler, files: declarations } },
          // Types that are not exported themselves are part of those that are: the wire schemas above all.
          apiReport: {
            enabled: true,
            reportFileName: `${name}.api.md`,
            reportFolder: folder,
            reportTempFolder: scratch,
            includeForgottenExports: true,
          },
          docModel: { enabled: false },
          dtsRollup: { enabled: false },
          tsdocMetadata: { enabled: false },
          messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
        },
      }),
    );
    // The types of all entry points are read once.
    const [first] = configs;
    const compilerState = first && CompilerState.create(first, { additionalEntryPoints: declarations });
    for (const config of configs) {
      /** @type {string[]} */
      const complaints = [];
      const { succeeded } = Extractor.invoke(config, {
        localBuild: true,
        compilerState,
        messageCallback: (message) => {
          if (message.logLevel === "error") complaints.push(message.text);
          message.handled = true;
        },
      });
      if (!succeeded) throw new Failure(`${config.reportFilePath} could not be made.`, complaints.join("\n"));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** As in `tsconfig.json`, which leaves out `dist`. */
const compiler = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2023"],
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules", "@types")],
  },
};

/** The reference and its test say what is not described. */
const silent = { default: { logLevel: ExtractorLogLevel.None } };
