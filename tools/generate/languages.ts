// Settings of the SDK generators, by language.

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly homepage?: string;
  readonly repository?: { readonly url: string };
}

/** The module of the Go SDK as long as the repository has no address. */
const goModule = "github.com/neon-pulumi/neon-pulumi";

/** The generators choose which releases of Pulumi's SDKs the generated code needs. */
export function languagesOf({ name, description, repository }: Manifest) {
  const address = repository?.url.replace(/^(git\+)?https?:\/\//, "").replace(/\.git$/, "") ?? goModule;
  const readme = `${description}\n\nThe SDK is generated from the schema of the provider plugin \`pulumi-resource-neon\`, which it needs to run.`;
  return {
    nodejs: {
      // The package that code printed by `pulumi import` uses: the classes of `sdk/`, which the plugin serves as well.
      packageName: name,
      packageDescription: description,
      readme,
      respectSchemaVersion: true,
      // The version of this repository's compiler. The generator's default is `^4.7.0`.
      typescriptVersion: "^5.9.0",
    },
    python: {
      // The name of the module and on PyPI, which treats `_` and `-` as the same.
      packageName: "neon_pulumi",
      readme,
      respectSchemaVersion: true,
      pyproject: { enabled: true },
    },
    go: {
      importBasePath: `${address}/sdk/go/neon`,
      generateResourceContainerTypes: true,
      respectSchemaVersion: true,
    },
  };
}
