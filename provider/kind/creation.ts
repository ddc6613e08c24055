import type { Request } from "../../api/core/request";
import type { Answer } from "../call/collection";
import type { Context } from "../call/context";
import type { Values } from "../values";

/** The creation of an object, as data: the lifecycle sends it. */
export interface Creation<Outputs, Response extends object = object> {
  /** What is being done, such as `create branch`. */
  readonly what: string;
  /** The request; a function of the annotations that tag the object, if the request holds them. */
  readonly request: Request<Response> | ((tag: Readonly<Record<string, string>>) => Request<Response>);
  /** Whether the platform itself refuses a second equal object, so that sending twice cannot create two. */
  readonly repeatable: boolean;
  /** What is known of the object from the response: enough to find, use and delete it. */
  readonly outputs: (response: Response) => Outputs;
  /**
   * What the request has given an object besides what was read of it, when the object was found after the response was lost;
   * undefined if it cannot be the result. Default: nothing.
   */
  readonly found?: (present: Values) => Promise<Values | undefined>;
  /**
   * The platform would overwrite an object of this natural key, or create a second one, without an error: it is looked for
   * before each request.
   */
  readonly overwrites?: true;
  /**
   * What else the response says that holds once its operations have succeeded: this is not read back. Until then, the
   * platform refuses other changes of the project.
   */
  readonly answers?: (response: Response) => readonly Answer[];
  /** The response names no operations, although the request starts some: the branch's since then are waited for. */
  readonly startsUnnamed?: true;
  /** Replaces the error of the request by one that explains it in terms of the object. */
  readonly explain?: (context: Context, error: unknown) => unknown;
  /** Paths of declared inputs that the request does not hold: `update` applies them to the created object. */
  readonly leaves?: readonly string[];
}

/** The same, for code that does not know the response. Its members agree with each other about it. */
export function creation<Outputs, Response extends object>(of: Creation<Outputs, Response>): Creation<Outputs> {
  return of as unknown as Creation<Outputs>;
}
