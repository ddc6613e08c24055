"use strict";
const neon = require("neon-pulumi");
const pulumi = require("@pulumi/pulumi");

/** A database with an owner of its own, for one service. */
class ServiceDatabase extends pulumi.ComponentResource {
  constructor(name, { projectId, branchId }, options) {
    super("shop:index:ServiceDatabase", name, {}, options);
    const parent = { parent: this };
    const role = new neon.Role(name, { projectId, branchId }, parent);
    const database = new neon.Database(name, { projectId, branchId, ownerName: role.name }, parent);
    const names = { roleName: role.name, databaseName: database.name };
    this.url = neon.getConnectionUriOutput({ projectId, branchId, ...names }, parent).uri;
    this.registerOutputs({ url: this.url });
  }
}

module.exports = { ServiceDatabase };
