import type { Campaign } from "./campaign";
import { concurrency } from "./concurrency";
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

/** Everything that the long run is made of, in its order: what takes what it is given comes last. */
export const campaigns: readonly Campaign[] = [
  secrets,
  hostile,
  load,
  schemathesisCampaign,
  durability,
  input,
  concurrency,
  kills,
  refactoring,
  realSample,
  matrix,
];
