import type { NeonClient } from "../../api/client";
import type { Clock } from "../../api/clock";
import { ApiKeyCheck } from "../../provider/call/api-key-check";
import type { Call } from "../../provider/call/call";
import { ProjectLocks } from "../../provider/call/project-locks";
import type { Account, Services } from "../../provider/call/services";
import { SharedReads } from "../../provider/call/shared-reads";
import { noOthers } from "../../provider/ownership/shared-claims";
import { Journal } from "../../provider/ownership/journal";
import { ResourceRegistry } from "../../provider/ownership/registry";
import { ProjectVisibility } from "../../provider/ownership/visibility";
import { unknownRun } from "./journal";

/** What a test makes of the services of a provider process. */
interface ProcessOptions {
  readonly client: NeonClient;
  /** Where its journal is. */
  readonly folder: string;
  readonly clock: Clock;
  readonly progress?: (text: string) => void;
  readonly warn?: (text: string) => void;
}

interface AccountServices extends Services {
  readonly account: () => Account;
}

/** The services of a provider process that has no engine. */
export function servicesWith(options: ProcessOptions): AccountServices {
  const { client, folder, clock, progress = () => undefined, warn = () => undefined } = options;
  const account: Account = {
    client,
    settings: { apiKey: "", apiUrl: client.apiUrl, orgId: undefined, operationTimeout: 600_000, logRequests: false },
    visibility: new ProjectVisibility((request) => client.send(request)),
    sharedReads: new SharedReads(client),
    apiKeyCheck: new ApiKeyCheck(client),
    keySource: { from: "configuration" },
    fingerprint: "the account",
  };
  return {
    account: () => account,
    journal: new Journal(folder, clock, unknownRun),
    locks: new ProjectLocks(),
    registry: new ResourceRegistry(noOthers, () => "the service"),
    stack: () => "the stack",
    progress: (_, text) => progress(text),
    warn: (_, text) => warn(text),
    failures: new Set(),
  };
}

/** A call of the engine for a resource of which nothing special is known. */
export function callFor(urn: string, more: Partial<Call> = {}): Call {
  return { urn, declaredBefore: [], isRetained: false, replaced: {}, ...more };
}
