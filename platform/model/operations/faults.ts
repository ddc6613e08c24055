import { z } from "zod";

import type { Topic } from "../../storage/change-feed";
import { type OperationAction, operationActions } from "./actions";

/** Published when the pending faults have changed. */
export const faultTopic: Topic = { name: "faults" };

const times = z.int().min(1).default(1);
/** How many matching requests or operations the fault ignores first. */
const skip = z.int().min(0).optional();

const faultEnds = [
  "failed",
  "error",
  "cancelled",
  "stuck",
  "stuck-then-error",
  "failed-then-finished",
  "unknown",
  "skipped",
] as const;
/** The way in which a fault makes an operation end: with a status, never (`stuck`), or with one status and later another. */
export type FaultEnd = (typeof faultEnds)[number];

const operationFault = z.strictObject({ action: z.enum(operationActions), times, skip, end: z.enum(faultEnds) });

/** The name of a function's deployment in faults and operation times. A deployment is not an operation. */
export const deploymentAction = "deploy_function";
const deploymentFaultEnds = ["error", "stuck", "stuck-then-error"] as const;
/** The way in which a fault makes a deployment end: it fails, or never ends. */
export type DeploymentFaultEnd = (typeof deploymentFaultEnds)[number];

const deploymentFault = z.strictObject({
  action: z.literal(deploymentAction),
  times,
  skip,
  end: z.enum(deploymentFaultEnds),
});

const httpFault = z
  .strictObject({
    method: z
      .string()
      .transform((method) => method.toUpperCase())
      .optional(),
    path: z
      .string()
      .refine((source) => isPossible(() => new RegExp(source)), "must be a regular expression")
      .transform((source) => new RegExp(source))
      .optional(),
    times,
    skip,
    status: z.int().min(200).max(599).optional(),
    body: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
    headers: z
      .record(z.string(), z.string())
      .refine((headers) => isPossible(() => new Headers(headers)), "must be an object of header names and values")
      .optional(),
    delayMs: z.number().min(0).optional(),
    reset: z.enum(["before", "after"]).optional(),
    truncate: z.literal(true).optional(),
    /** Performs the request although it is answered with `status`. */
    perform: z.literal(true).optional(),
  })
  .superRefine((fault, context) => {
    const effects = [fault.status, fault.reset, fault.truncate].filter((effect) => effect !== undefined);
    if (effects.length === 0 && fault.delayMs === undefined) {
      context.addIssue("has no effect: set one of status, reset, truncate and delayMs");
    }
    if (effects.length > 1) context.addIssue("can have only one of status, reset and truncate");
    const needsStatus = [fault.body, fault.headers, fault.perform].some((member) => member !== undefined);
    if (fault.status === undefined && needsStatus) {
      context.addIssue("body, headers and perform need a status");
    }
  });

/** The body of `POST /local/faults`: a fault of an operation if it names an action, otherwise of a request. */
export const faultSchema = z.unknown().transform((given, context) => {
  const read = schemaOf(given).safeParse(given);
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues) context.addIssue({ code: "custom", path, message });
  return z.NEVER;
});

function schemaOf(fault: unknown): z.ZodType<Fault> {
  if (typeof fault !== "object" || fault === null || !("action" in fault)) return httpFault;
  return fault.action === deploymentAction ? deploymentFault : operationFault;
}

type OperationFault = z.infer<typeof operationFault>;
type DeploymentFault = z.infer<typeof deploymentFault>;
export type HttpFault = z.infer<typeof httpFault>;
type Fault = OperationFault | DeploymentFault | HttpFault;

/** How often a fault happens. */
interface FaultCount {
  /** How many matching requests or operations get the fault; default 1. */
  readonly times?: number;
  /** How many matching requests or operations are spared first; default 0. */
  readonly skip?: number;
}

/** A fault of the next operations with this action. */
export interface OperationFaultInput extends FaultCount {
  readonly action: OperationAction;
  /** The way in which the operations end. */
  readonly end: FaultEnd;
}

/** A fault of the next deployments of functions. */
export interface DeploymentFaultInput extends FaultCount {
  readonly action: typeof deploymentAction;
  /** The way in which the deployments end. */
  readonly end: DeploymentFaultEnd;
}

/** A fault of the next requests that match. It has one of `status`, `reset` and `truncate`, or only a delay. */
export interface RequestFaultInput extends FaultCount {
  /** Default: every method. */
  readonly method?: string;
  /** A regular expression; default: every path. */
  readonly path?: string;
  /** The status of the response. The request is not performed unless `perform` is set. */
  readonly status?: number;
  /** The body of that response. */
  readonly body?: string | Readonly<Record<string, unknown>> | readonly unknown[];
  /** Headers of that response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Performs the request although it is answered with `status`. */
  readonly perform?: true;
  /** Milliseconds by which the response is delayed. */
  readonly delayMs?: number;
  /** Resets the connection before the request is performed, or after it. */
  readonly reset?: "before" | "after";
  /** Ends the response in the middle. */
  readonly truncate?: true;
}

/** A fault: of an operation or a deployment if it names an action, otherwise of a request. */
export type FaultInput = OperationFaultInput | DeploymentFaultInput | RequestFaultInput;

/**
 * The scripted faults that have not happened yet, in order. They are in memory only: they belong to a test, not to the
 * platform's data. The fault of an operation that has started is stored with the operation.
 */
export class Faults {
  readonly #onChange: () => void;
  #faults: Fault[] = [];

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  add(fault: Fault): void {
    this.#faults.push({ ...fault });
    this.#onChange();
  }

  clear(): void {
    this.#faults = [];
    this.#onChange();
  }

  /** Deletes the fault at a position of the list. Returns whether there was one. */
  remove(position: number): boolean {
    const before = this.#faults.length;
    this.#faults = this.#faults.filter((_fault, index) => index !== position);
    this.#onChange();
    return this.#faults.length < before;
  }

  list(): readonly unknown[] {
    return this.#faults.map((fault) => ("path" in fault ? { ...fault, path: fault.path?.source } : fault));
  }

  /** The end that a fault sets for an operation that is about to start. */
  forOperation(action: string): FaultEnd | undefined {
    return this.#next((fault): fault is OperationFault => "action" in fault && fault.action === action)?.end;
  }

  /** The end that a fault sets for a deployment that is about to start. */
  forDeployment(): DeploymentFaultEnd | undefined {
    return this.#next((fault): fault is DeploymentFault => "action" in fault && fault.action === deploymentAction)?.end;
  }

  /** The fault that matches a request. The fault's path is compared with and without the base path and the query. */
  forRequest(method: string, url: string, basePath: string): HttpFault | undefined {
    const relative = url.startsWith(basePath) ? url.slice(basePath.length) : url;
    const paths = [url, relative].flatMap((path) => [path, path.split("?", 1)[0] ?? path]);
    return this.#next(
      (fault): fault is HttpFault =>
        !("action" in fault) &&
        (fault.method ?? method) === method &&
        paths.some((path) => fault.path?.test(path) ?? true),
    );
  }

  /** Returns the first matching fault whose `skip` is used up. Counts it, and the faults that it skips. */
  #next<Matching extends Fault>(matches: (fault: Fault) => fault is Matching): Matching | undefined {
    for (const found of this.#faults) {
      if (!matches(found)) continue;
      const { skip = 0 } = found;
      this.#onChange();
      if (skip > 0) {
        found.skip = skip - 1;
        continue;
      }
      found.times -= 1;
      if (found.times === 0) this.#faults = this.#faults.filter((fault) => fault !== found);
      return found;
    }
    return undefined;
  }
}

function isPossible(construct: () => unknown): boolean {
  try {
    construct();
    return true;
  } catch {
    return false;
  }
}
