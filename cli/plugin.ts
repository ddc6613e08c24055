/**
 * The entry point of the plugin's executable. The engine passes its own address as argument, and a user passes a
 * command.
 */
/* oxlint-disable typescript/no-require-imports -- each loads only what it needs */
const [first = ""] = process.argv.slice(2);

if (["import", "mapping", "--help", "--version"].includes(first)) {
  const { main } = require("./main") as typeof import("./main");
  void main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
} else {
  require("../provider/plugin");
}
