import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";

import { backoffMs, sleep } from "../clock";
import { endDelivery, envelopeOf, failDelivery, type TriggerDeliveryRow } from "../model/branches/trigger-delivery";
import type { ControlPlane } from "../model/control-plane";
import type { Tables } from "../model/tables";
import { commitLater } from "../storage/commit-later";
import { internalHeader } from "./messages";

/** The tables whose changes can make a delivery possible: a function may have its port now. */
export const deliveryTables: readonly (keyof Tables)[] = ["triggerDeliveries", "functions"];

interface DeliveryOptions {
  readonly controlPlane: ControlPlane;
  readonly commit: (change: () => void) => void;
  /** The secret by which functions recognize the platform. */
  readonly secret: string;
}

/** Sends the invocations by triggers to their functions. An invocation is sent until the function answers, whatever the answer. */
export class TriggerDeliveries {
  readonly #options: DeliveryOptions;
  readonly #agent = new Agent({ keepAlive: false });
  readonly #inProgress = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Starts the deliveries that are possible. Called after every change. */
  run(): void {
    if (this.#closing.signal.aborted) return;
    const { functions, triggerDeliveries } = this.#options.controlPlane.tables;
    for (const row of triggerDeliveries.list({})) {
      if (this.#inProgress.has(row.invocation_id)) continue;
      const { branch_id, function_slug: slug } = row;
      const port = functions.get({ branch_id, slug })?.port;
      if (port === null) continue;
      this.#inProgress.set(row.invocation_id, this.#deliver(row, port));
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#agent.destroy();
    await Promise.all(this.#inProgress.values());
  }

  /** Delivers an invocation. Without a port, the function does not exist and cannot answer: the delivery ends. */
  async #deliver(row: TriggerDeliveryRow, port: number | undefined): Promise<void> {
    const { controlPlane, commit } = this.#options;
    const { signal } = this.#closing;
    const status = port === undefined ? null : await this.#send(row, port);
    // The delivery is kept for the next start.
    if (signal.aborted) return;
    let failures: number | undefined;
    const record = (): void => {
      if (status === undefined) failures = failDelivery(controlPlane, row);
      else endDelivery(controlPlane, row, status);
    };
    await commitLater(commit, record, signal);
    if (failures !== undefined) await sleep(controlPlane.clock, backoffMs(failures), signal);
    this.#inProgress.delete(row.invocation_id);
    this.run();
  }

  /** Returns the status of the answer, if there is one. */
  async #send(row: TriggerDeliveryRow, port: number): Promise<number | undefined> {
    const body = JSON.stringify(envelopeOf(row));
    const sent = request({
      host: "127.0.0.1",
      port,
      path: row.function_path,
      method: "POST",
      agent: this.#agent,
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        traceparent: `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`,
        "x-neon-trigger-invocation-id": row.invocation_id,
        [internalHeader]: this.#options.secret,
      },
    });
    // Errors after the response has begun are errors of the response.
    sent.on("error", () => undefined);
    sent.end(body);
    try {
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    } catch {
      return undefined;
    }
  }
}
