/** `node dist/tests/reliability/input/main.js [--seed 7] [--seconds 600]` */
import { input } from ".";
import { runAlone } from "../alone";

void runAlone(input);
