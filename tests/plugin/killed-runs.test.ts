import { throughPlugin } from "../support/door";

throughPlugin("recovery", "lost-results");
