/* oxlint-disable typescript/no-require-imports -- a test framework that transforms modules has no `import()` */

/**
 * What data sources use of `api/`: modules of `schemas/`, and two functions. Each is loaded when it is first used, because most
 * programs read nothing, and loading zod takes longer than the rest of this package.
 */
export const lateApi = {
  get allProjects() {
    return (require("../api/all-projects") as typeof import("../api/all-projects")).allProjects;
  },
  get apiKey() {
    return require("../api/schemas/api-key") as typeof import("../api/schemas/api-key");
  },
  get branch() {
    return require("../api/schemas/branch") as typeof import("../api/schemas/branch");
  },
  get connect() {
    return (require("../api/connect") as typeof import("../api/connect")).connect;
  },
  get connectionUri() {
    return require("../api/schemas/connection-uri") as typeof import("../api/schemas/connection-uri");
  },
  get database() {
    return require("../api/schemas/database") as typeof import("../api/schemas/database");
  },
  get endpoint() {
    return require("../api/schemas/endpoint") as typeof import("../api/schemas/endpoint");
  },
  get jwksUrl() {
    return require("../api/schemas/jwks-url") as typeof import("../api/schemas/jwks-url");
  },
  get operation() {
    return require("../api/schemas/operation") as typeof import("../api/schemas/operation");
  },
  get organization() {
    return require("../api/schemas/organization") as typeof import("../api/schemas/organization");
  },
  get permission() {
    return require("../api/schemas/project-permission") as typeof import("../api/schemas/project-permission");
  },
  get project() {
    return require("../api/schemas/project") as typeof import("../api/schemas/project");
  },
  get region() {
    return require("../api/schemas/region") as typeof import("../api/schemas/region");
  },
  get role() {
    return require("../api/schemas/role") as typeof import("../api/schemas/role");
  },
  get snapshot() {
    return require("../api/schemas/snapshot") as typeof import("../api/schemas/snapshot");
  },
  get user() {
    return require("../api/schemas/user") as typeof import("../api/schemas/user");
  },
  get wire() {
    return require("../api/schemas/wire") as typeof import("../api/schemas/wire");
  },
  get zod() {
    return require("zod") as typeof import("zod");
  },
};
