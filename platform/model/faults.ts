import { z } from "zod";

const times = z.int().min(1).default(1);
/** How many that it is meant for go by unharmed before it strikes. */
const skip = z.int().min(0).optional();

/** How an operation may be made to end. */
export const faultEnds = [
  "failed",
  "error",
  "cancelled",
  "stuck",
  "failed-then-finished",
  "unknown",
  "skipped",
] as const;
export type FaultEnd = (typeof faultEnds)[number];

const operationFault = z.strictObject({ action: z.string().min(1), times, skip, end: z.enum(faultEnds) });

const httpFault = z
  .strictObject({
    method: z
      .string()
      .transform((method) => method.toUpperCase())
      .optional(),
    path: z
      .string()
      .refine(isRegularExpression, "must be a regular expression")
      .transform((source) => new RegExp(source))
      .optional(),
    times,
    skip,
    status: z.int().min(200).max(599).optional(),
    body: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
    headers: z.record(z.string(), z.string()).refine(areHeaders, "must be names and values of headers").optional(),
    delayMs: z.number().min(0).optional(),
    reset: z.enum(["before", "after"]).optional(),
    truncate: z.literal(true).optional(),
    /** The request is performed, and answered with `status` all the same. */
    perform: z.literal(true).optional(),
  })
  .superRefine((fault, context) => {
    const answers = [fault.status, fault.reset, fault.truncate].filter((means) => means !== undefined);
    if (answers.length === 0 && fault.delayMs === undefined) {
      context.addIssue("does nothing: give it one of status, reset, truncate and delayMs");
    }
    if (answers.length > 1) context.addIssue("takes only one of status, reset and truncate");
    const ofAnswer = [fault.body, fault.headers, fault.perform].some((member) => member !== undefined);
    if (fault.status === undefined && ofAnswer) {
      context.addIssue("body, headers and perform belong to an answer: give it a status");
    }
  });

/** A fault as `POST /local/faults` takes it: of an operation if it names an action, else of a request. */
export const fault = z.unknown().transform((given, context) => {
  const schema = typeof given === "object" && given !== null && "action" in given ? operationFault : httpFault;
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues) context.addIssue({ code: "custom", path, message });
  return z.NEVER;
});

type OperationFault = z.infer<typeof operationFault>;
export type HttpFault = z.infer<typeof httpFault>;

/**
 * What a test has ordered to go wrong, in the order given. It ends with the process: it is the test's, not data of the
 * platform. What an operation has already been dealt stays with the operation.
 */
export class Faults {
  #ordered: (HttpFault | OperationFault)[] = [];

  add(ordered: HttpFault | OperationFault): void {
    this.#ordered.push({ ...ordered });
  }

  clear(): void {
    this.#ordered = [];
  }

  /** Those that are still to come. */
  list(): readonly unknown[] {
    return this.#ordered.map((ordered) => ("path" in ordered ? { ...ordered, path: ordered.path?.source } : ordered));
  }

  /** How an operation about to be started is to end, if a fault is meant for it. */
  forOperation(action: string): FaultEnd | undefined {
    return this.#take((ordered): ordered is OperationFault => "action" in ordered && ordered.action === action)?.end;
  }

  /** The fault meant for a request; its path is tried with and without the base and the query. */
  forRequest(method: string, target: string, base: string): HttpFault | undefined {
    const below = target.startsWith(base) ? target.slice(base.length) : target;
    const forms = [target, below].flatMap((form) => [form, form.split("?", 1)[0] ?? form]);
    return this.#take(
      (ordered): ordered is HttpFault =>
        !("action" in ordered) &&
        (ordered.method ?? method) === method &&
        forms.some((form) => ordered.path?.test(form) ?? true),
    );
  }

  #take<Fault extends HttpFault | OperationFault>(
    isMeant: (ordered: HttpFault | OperationFault) => ordered is Fault,
  ): Fault | undefined {
    for (const found of this.#ordered) {
      if (!isMeant(found)) continue;
      const { skip: left = 0 } = found;
      if (left > 0) {
        found.skip = left - 1;
        continue;
      }
      found.times -= 1;
      if (found.times === 0) this.#ordered = this.#ordered.filter((ordered) => ordered !== found);
      return found;
    }
    return undefined;
  }
}

function areHeaders(headers: Readonly<Record<string, string>>): boolean {
  try {
    new Headers(headers);
    return true;
  } catch {
    return false;
  }
}

function isRegularExpression(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
