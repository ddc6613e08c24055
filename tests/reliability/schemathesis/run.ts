import { spawn } from "node:child_process";

/** How a program has ended; `null` if it could not be started, or was ended because it took too long. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end, or ends it when its time is over. */
export async function run(
  program: string,
  args: readonly string[],
  { timeoutMs, cwd }: { readonly timeoutMs: number; readonly cwd?: string },
): Promise<Ended> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...(cwd === undefined ? {} : { cwd }) });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      output += error.message;
      resolve(null);
    });
    child.once("close", resolve);
  });
  clearTimeout(timer);
  return { code, output };
}
