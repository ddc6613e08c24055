import { throughPlugin } from "../support/door";

throughPlugin("odd-names", "garbled-state");
