/**
 * Preload this file in a program in JavaScript. The language host that is built from its Go module does not get the option
 * `typescript: false` from a newer CLI, and would make the program load the compiler.
 */
delete process.env["PULUMI_NODEJS_TYPESCRIPT"];
