// How `npm run docs` writes the reference: everything that a program can import, a page for each noun.

/** @type {Partial<import("typedoc").TypeDocOptions & import("typedoc-plugin-markdown").PluginOptions>} */
const options = {
  tsconfig: "tsconfig.json",
  entryPoints: ["../../sdk/index.ts"],
  out: "../../docs/reference",
  plugin: ["typedoc-plugin-markdown", "./pages.mjs"],
  // `npm run build` has checked the types; what is written here needs only to be described.
  skipErrorChecking: true,

  name: "Reference",
  readme: "none",
  entryFileName: "README",
  router: "module",
  pageTitleTemplates: { index: "{projectName}", module: "Reference: {name}" },

  // The output depends on the sources alone: no versions, dates, commits or lines.
  disableSources: true,
  hideGenerator: true,
  githubPages: false,

  // What Pulumi's own classes bring along is Pulumi's to describe.
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  sort: ["source-order"],
  groupOrder: ["Constructors", "Properties", "Methods", "*"],

  hideBreadcrumbs: true,
  hidePageHeader: true,
  sanitizeComments: true,
  useCodeBlocks: true,
  expandParameters: true,
  indexFormat: "table",
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeAliasPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  tableColumnSettings: { hideModifiers: true, hideInherited: true, hideOverrides: true, leftAlignHeaders: true },

  // Whatever a program can import or set is described, and every link leads somewhere.
  validation: { notExported: true, invalidLink: true, invalidPath: true, rewrittenLink: true, notDocumented: true },
  requiredToBeDocumented: [
    "Enum",
    "EnumMember",
    "Variable",
    "Function",
    "Class",
    "Interface",
    "Property",
    "Method",
    "Accessor",
    "TypeAlias",
  ],
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
};

export default options;
