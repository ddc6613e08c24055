// What the generators of the SDKs are told, by language.

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly homepage?: string;
  readonly repository?: { readonly url: string };
}

/** The module of the Go SDK, if the repository has no address yet. */
const goModule = "github.com/neon-pulumi/neon-pulumi";

/** Which releases of Pulumi's SDKs the generated code needs is for the generators to say. */
export function languagesOf({ name, description, repository }: Manifest) {
  const address = repository?.url.replace(/^(git\+)?https?:\/\//, "").replace(/\.git$/, "") ?? goModule;
  const readme = `${description}\n\nThe SDK is generated from the schema of the provider plugin \`pulumi-resource-neon\`, which it needs to run.`;
  return {
    nodejs: {
      // What the code imports that `pulumi import` prints: the classes of `sdk/`, which the plugin serves as well.
      packageName: name,
      packageDescription: description,
      readme,
      respectSchemaVersion: true,
      // The compiler of this repository. The generator's default is `^4.7.0`.
      typescriptVersion: "^5.9.0",
    },
    python: {
      // The module, and the name on PyPI, where `_` and `-` are the same.
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
