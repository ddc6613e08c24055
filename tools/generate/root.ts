import { join } from "node:path";

/** The repository, from the folder of this file in `dist`. */
export const root = join(__dirname, "..", "..", "..");
