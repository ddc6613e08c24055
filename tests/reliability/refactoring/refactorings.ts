import type { Refactoring, Rows } from "./refactoring";
import { adoption } from "./rows/adoption";
import { kills } from "./rows/kills";
import { names } from "./rows/names";
import { options } from "./rows/options";
import { providers } from "./rows/providers";
import { stacks } from "./rows/stacks";
import { state } from "./rows/state";

const all: readonly Rows[] = [names, stacks, state, options, adoption, providers, kills];

/** Everything that people do to programs and stacks. */
export const refactorings: readonly Refactoring[] = all
  .flatMap((rows) => Object.entries(rows))
  .map(([title, row]) => (typeof row === "function" ? { title, carryOut: row } : { title, ...row }));
