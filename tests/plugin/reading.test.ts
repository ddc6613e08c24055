import { throughPlugin } from "../support/door";

throughPlugin("visibility", "shared-reads", "secrets", "messages");
