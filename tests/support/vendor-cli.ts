import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Ended, runToEnd } from "./ended";
import { suite } from "./suite";

/** The published CLI of the vendor, pointed at a platform. It reads and writes no settings of the user. */
export class VendorCli {
  readonly #program: string;
  readonly #home: string;
  readonly #account: () => { readonly apiUrl: string; readonly apiKey: string };

  /** @param name the package, which has a command of the same name */
  constructor(name: string, account: () => { readonly apiUrl: string; readonly apiKey: string }) {
    const folder = join(process.cwd(), "node_modules", name);
    const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { bin: Record<string, string> };
    const file = bin[name];
    assert.ok(file !== undefined, `${name} has no command ${name}`);
    this.#program = join(folder, file);
    this.#account = account;
    this.#home = mkdtempSync(join(tmpdir(), "neon-pulumi-vendor-"));
    writeFileSync(join(this.#home, "stay.cjs"), stayHere);
  }

  /** Runs a command that must succeed, and parses its JSON. */
  async json<Answer>(...args: readonly string[]): Promise<Answer> {
    return JSON.parse(await this.text(...args)) as Answer;
  }

  /** Runs a command that must succeed, and returns its output. */
  async text(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.#run(args, {});
    assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
    return stdout;
  }

  /** Runs a command that must fail, and returns its error. */
  async complaint(args: readonly string[], apiKey?: string): Promise<string> {
    const { code, stdout, stderr } = await this.#run(args, apiKey === undefined ? {} : { NEON_API_KEY: apiKey });
    assert.equal(code, 1, `${args.join(" ")}: ${stdout}`);
    return stderr;
  }

  /** Runs a command until its last step, a request to another host, which is blocked. */
  async upTo(host: RegExp, ...args: readonly string[]): Promise<void> {
    const { code, stderr } = await this.#run(args, {});
    const [, tried = ""] = /^a connection to (\S+) was tried$/m.exec(stderr) ?? [];
    assert.equal(code, 99, `${args.join(" ")}: ${stderr}`);
    assert.match(tried, host);
  }

  remove(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  #run(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ended> {
    const { apiUrl, apiKey } = this.#account();
    const env = {
      PATH: process.env["PATH"],
      HOME: this.#home,
      NODE_OPTIONS: `--require=${join(this.#home, "stay.cjs")}`,
      NEON_API_HOST: apiUrl,
      NEON_API_KEY: apiKey,
      ...environment,
    };
    const command = [this.#program, "--no-analytics", "--output", "json", ...args];
    return runToEnd(process.execPath, command, { env, cwd: this.#home });
  }
}

/** A script that ends the process at a request to another machine. */
const stayHere = `
  const { Socket } = require("node:net");
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (...args) {
    const { host, path } = (Array.isArray(args[0]) ? args[0][0] : args[0]) ?? {};
    if (path === undefined && !["127.0.0.1", "localhost", "::1"].includes(host)) {
      console.error("a connection to " + host + " was tried");
      process.exit(99);
    }
    return connect.apply(this, args);
  };
`;

/** The vendor's CLI for the calling suite. */
export function suiteVendorCli(
  name: string,
  account: () => { readonly apiUrl: string; readonly apiKey: string },
): () => VendorCli {
  return suite(
    () => new VendorCli(name, account),
    (cli) => cli.remove(),
  );
}
