import { throughPlugin } from "../support/door";

// Suites whose result the protocol decides: values, secrets, differences, failures and warnings.
throughPlugin("diff", "failure", "function", "state", "messages", "key-source", "replace-warning", "secrets");
