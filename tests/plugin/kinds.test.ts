import { throughPlugin } from "../support/door";

throughPlugin("every-kind", "containers", "drift", "diff", "function", "bucket-object", "replace-warning", "adoption");
