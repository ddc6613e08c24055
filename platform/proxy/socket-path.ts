import { join } from "node:path";

/** The Unix socket of a compute in the folder of its sockets. Every compute has its own folder, so all have one port. */
export const socketPath = (folder: string): string => join(folder, ".s.PGSQL.5432");
