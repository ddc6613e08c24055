import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cliVersion, languageHostVersion, yamlHostVersion } from "./versions.mjs";

/** @typedef {import("./programs.mjs").GoProgram} GoProgram */

/** @param {string} name */
const module = (name) => join(import.meta.dirname, name);

/** @param {string} version */
const pulumiFlags = (version) => `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`;

const cliFolder = join("cli", cliVersion, "bin");

const languages = {
  usual: "a minute, once",
  module: module("languages"),
  flags: pulumiFlags(languageHostVersion),
};

/**
 * The CLI for Node programs.
 *
 * @type {GoProgram[]}
 */
export const cliSources = [
  {
    name: "pulumi",
    title: `Pulumi CLI ${cliVersion} from its Go module`,
    usual: "4 minutes, once",
    folder: cliFolder,
    module: module("pulumi"),
    program: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    flags: pulumiFlags(cliVersion),
  },
  {
    ...languages,
    name: "pulumi-language-nodejs",
    title: "Pulumi's Node language host from its Go module",
    folder: cliFolder,
    program: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  },
];

/**
 * The hosts for programs in other languages. They are in the CLI's folder, because the CLI warns of hosts elsewhere.
 */
export const hostSources = /** @satisfies {Record<string, GoProgram>} */ ({
  yaml: {
    name: "pulumi-language-yaml",
    title: "Pulumi's YAML language host from its Go module",
    usual: "2 minutes, once",
    folder: cliFolder,
    module: module("language-yaml"),
    program: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    flags: `-s -w -X github.com/pulumi/pulumi-yaml/pkg/version.Version=${yamlHostVersion}`,
  },
  python: {
    ...languages,
    name: "pulumi-language-python",
    title: "Pulumi's Python language host from its Go module",
    folder: cliFolder,
    program: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python",
    script: { module: "github.com/pulumi/pulumi/sdk/v3", path: "python/cmd/pulumi-language-python-exec" },
  },
  go: {
    ...languages,
    name: "pulumi-language-go",
    title: "Pulumi's Go language host from its Go module",
    folder: cliFolder,
    program: "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go",
  },
});

const generator = join("pulumi", "generate-sdk");
const generatorHash = createHash("sha256");
for (const file of ["main.go", "programs.go"]) generatorHash.update(readFileSync(module(join(generator, file))));

/**
 * The program that generates the SDKs of a schema, and programs in their languages.
 *
 * @type {GoProgram}
 */
export const generateSdk = {
  name: "generate-sdk",
  title: "The generator of SDKs from Pulumi's Go module",
  usual: "4 minutes, once",
  folder: join("generate-sdk", `${cliVersion}-${generatorHash.digest("hex").slice(0, 12)}`),
  module: module("pulumi"),
  program: "./generate-sdk",
  flags: "-s -w",
};
