/** `node dist/tests/reliability/hostile/main.js [--seed 7] [--seconds 60]` */
import { hostile } from ".";
import { runAlone } from "../alone";

void runAlone(hostile);
