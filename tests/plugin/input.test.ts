import { throughPlugin } from "../support/door";

throughPlugin("garbled-state");
