import { type Addressing, postgresPort, sharedHost } from "../model/databases";
import type { CertificateAuthority } from "../proxy/certificate-authority";
import { PostgresProxy, type ProxyAddress } from "../proxy/proxy";
import type { Directory } from "./directory";

/** The options for the addresses of computes. */
interface Choice {
  /** Whether this machine has enough loopback addresses for every compute. */
  readonly hasOwnAddresses: boolean;
  /** The port at which all new computes share an address. */
  readonly sharedPort: number | undefined;
}

/** Lets clients connect to the computes of a directory, at the address of the compute or at a shared one. */
export class Front {
  readonly #proxy: PostgresProxy;
  readonly #directory: Directory;
  #shared: ProxyAddress | undefined;

  private constructor(directory: Directory, authority: CertificateAuthority) {
    this.#directory = directory;
    this.#proxy = new PostgresProxy({ directory, authority });
  }

  /** Opens the addresses of the computes, and follows their changes. Returns how clients find a compute. */
  static async open(
    directory: Directory,
    authority: CertificateAuthority,
    { hasOwnAddresses, sharedPort }: Choice,
  ): Promise<{ readonly front: Front; readonly addressing: Addressing }> {
    const front = new Front(directory, authority);
    const isOwn = hasOwnAddresses && sharedPort === undefined;
    // A compute keeps its address, even if the platform is started with another choice.
    if (!isOwn || directory.sharesAddress()) await front.#openShared(sharedPort);
    directory.onEndpointsChange(() => void front.#openAll());
    await front.#openAll();
    return { front, addressing: { isOwn, sharedPort: front.#shared?.port ?? postgresPort } };
  }

  async close(): Promise<void> {
    await this.#proxy.close();
  }

  async #openAll(): Promise<void> {
    const addresses: ProxyAddress[] = this.#directory
      .hosts()
      .map(({ host, endpointId }) => ({ address: host, port: postgresPort, endpointId }));
    if (this.#shared) addresses.push(this.#shared);
    try {
      await this.#proxy.listen(addresses);
    } catch (error) {
      console.error(`neon-platform: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Opens the shared address. Without a port, prefers the usual one, so that connection strings stay the same after a restart. */
  async #openShared(port?: number): Promise<void> {
    const open = async (one: number): Promise<void> => {
      [this.#shared] = await this.#proxy.listen([{ address: sharedHost, port: one }]);
    };
    if (port === undefined) await open(postgresPort).catch(() => open(0));
    else await open(port);
  }
}
