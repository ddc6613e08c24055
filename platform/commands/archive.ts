import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Stream } from "node:stream";

interface TarOptions {
  readonly args: readonly string[];
  /** The file descriptors of the input and of the output. */
  readonly stdin?: number;
  readonly stdout?: number;
}

/** Runs the system's `tar`, which Linux, macOS and Windows have. */
export async function tar({ args, stdin, stdout }: TarOptions): Promise<void> {
  const child = spawn("tar", args, { stdio: [stdin ?? "ignore", stdout ?? "ignore", "pipe"] });
  let said = "";
  (child.stderr as Stream | null)?.on("data", (text: Buffer) => (said += text.toString()));
  const failed = once(child, "error").then(([error]) => {
    throw (error as NodeJS.ErrnoException).code === "ENOENT" ? new Error("there is no tar on the PATH") : error;
  });
  const [code] = (await Promise.race([once(child, "close"), failed])) as [number | null];
  if (code !== 0) throw new Error(`tar failed: ${said.trim()}`);
}
