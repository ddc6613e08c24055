import type { NeonClient } from "../../api/client";
import { ApiKeyCheck } from "../../provider/call/api-key-check";
import type { Call } from "../../provider/call/call";
import { Lists } from "../../provider/call/lists";
import { ProjectLocks } from "../../provider/call/project-locks";
import type { Account, Services } from "../../provider/call/services";
import { ProjectVisibility } from "../../provider/call/visibility";
import { type ClaimLog, OwnClaimLog } from "../../provider/ownership/shared-claims";
import { ResourceRegistry } from "../../provider/ownership/registry";
import { WorkMarks } from "../../provider/ownership/work-marks";

/** Options for the services of a provider process in a test. */
interface ProcessOptions {
  readonly client: NeonClient;
  readonly progress?: (text: string) => void;
  readonly warn?: (text: string) => void;
  /** The setting `neon:adopt`. Default: false. */
  readonly adopt?: boolean;
  /** The claims of its run. Default: the process is alone. */
  readonly claims?: ClaimLog;
}

interface AccountServices extends Services {
  readonly account: () => Account;
}

/** The services of a provider process without an engine. */
export function servicesWith(options: ProcessOptions): AccountServices {
  const {
    client,
    progress = () => undefined,
    warn = () => undefined,
    adopt = false,
    claims = new OwnClaimLog(),
  } = options;
  const account: Account = {
    client,
    settings: {
      apiKey: "",
      apiUrl: client.apiUrl,
      orgId: undefined,
      operationTimeout: 600_000,
      logRequests: false,
      adopt,
    },
    visibility: new ProjectVisibility((request) => client.send(request)),
    lists: new Lists(client),
    apiKeyCheck: new ApiKeyCheck(client),
    keySource: { from: "configuration" },
  };
  return {
    account: () => account,
    locks: new ProjectLocks(),
    registry: new ResourceRegistry(claims, () => "the service"),
    marks: new WorkMarks("/nonexistent", client.clock),
    stack: () => undefined,
    progress: (_, text) => progress(text),
    say: () => undefined,
    warn: (_, text) => warn(text),
    told: new Set(),
    failures: new Set(),
  };
}

/** A call of the engine for a resource, with defaults. */
export function callFor(urn: string, more: Partial<Call> = {}): Call {
  return { urn, declaredBefore: [], isRetained: false, replaced: {}, ...more };
}
