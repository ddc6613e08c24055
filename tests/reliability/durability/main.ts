/** `node dist/tests/reliability/durability/main.js [--seed 7] [--seconds 60]` */
import { durability } from ".";
import { runAlone } from "../alone";

void runAlone(durability);
