import type { ServerResponse } from "node:http";

import { requestTopic } from "../http/request-log";
import { logTopic } from "../model/branches/branch-logs";
import { faultTopic } from "../model/operations/faults";
import { operationTimeTopic } from "../model/operations/operation-time";
import type { Tables } from "../model/tables";
import type { Change, Topic } from "../storage/change-feed";
import type { LiveMessage, RequestView, View } from "./protocol";
import type { ConsoleServices } from "./services";
import { branchById } from "./state";
import { operationView, projectView, requestView } from "./views";

/** Changes within this time are sent together. */
const gatherMs = 60;
/** A page that gets no message for longer cannot know whether the platform is there. */
const heartbeatMs = 20_000;
/** The most changed rows that are sent. With more, the page reads its state again. */
const mostRows = 400;
/** The most bytes that a page has not read. With more, it is disconnected, and connects again by itself. */
const mostUnreadBytes = 4 << 20;

/** The views in which rows of a table appear. Only the page of a branch shows its details. */
type Views = readonly (View["kind"] | "branch details")[];

const branchPages = ["functions", "triggers", "buckets"] as const;

/** The tables that the page shows, and the views in which they appear besides the lists that are kept current. */
const tableViews: Readonly<Partial<Record<keyof Tables, Views>>> = {
  operations: ["timeline"],
  projects: ["people", "sql", ...branchPages],
  branches: ["sql", ...branchPages],
  endpoints: [],
  roles: ["sql", "branch details"],
  databases: ["sql", "branch details"],
  snapshots: ["people", "branch details"],
  backupSchedules: ["branch details"],
  functions: ["functions", "branch details"],
  functionDeployments: ["functions"],
  customDomains: ["functions"],
  triggers: ["triggers", "branch details"],
  triggerDeliveries: ["triggers"],
  buckets: ["buckets", "branch details"],
  bucketObjects: ["buckets"],
  apiKeys: ["keys"],
  organizations: ["keys", "people"],
  memberships: ["people"],
  users: ["people"],
};

/** The topics in memory that the page shows, and the views in which they appear. */
const memoryViews: readonly (readonly [Topic, Views])[] = [
  [logTopic, ["functions"]],
  [faultTopic, ["faults"]],
  [operationTimeTopic, ["faults"]],
  [requestTopic, ["timeline"]],
];

interface Stream {
  readonly response: ServerResponse;
  readonly wantsRequests: boolean;
}

/** The changes that are not sent yet. */
interface Gathered {
  readonly operations: Set<string>;
  readonly projects: Set<string>;
  readonly branches: Set<string>;
  readonly requests: Map<number, RequestView>;
  readonly stale: Set<View["kind"]>;
  /** The branches whose details have changed. */
  readonly details: Set<string>;
}

const nothingGathered = (): Gathered => ({
  operations: new Set(),
  projects: new Set(),
  branches: new Set(),
  requests: new Map(),
  stale: new Set(),
  details: new Set(),
});

/**
 * Keeps open pages current: subscribes to the feed of changes, and sends to each page the changes that it shows. It never polls.
 */
export class LiveStreams {
  readonly #services: ConsoleServices;
  readonly #instance: string;
  readonly #views: ReadonlyMap<Topic, Views>;
  readonly #streams = new Set<Stream>();
  #gathered = nothingGathered();
  #cancelSend: (() => void) | undefined;
  #cancelHeartbeat: (() => void) | undefined;
  #version = 0;

  constructor(services: ConsoleServices, instance: string) {
    this.#services = services;
    this.#instance = instance;
    const { tables } = services.controlPlane;
    const stored = Object.entries(tableViews).map(
      ([name, kinds]) => [tables[name as keyof Tables].definition, kinds] as const,
    );
    this.#views = new Map<Topic, Views>([...stored, ...memoryViews]);
    services.store.feed.subscribe(this.#views.keys(), (changes) => {
      this.#version += 1;
      if (this.#streams.size > 0) this.#gather(changes);
    });
    services.closing.addEventListener("abort", () => this.#close(), { once: true });
  }

  /** The number of changes since the start. */
  get version(): number {
    return this.#version;
  }

  open(response: ServerResponse, wantsRequests: boolean): void {
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    const stream: Stream = { response, wantsRequests };
    this.#streams.add(stream);
    response.once("close", () => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#rest();
    });
    this.#send(stream, { type: "hello", instance: this.#instance, version: this.#version });
    if (this.#services.closing.aborted) response.end();
    this.#cancelHeartbeat ??= this.#services.controlPlane.clock.after(heartbeatMs, () => this.#beat());
  }

  #gather(changes: readonly Change[]): void {
    for (const { topic, row, deleted } of changes) this.#gatherOne(topic, row ?? deleted ?? {});
    this.#cancelSend ??= this.#services.controlPlane.clock.after(gatherMs, () => {
      this.#cancelSend = undefined;
      this.#sendGathered();
    });
  }

  #gatherOne(topic: Topic, members: Members): void {
    const { operations, projects, branches, requests, stale, details } = this.#gathered;
    const { tables } = this.#services.controlPlane;
    const { id, project_id: projectId, branch_id: branchId, source_branch_id: sourceId } = members;
    for (const view of this.#views.get(topic) ?? []) {
      const changed = textOf(branchId) ?? textOf(sourceId);
      if (view !== "branch details") stale.add(view);
      else if (changed === undefined) stale.add("branches");
      else details.add(changed);
    }
    if (typeof projectId === "string") projects.add(projectId);
    if (topic === requestTopic && members.entry) requests.set(members.entry.number, requestView(members.entry));
    if (typeof id !== "string") return;
    if (topic === tables.projects.definition) projects.add(id);
    if (topic === tables.operations.definition) operations.add(id);
    if (topic === tables.branches.definition) branches.add(id);
    if (topic === tables.endpoints.definition && typeof branchId === "string") branches.add(branchId);
  }

  #sendGathered(): void {
    const gathered = this.#gathered;
    this.#gathered = nothingGathered();
    const messages = this.#messages(gathered);
    for (const stream of this.#streams) {
      for (const message of messages) {
        if (message.type !== "requests" || stream.wantsRequests) this.#send(stream, message);
      }
    }
  }

  #messages({ operations, projects, branches, requests, stale, details }: Gathered): LiveMessage[] {
    const { controlPlane } = this.#services;
    const { tables } = controlPlane;
    const messages: LiveMessage[] = [];
    if (projects.size > 0) {
      const rows = [...projects].flatMap((id) => tables.projects.get({ id, deleted_at: null }) ?? []);
      const removed = [...projects].filter((id) => !rows.some((row) => row.id === id));
      messages.push({ type: "projects", rows: rows.map((row) => projectView(controlPlane, row)), removed });
    }
    if (branches.size > mostRows || details.size > mostRows) stale.add("branches");
    else if (branches.size > 0) {
      const rows = [...branches].flatMap((id) => branchById(this.#services, id) ?? []);
      const removed = [...branches].filter((id) => !rows.some((row) => row.id === id));
      messages.push({ type: "branches", rows, removed });
    }
    if (operations.size > mostRows) stale.add("operations");
    else if (operations.size > 0) {
      const rows = [...operations].flatMap((id) => tables.operations.get({ id }) ?? []);
      messages.push({ type: "operations", rows: rows.map((row) => operationView(controlPlane, row)) });
    }
    if (requests.size > 0) messages.push({ type: "requests", rows: [...requests.values()].slice(-mostRows) });
    if (stale.size > 0 || details.size > 0) {
      messages.push({ type: "stale", views: [...stale], branches: [...details] });
    }
    return messages;
  }

  #send({ response }: Stream, message: LiveMessage): void {
    if (response.writableLength > mostUnreadBytes) response.destroy();
    else response.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  #beat(): void {
    for (const { response } of this.#streams) response.write(": here\n\n");
    this.#cancelHeartbeat = this.#services.controlPlane.clock.after(heartbeatMs, () => this.#beat());
  }

  /** Stops everything while no page is open: nothing is gathered, and no timer runs. */
  #rest(): void {
    this.#cancelSend?.();
    this.#cancelHeartbeat?.();
    this.#cancelSend = undefined;
    this.#cancelHeartbeat = undefined;
    this.#gathered = nothingGathered();
  }

  #close(): void {
    for (const { response } of this.#streams) response.end();
    this.#rest();
  }
}

/** The members of rows that decide which page shows them. */
interface Members {
  readonly id?: unknown;
  readonly project_id?: unknown;
  readonly branch_id?: unknown;
  readonly source_branch_id?: unknown;
  readonly entry?: Parameters<typeof requestView>[0];
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
