/* oxlint-disable typescript/no-require-imports -- a test framework that transforms modules has no `import()` */

/**
 * The part of `api/` that data sources use. Loaded when a data source is first called, because most programs call none,
 * and loading zod takes longer than the rest of this package.
 */
export const lateApi = {
  get connect() {
    return (require("../provider/settings/connect") as typeof import("../provider/settings/connect")).connect;
  },
  get lookups() {
    return (require("../api/lookups") as typeof import("../api/lookups")).lookups;
  },
};
