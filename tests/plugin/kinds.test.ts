import { throughPlugin } from "../support/door";

throughPlugin("every-kind", "diff", "function", "bucket-object", "replace-warning", "adoption");
