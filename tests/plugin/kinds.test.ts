import { throughPlugin } from "../support/door";

throughPlugin("every-kind", "diff", "replace-warning", "adoption");
