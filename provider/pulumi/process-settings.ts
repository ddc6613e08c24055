import { checkedUrl } from "../../api/base-url";
import type { SettingName } from "../../api/client-settings";
import { connect } from "../../api/connect";
import { ApiKeyCheck } from "../call/api-key-check";
import { Inventory } from "../call/inventory";
import type { Account, Problem } from "../call/services";
import { SharedReads } from "../call/shared-reads";
import { ProjectVisibility } from "../call/visibility";
import { hashOf } from "../ownership/ids";
import { type ResolvedSettings, resolvedSettings } from "./configuration";

/** The settings of a process, and what is known of the accounts that they name. */
export class ProcessSettings {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #accounts = new Map<string, Omit<Account, "client" | "settings">>();
  readonly #log: (line: string) => void;
  #read: (name: SettingName) => string | undefined = () => undefined;
  /** The hash of the configured base URL. Undefined: not needed yet. */
  #service: string | undefined;

  constructor(environment: NodeJS.ProcessEnv, log: (line: string) => void) {
    this.#environment = environment;
    this.#log = log;
  }

  configure(read: (name: SettingName) => string | undefined): void {
    this.#read = read;
    this.#service = undefined;
  }

  #resolved(): ResolvedSettings {
    return resolvedSettings(this.#read, this.#environment);
  }

  /** Tells the service that this process talks to from others. */
  service(): string {
    if (this.#service !== undefined) return this.#service;
    const resolved = this.#resolved();
    return (this.#service = "problems" in resolved ? "" : hashOf(checkedUrl(resolved.settings.apiUrl)));
  }

  account(): Account | { readonly problems: readonly Problem[] } {
    const resolved = this.#resolved();
    if ("problems" in resolved) return resolved;
    const { settings } = resolved;
    const client = connect(settings, this.#log);
    const fingerprint = hashOf(settings.apiUrl, settings.apiKey);
    const known = this.#accounts.get(fingerprint) ?? {
      visibility: new ProjectVisibility((request) => client.send(request)),
      sharedReads: new SharedReads(client),
      inventory: new Inventory(client),
      apiKeyCheck: new ApiKeyCheck(client),
    };
    this.#accounts.set(fingerprint, known);
    return { settings, client, ...known };
  }
}
