import { throughPlugin } from "../support/door";

// Suites whose result the protocol decides: values, secrets, differences, failures and warnings.
throughPlugin("diff", "failure", "function", "garbled-state", "messages", "refused-key", "replace-warning", "secrets");
