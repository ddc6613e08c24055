import { throughPlugin } from "../support/door";

throughPlugin("secrets", "messages", "shared-reads");
