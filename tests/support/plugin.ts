import { join } from "node:path";

/** The part of a project file that locates the plugin of this repository, and selects it for programs on Node. */
export const withPlugin = { plugins: { providers: [{ name: "neon", path: join(process.cwd(), "plugin") }] } };
