import js from "@eslint/js";
import tseslint from "typescript-eslint";

/**
 * The direction of the house: examples → sdk → provider → api → HTTP → platform. A folder may import only what stands
 * to its right here, and the platform only the wire contract, never the client.
 */
const forbidden = {
  api: ["provider", "sdk", "platform", "examples", "tests", "tools"],
  provider: ["sdk", "platform", "examples", "tests", "tools"],
  sdk: ["platform", "examples", "tests", "tools"],
  platform: ["provider", "sdk", "examples", "tests", "tools"],
  examples: ["api", "provider", "sdk", "platform", "tests", "tools"],
  tools: ["api", "provider", "sdk", "platform", "examples", "tests"],
};

const reaches = (folders) => folders.map((folder) => `(^|/)\\.\\./${folder}(/|$)`).join("|");

const arrows = Object.entries(forbidden).map(([folder, targets]) => ({
  files: [`${folder}/**/*.${folder === "tools" ? "mjs" : "ts"}`],
  plugins: { "@typescript-eslint": tseslint.plugin },
  rules: {
    "@typescript-eslint/no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            regex: reaches(targets),
            message: `${folder}/ must not import this folder: see the arrows in CONTRIBUTING.md`,
          },
          ...(folder === "sdk"
            ? [
                {
                  regex: "(^|/)\\.\\./provider/(?!entry$)",
                  allowTypeImports: true,
                  message: "sdk/ knows of provider/ its types and the frozen entry's name only",
                },
              ]
            : []),
          ...(folder === "platform"
            ? [
                {
                  regex: "(^|/)\\.\\./api/(?!schemas/|status$)",
                  message: "platform/ shares the wire schemas and the status table with api/, nothing else",
                },
              ]
            : []),
        ],
      },
    ],
  },
}));

const outsideClock = "time is injected: only a clock may read or wait for it";

export default tseslint.config(
  { ignores: ["dist/**", "node_modules/**", ".state/**", "**/node_modules/**"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/only-throw-error": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["{api,provider,sdk,platform}/**/*.ts"],
    ignores: ["**/clock.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...["setTimeout", "setInterval", "setImmediate"].map((name) => ({ name, message: outsideClock })),
      ],
      "no-restricted-syntax": [
        "error",
        { selector: "MemberExpression[object.name='Date'][property.name='now']", message: outsideClock },
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: outsideClock },
        { selector: "MemberExpression[object.name='performance']", message: outsideClock },
      ],
    },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "process",
          "console",
          "setTimeout",
          "clearTimeout",
          "setInterval",
          "clearInterval",
          "fetch",
          "URL",
          "AbortSignal",
          "Buffer",
          "performance",
        ].map((name) => [name, "readonly"]),
      ),
    },
  },
  ...arrows,
);
