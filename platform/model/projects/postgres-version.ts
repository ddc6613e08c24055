import { unprocessable } from "../../http-error";
import type { ControlPlane } from "../control-plane";

/** @throws HttpError 422 if no installed Postgres has this version. */
export function requireVersion({ databases }: ControlPlane, major: number): void {
  if (!databases || databases.majors.includes(major)) return;
  const installed = databases.majors.join(", ");
  throw unprocessable(
    `Postgres ${major} is not installed on this machine (installed: ${installed}). ` +
      `To install it, run: ${databases.installCommand(major)}`,
  );
}

/** The default version of a project: the usual version if it is installed, otherwise the newest installed version. */
export function defaultVersion({ databases }: ControlPlane, usual: number): number {
  return !databases || databases.majors.includes(usual) ? usual : (databases.majors.at(-1) ?? usual);
}
