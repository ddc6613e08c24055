import { throughPlugin } from "../support/door";

// What the protocol decides: values, secrets, differences, failures and warnings.
throughPlugin("diff", "failure", "function", "garbled-state", "messages", "refused-key", "replace-warning", "secrets");
