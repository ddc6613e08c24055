import { Failure } from "./failure.mjs";
import { report } from "./progress.mjs";

const oldestNode = [20, 19];

/**
 * Runs a tool: checks Node, shows errors, sets the exit code.
 *
 * @param {() => Promise<number | void>} work Returns the exit code.
 */
export async function main(work) {
  try {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
      throw new Failure(`Node ${oldestNode.join(".")} or newer is needed; this is ${process.version}.`);
    }
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    process.exitCode = report(error);
  }
}
