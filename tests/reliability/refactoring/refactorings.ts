import type { Refactoring } from "./refactoring";
import { adoption } from "./rows/adoption";
import { kills } from "./rows/kills";
import { names } from "./rows/names";
import { options } from "./rows/options";
import { providers } from "./rows/providers";
import { stacks } from "./rows/stacks";
import { state } from "./rows/state";

/** Everything that people do to programs and stacks. */
export const refactorings: readonly Refactoring[] = [
  ...names,
  ...stacks,
  ...state,
  ...options,
  ...adoption,
  ...providers,
  ...kills,
];
