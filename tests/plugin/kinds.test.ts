import { throughPlugin } from "../support/door";

throughPlugin("every-kind", "containers");
