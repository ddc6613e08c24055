/**
 * Which folder may import which: data flows examples → sdk → provider → api → HTTP → platform, and each room of
 * `provider/` and `platform/` imports only the rooms below it. Run by `npm run lint`.
 */

/** The top-level folders and what each may import. */
const folders = {
  api: [],
  bundle: [],
  provider: ["api"],
  cli: ["api", "provider"],
  sdk: ["api", "bundle", "provider"],
  platform: ["api"],
  examples: [],
  tools: ["api", "provider"],
};

/** The rooms of a folder, highest first: a file imports its own room and lower ones. `.` is the folder itself. */
const rooms = {
  api: ["lookups", ".", "operations", "http", "schemas", "core"],
  provider: [".", "pulumi", "lifecycle", "resources", "kind", "call", "ownership", "settings"],
  platform: [
    ".",
    "commands",
    "console-server",
    "routes",
    "s3",
    "http",
    "scheduler",
    "data-plane",
    "functions",
    "model",
    "proxy",
    "postgres",
    "objects",
    "pulumi-run",
    "storage",
    "published",
  ],
};

/** Files at the top of a folder that every room of it may import. */
const shared = {
  api: [],
  provider: ["closest-name", "content", "frozen-entry", "values"],
  platform: ["clock", "http-error"],
};

/** Tests may import anything, and only tests import tests. */
const tests = "^tests/";

const all = Object.keys(folders);

/** The examples import `neon-pulumi` by its name, like a user; `paths` in tsconfig.json leads to its sources. */
const byName = { dependencyTypesNot: ["aliased-tsconfig-paths"] };

const arrows = all.map((folder) => ({
  name: `${folder}-imports`,
  comment: `${folder}/ may import: ${folders[folder].join(", ") || "no other folder"}`,
  severity: "error",
  from: { path: `^${folder}/`, pathNot: tests },
  to: {
    path: `^(${all.filter((to) => to !== folder && !folders[folder].includes(to)).join("|")})/`,
    ...(folder === "examples" ? byName : {}),
  },
}));

/** The paths of the files in a room. */
const pathsOf = (room) => (room === "." ? "[^/]+\\.ts$" : `${room}/`);

const roomArrows = Object.entries(rooms).flatMap(([folder, order]) =>
  order.slice(1).map((room, index) => ({
    name: `${folder}-${room}-imports`,
    comment: `${folder}/${room}/ may import only the rooms below it: ${order.slice(index + 2).join(", ") || "none"}`,
    severity: "error",
    from: { path: `^${folder}/${pathsOf(room)}` },
    to: {
      path: `^${folder}/(${order
        .slice(0, index + 1)
        .map(pathsOf)
        .join("|")})`,
      pathNot: `^${folder}/(${shared[folder].join("|")})\\.ts$`,
    },
  })),
);

module.exports = {
  forbidden: [
    ...arrows,
    ...roomArrows,
    {
      name: "tests-are-imported-by-tests",
      comment: "Only tests import tests",
      severity: "error",
      from: { pathNot: tests },
      to: { path: tests },
    },
    {
      name: "sdk-knows-the-entry-only",
      comment: "sdk/ imports types of provider/, and at run time its settings and the name of the frozen entry",
      severity: "error",
      from: { path: "^sdk/" },
      to: {
        path: "^provider/",
        pathNot: "^provider/(frozen-entry\\.ts$|settings/)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "platform-shares-types-only",
      comment:
        "platform/ shares the types of wire schemas with api/, the status table and the form of durations: it judges requests by the published document",
      severity: "error",
      from: { path: "^platform/", pathNot: tests },
      to: { path: "^api/", pathNot: "^api/(operations/status|core/duration)\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "platform-shares-wire-types-only",
      comment: "platform/ shares no types of the client with api/",
      severity: "error",
      from: { path: "^platform/", pathNot: tests },
      to: { path: "^api/", pathNot: "^api/(schemas/|operations/status\\.ts$|core/duration\\.ts$)" },
    },
    {
      name: "nobody-imports-the-page",
      comment: "platform/console/ runs in a browser: it is built on its own, and nothing imports it",
      severity: "error",
      from: { path: "^(platform|tests)/", pathNot: "^platform/console/" },
      to: { path: "^platform/console/" },
    },
    {
      name: "the-page-knows-types-and-timelines",
      comment: "platform/console/ shares the types of the protocol, and the code that draws timelines",
      severity: "error",
      from: { path: "^platform/console/" },
      to: {
        path: "^(api|provider|sdk|platform)/",
        pathNot: "^platform/(console/|pulumi-run/|console-server/protocol\\.ts$|node_modules/)",
      },
    },
    {
      name: "no-circles",
      comment:
        "No import leads back to its file, not even one of types. Only the type of the control plane names the tables of all " +
        "nouns, whose rules get it",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { pathNot: "^platform/model/control-plane\\.ts$" } },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    moduleSystems: ["es6", "cjs"],
  },
};
