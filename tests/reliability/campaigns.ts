import type { Campaign } from "./campaign";
import { concurrency } from "./concurrency";
import { databases } from "./databases";
import { durability } from "./durability";
import { hostile } from "./hostile";
import { input } from "./input";
import { kills } from "./kills";
import { load } from "./load";
import { matrix } from "./matrix";
import { realSample } from "./real";
import { refactoring } from "./refactoring";
import { schemathesisCampaign } from "./schemathesis";
import { secrets } from "./secrets";

/** All campaigns in the order of the long run. The last ones use all the time that they are given. */
export const campaigns: readonly Campaign[] = [
  secrets,
  hostile,
  load,
  schemathesisCampaign,
  durability,
  databases,
  input,
  concurrency,
  kills,
  refactoring,
  realSample,
  matrix,
];
