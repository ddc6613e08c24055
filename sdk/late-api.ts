/* oxlint-disable typescript/no-require-imports -- a test framework that transforms modules has no `import()` */

/**
 * What data sources use of `api/`. It is loaded when the first of them is called, because most programs read nothing, and
 * loading zod takes longer than the rest of this package.
 */
export const lateApi = {
  get connect() {
    return (require("../provider/settings/connect") as typeof import("../provider/settings/connect")).connect;
  },
  get lookups() {
    return (require("../api/lookups") as typeof import("../api/lookups")).lookups;
  },
};
