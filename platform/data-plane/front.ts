import { type Addressing, postgresPort, sharedHost } from "../model/databases";
import type { CertificateAuthority } from "../proxy/certificate-authority";
import { PostgresProxy, type ProxyAddress } from "../proxy/proxy";
import type { Directory } from "./directory";

/** Lets clients connect to the computes of a directory: at their own addresses, or all at one. */
export class Front {
  readonly #proxy: PostgresProxy;
  readonly #directory: Directory;

  private constructor(directory: Directory, authority: CertificateAuthority) {
    this.#directory = directory;
    this.#proxy = new PostgresProxy({ directory, authority });
  }

  /** Opens the addresses, and keeps them those of the computes there are. Returns how clients find a compute. */
  static async open(
    directory: Directory,
    authority: CertificateAuthority,
    hasOwnAddresses: boolean,
  ): Promise<{ readonly front: Front; readonly addressing: Addressing }> {
    const front = new Front(directory, authority);
    if (!hasOwnAddresses) return { front, addressing: { kind: "shared", port: await front.#openShared() } };
    directory.onEndpointsChange(() => void front.#openOwn());
    await front.#openOwn();
    return { front, addressing: { kind: "own" } };
  }

  async close(): Promise<void> {
    await this.#proxy.close();
  }

  async #openOwn(): Promise<void> {
    const addresses: ProxyAddress[] = this.#directory
      .hosts()
      .map(({ host, endpointId }) => ({ address: host, port: postgresPort, endpointId }));
    try {
      await this.#proxy.listen(addresses);
    } catch (error) {
      console.error(`neon-platform: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Prefers the usual port, so that connection strings stay the same from start to start. */
  async #openShared(): Promise<number> {
    const open = async (port: number): Promise<number> =>
      (await this.#proxy.listen([{ address: sharedHost, port }]))[0]?.port ?? port;
    return await open(postgresPort).catch(() => open(0));
  }
}
