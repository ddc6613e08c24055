import { throughPlugin } from "../support/door";

throughPlugin("every-kind", "every-input", "diff", "replace-warning");
