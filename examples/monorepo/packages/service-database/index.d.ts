import type * as pulumi from "@pulumi/pulumi";

/** A database with an owner of its own, for one service. */
export declare class ServiceDatabase extends pulumi.ComponentResource {
  /** The connection URI; a secret. */
  readonly url: pulumi.Output<string>;
  constructor(
    name: string,
    args: { projectId: pulumi.Input<string>; branchId: pulumi.Input<string> },
    options?: pulumi.ComponentResourceOptions,
  );
}
