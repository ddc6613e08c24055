/** `node dist/tests/reliability/load/main.js [--seed 7] [--seconds 10]` */
import { load } from ".";
import { runAlone } from "../alone";

void runAlone(load);
