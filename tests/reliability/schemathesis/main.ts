/** `node dist/tests/reliability/schemathesis/main.js [--seed 7] [--seconds 60]` */
import { schemathesisCampaign } from ".";
import { runAlone } from "../alone";

void runAlone(schemathesisCampaign);
