/** `node dist/tests/reliability/secrets/main.js [--seed 7] [--seconds 60] [--only <round>,<round>]` */
import { secrets } from ".";
import { runAlone } from "../alone";

void runAlone(secrets);
