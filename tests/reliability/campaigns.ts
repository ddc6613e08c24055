import type { Campaign } from "./campaign";
import { concurrency } from "./concurrency";
import { input } from "./input";
import { kills } from "./kills";
import { matrix } from "./matrix";
import { realSample } from "./real";
import { refactoring } from "./refactoring";
import { secrets } from "./secrets";

/** All campaigns in the order of the long run. The last ones use all the time that they are given. */
export const campaigns: readonly Campaign[] = [secrets, input, concurrency, kills, refactoring, realSample, matrix];
