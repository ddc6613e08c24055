import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

/** Where the database is. */
export interface ServiceDatabaseArgs {
  projectId: pulumi.Input<string>;
  branchId: pulumi.Input<string>;
}

/** A database with an owner of its own, for one service. */
export class ServiceDatabase extends pulumi.ComponentResource {
  /** The connection URI; a secret. */
  readonly url: pulumi.Output<string>;

  constructor(name: string, args: ServiceDatabaseArgs, options?: pulumi.ComponentResourceOptions) {
    super("shop:index:ServiceDatabase", name, {}, options);
    const { projectId, branchId } = args;
    const parent = { parent: this };
    const role = new neon.Role(name, { projectId, branchId }, parent);
    const database = new neon.Database(name, { projectId, branchId, ownerName: role.name }, parent);
    const names = { roleName: role.name, databaseName: database.name };
    this.url = neon.getConnectionUriOutput({ projectId, branchId, ...names }, parent).uri;
    this.registerOutputs({ url: this.url });
  }
}
