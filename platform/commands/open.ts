import type { Command } from "commander";
import { spawn } from "node:child_process";
import { platform } from "node:os";

import { findPlatform, type Target, withTarget } from "./running-platform";

/** The program that opens an address in the user's browser, by the name of the system. */
const openers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
};
const usual = ["xdg-open"] as const;

/** `neon-platform open` */
export function addOpenCommand(program: Command): void {
  withTarget(program.command("open"))
    .description("open the console of a running platform in the browser, and print its address")
    .action(async (target: Target) => {
      const { consoleUrl } = await findPlatform(target);
      process.stdout.write(`${consoleUrl}\n`);
      const [opener, ...args] = openers[platform()] ?? usual;
      // Without a browser, as in a container, the user has the printed address.
      spawn(opener, [...args, consoleUrl], { stdio: "ignore", detached: true })
        .on("error", () => undefined)
        .unref();
    });
}
