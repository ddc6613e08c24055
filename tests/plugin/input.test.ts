import { throughPlugin } from "../support/door";

throughPlugin("unusual-names", "garbled-state");
