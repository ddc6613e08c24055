import { checkedUrl } from "../../api/base-url";
import { ApiKeyCheck } from "../call/api-key-check";
import { Lists } from "../call/lists";
import type { Account, Problem } from "../call/services";
import { ProjectVisibility } from "../call/visibility";
import { hashOf } from "../ownership/ids";
import type { SettingName } from "../settings/client-settings";
import { keySource, type KeySource } from "../settings/key-source";
import { type ResolvedSettings, resolvedSettings } from "./configuration";
import type { ProcessDependencies } from "./dependencies";

/** The settings of a process, and the data on their accounts. */
export class ProcessSettings {
  readonly #environment: ProcessDependencies["environment"];
  readonly #connect: ProcessDependencies["connect"];
  readonly #accounts = new Map<string, Omit<Account, "client" | "settings" | "keySource">>();
  readonly #log: (line: string) => void;
  #read: (name: SettingName) => string | undefined = () => undefined;
  #provider: string | undefined;
  /** The hash of the configured base URL. Undefined until it is needed. */
  #service: string | undefined;

  constructor(
    { environment, connect }: Pick<ProcessDependencies, "environment" | "connect">,
    log: (line: string) => void,
  ) {
    this.#environment = environment;
    this.#connect = connect;
    this.#log = log;
  }

  /** @param provider the name of the explicit provider with these settings, if the protocol tells */
  configure(read: (name: SettingName) => string | undefined, provider?: string): void {
    this.#read = read;
    this.#provider = provider;
    this.#service = undefined;
  }

  /** The source of the API key. */
  keySource(): KeySource {
    const configured = this.#read("apiKey");
    return keySource(configured, configured === undefined ? undefined : this.#provider, this.#environment);
  }

  #resolved(): ResolvedSettings {
    return resolvedSettings(this.#read, this.#environment);
  }

  /** Identifies the service that this process talks to. */
  service(): string {
    if (this.#service !== undefined) return this.#service;
    const resolved = this.#resolved();
    return (this.#service = "problems" in resolved ? "" : hashOf(checkedUrl(resolved.settings.apiUrl)));
  }

  account(): Account | { readonly problems: readonly Problem[] } {
    const resolved = this.#resolved();
    if ("problems" in resolved) return resolved;
    const { settings } = resolved;
    const client = this.#connect(settings, this.#log);
    const fingerprint = hashOf(settings.apiUrl, settings.apiKey);
    const known = this.#accounts.get(fingerprint) ?? {
      visibility: new ProjectVisibility((request) => client.send(request)),
      lists: new Lists(client),
      apiKeyCheck: new ApiKeyCheck(client),
    };
    this.#accounts.set(fingerprint, known);
    return { settings, client, keySource: this.keySource(), ...known };
  }
}
