import js from "@eslint/js";
import tseslint from "typescript-eslint";

const outsideClock = "time is injected: only a clock may read or wait for it";

export default tseslint.config(
  { ignores: ["**/dist/**", ".state/**", "**/node_modules/**"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    // One program for all files. A project service builds one more for each folder with a tsconfig.json.
    languageOptions: { parserOptions: { project: "tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      // These two compare the types of all assignments, which takes a third of the run. There is no enum here, and the
      // compiler lets nothing else pass for an instance of a class that has a private member.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/only-throw-error": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["{api,provider,sdk,platform}/**/*.ts"],
    ignores: ["**/clock.ts", "platform/tests/**"],
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
    files: ["**/*.cjs"],
    languageOptions: { globals: { module: "writable", require: "readonly", process: "readonly", console: "readonly" } },
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
);
