import type * as pulumi from "@pulumi/pulumi";

import type { migration } from "../provider/resources/migration";
import { door } from "./door";
import { Provider } from "./provider";
import { Resource, type ResourceDefinition } from "./resource";
import { runError } from "./run-error";
import type { SameInputs } from "./type-equality";

/** Arguments of a {@link Migration}. */
export interface MigrationArgs {
  /** Id of the project. Changing it replaces the migration, which runs there. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. Changing it replaces the migration, which runs there. */
  readonly branchId: pulumi.Input<string>;
  /**
   * Command, which a shell runs: `/bin/sh`, or `cmd.exe` on Windows. Changing it runs it. Messages and the state show
   * it, so pass secrets in `environment`.
   */
  readonly run: pulumi.Input<string>;
  /**
   * Files on which the command depends, such as `new pulumi.asset.FileArchive("./drizzle")`: at most 64 MiB and 4096
   * files. A change of a name or of a content runs the command. They are only compared: the command reads them itself.
   */
  readonly files?: pulumi.Input<pulumi.asset.Archive>;
  /** Folder in which the command runs, relative to the program's folder. Default: the program's folder. Changing it runs the command. */
  readonly workingDirectory?: pulumi.Input<string>;
  /**
   * Environment variables of the command, in addition to those of `pulumi`. Secret: the state holds only a hash.
   * Changing them runs the command. If they have the variable of `urlVariable`, the command gets that URI.
   */
  readonly environment?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Name of the variable with the connection URI. Default: `DATABASE_URL`. Changing it runs the command. */
  readonly urlVariable?: pulumi.Input<string>;
  /** Role to connect as. Default: the owner of the database. Changing it runs the command. */
  readonly roleName?: pulumi.Input<string>;
  /** Database to connect to. Required if the branch has several. Default: the branch's only database. Changing it runs the command. */
  readonly databaseName?: pulumi.Input<string>;
  /** Any string. Changing it, or adding it later, runs the command again. Removing it has no effect. */
  readonly runTrigger?: pulumi.Input<string>;
}

const migrationDefinition: ResourceDefinition = {
  kind: "Migration",
  id: ["projectId", "branchId", "migrationId"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    run: "plain",
    filesHash: "plain",
    workingDirectory: "plain",
    environment: "secret",
    urlVariable: "plain",
    roleName: "plain",
    databaseName: "plain",
    runTrigger: "plain",
    branchVersion: "plain",
    migrationId: "fromId",
  },
  unstored: ["environment"],
};

/**
 * A command that changes the database of a branch, such as a migration tool. It runs with the URI of a direct
 * connection in the variable `DATABASE_URL`: when it is new, when its files or other arguments change, and when the
 * branch was reset, restored or replaced, also by others. Deleting the resource undoes nothing.
 *
 * Resources that need the migrated database depend on it (`dependsOn`): if the command fails, they stay as they are.
 *
 * @example
 * ```ts
 * const schema = new neon.Migration("schema", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   run: "npx drizzle-kit migrate",
 *   files: new pulumi.asset.FileArchive("./drizzle"),
 * });
 * ```
 */
export class Migration extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Command of the last run. */
  declare readonly run: pulumi.Output<string>;
  /** Hash of the files in the last run: equal exactly if names and contents of all files are. Absent without files. */
  declare readonly filesHash: pulumi.Output<string | undefined>;
  /** Role of the last run. Absent if `environment` has the URI. */
  declare readonly roleName: pulumi.Output<string | undefined>;
  /** Database of the last run. Absent if `environment` has the URI. */
  declare readonly databaseName: pulumi.Output<string | undefined>;
  /** Random id of the migration. */
  declare readonly migrationId: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options.
   */
  constructor(name: string, args: MigrationArgs, opts?: pulumi.CustomResourceOptions) {
    if (opts?.import !== undefined) throw runError(`Migration "${name}": a migration cannot be imported. Declare it.`);
    if (door() === "plugin" && Provider.isInstance(opts?.provider)) {
      throw runError(
        `Migration "${name}": the plugin runs no migrations, so a migration cannot use its \`Provider\`. Remove the option \`provider\`, and set the stack's \`neon:apiKey\`.`,
      );
    }
    super(migrationDefinition, name, args, opts);
  }

  /** Returns whether a value is a `Migration`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is Migration {
    return Resource.isOfKind(value, "Migration");
  }
}

true satisfies SameInputs<MigrationArgs, (typeof migration)["inputs"]>;
