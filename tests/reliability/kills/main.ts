/** `node dist/tests/reliability/kills/main.js [--seed 7] [--seconds 60] [--only <round>,<round>]` */
import { kills } from ".";
import { runAlone } from "../alone";

void runAlone(kills);
