import type { Campaign } from "./campaign";
import { kills } from "./kills";
import { matrix } from "./matrix";
import { refactoring } from "./refactoring";
import { secrets } from "./secrets";

/** All campaigns in the order of the long run. The last ones use all the time that they are given. */
export const campaigns: readonly Campaign[] = [secrets, kills, refactoring, matrix];
