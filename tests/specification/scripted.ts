import assert from "node:assert/strict";
import { PlatformClient, type ClientOptions, type Operation, type WireRequest } from "../../api/index";
import { ManualPlatformClock } from "../support/platform-clock";
import { endless, LeapingClock } from "./leaping-clock";

/** What a scripted platform answers. */
export interface Reply {
  readonly status?: number;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown;
  /** With names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of a platform that answers as a test says: for what the local platform cannot show. */
export interface Scripted {
  readonly client: PlatformClient;
  readonly clock: LeapingClock;
  /** What was sent, in order. */
  readonly requests: WireRequest[];
}

/** @param replies one after the other, the last one again and again; or made for each request. */
export function scripted(
  replies: readonly Reply[] | ((request: WireRequest) => Reply),
  options: Partial<ClientOptions> = {},
): Scripted {
  const clock = new LeapingClock(new ManualPlatformClock());
  const requests: WireRequest[] = [];
  const client = new PlatformClient({
    apiKey: "key",
    apiUrl: "https://platform.example/api/v2",
    clock,
    attemptTimeout: endless,
    transport: (request) => {
      requests.push(request);
      const reply = typeof replies === "function" ? replies(request) : (replies[requests.length - 1] ?? replies.at(-1));
      assert.ok(reply, "there is no reply left");
      const { status = 200, body = {}, headers = { "content-type": "application/json" } } = reply;
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return Promise.resolve({ status, header: (name) => headers[name.toLowerCase()], body: text });
    },
    ...options,
  });
  return { client, clock, requests };
}

/** A wait for one operation that shows these statuses, one at each look, the last one for ever. */
export function scriptedWait(
  statuses: readonly [string, ...string[]],
  members: Partial<Operation> = {},
): Scripted & { readonly done: Promise<void> } {
  const [first, ...later] = statuses.map((status) => operationSample({ ...members, status }));
  assert.ok(first);
  const made = scripted((later.length === 0 ? [first] : later).map((operation) => ({ body: { operation } })));
  return { ...made, done: made.client.wait([first]) };
}

/** A project of the specification's shape: its members and no other. */
export function projectSample(members: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: "late-frost-302709",
    name: "shop",
    platform_id: "aws",
    region_id: "aws-us-east-2",
    provisioner: "k8s-pod",
    pg_version: 15,
    locked: false,
    cpu_used_sec: 0,
    created_at: "2022-12-13T01:30:55Z",
    updated_at: "2022-12-13T01:30:55Z",
    proxy_host: "us-east-2.aws.platform.example",
    branch_logical_size_limit: 0,
    ...members,
  };
}

/** An operation of the specification's shape: its members and no other. */
export function operationSample(members: Partial<Operation> = {}): Operation {
  return {
    id: "a07f8772-1877-4da9-a939-3a3ae62d1d8d",
    project_id: "late-frost-302709",
    branch_id: "br-wispy-meadow-118737",
    endpoint_id: "ep-silent-smoke-806639",
    action: "start_compute",
    status: "finished",
    failures_count: 0,
    created_at: "2022-12-08T20:02:33Z",
    updated_at: "2022-12-08T20:02:35Z",
    ...members,
  };
}
