import { throughPlugin } from "../support/door";

throughPlugin("failure", "incomplete-change", "engine-rows", "refused-key");
