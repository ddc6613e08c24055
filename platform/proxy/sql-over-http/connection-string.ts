import { ProxyError } from "../proxy-error";

/** The content of the header `Neon-Connection-String`. */
export interface ConnectionString {
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly host: string;
  readonly port: number;
  /** The parameter `options`, which can name the endpoint. */
  readonly options: string | undefined;
}

const defaultPort = 5432;

/** @throws ProxyError that names the missing part */
export function parseConnectionString(header: string | undefined): ConnectionString {
  if (header === undefined) throw new ProxyError("invalid header: neon-connection-string");
  let url: URL;
  try {
    url = new URL(header);
  } catch (error) {
    throw new ProxyError(`invalid connection string: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") throw new ProxyError("incorrect scheme");
  const [, path = ""] = url.pathname.split("/");
  if (path === "") throw new ProxyError("missing database name");
  const database = decodedPart(path, "invalid database name");
  if (url.username === "") throw new ProxyError("missing username");
  const user = decodedPart(url.username, "invalid connection string: invalid username");
  if (url.password === "") throw new ProxyError("missing authentication credentials: required password");
  const password = decodedPart(url.password, "invalid connection string: invalid password");
  if (url.hostname === "") throw new ProxyError("missing hostname");
  return {
    user,
    password,
    database,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? defaultPort : Number(url.port),
    options: url.searchParams.get("options") ?? undefined,
  };
}

function decodedPart(text: string, message: string): string {
  let plain: string;
  try {
    plain = decodeURIComponent(text);
  } catch {
    throw new ProxyError(message);
  }
  // PostgreSQL ends a text at a zero byte. The rest would be another parameter.
  if (plain.includes("\0")) throw new ProxyError(message);
  return plain;
}
