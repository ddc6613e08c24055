import type { Request } from "../../api/core/request";
import type { Answer } from "../call/collection";
import type { Context } from "../call/context";
import type { Values } from "../values";

/** The creation of an object, as data. The lifecycle sends it. */
export interface Creation<Outputs, Response extends object = object> {
  /** The action in messages, such as `create branch`. */
  readonly what: string;
  /**
   * The request. A function of the annotations that tag the object, if the request carries them, and of the platform's
   * time.
   */
  readonly request: Request<Response> | ((tag: Readonly<Record<string, string>>, now: Date) => Request<Response>);
  /** Whether the platform itself refuses a second equal object, so that sending twice cannot create two. */
  readonly repeatable: boolean;
  /** The outputs that the response gives: enough to find, use and delete the object. */
  readonly outputs: (response: Response) => Outputs;
  /**
   * For an object that was found after the response was lost: the outputs that only the request determines. Undefined
   * if the object cannot be the result of the request. Default: no further outputs.
   */
  readonly found?: (present: Values) => Promise<Values | undefined>;
  /**
   * Sending the request would overwrite an object of the same natural key, or create a second one, without an error.
   * The lifecycle therefore looks for one before each request.
   */
  readonly overwrites?: true;
  /**
   * Objects in the response that are valid once its operations have succeeded, so that they need not be read. They
   * cannot change earlier, because the platform refuses other changes of the project until then.
   */
  readonly answers?: (response: Response) => readonly Answer[];
  /**
   * The request starts operations that its response does not name. The lifecycle waits for those that the branch has
   * had since the request was sent.
   */
  readonly startsUnnamed?: true;
  /** Replaces the error of the request by one that explains it in terms of the object. */
  readonly explain?: (context: Context, error: unknown) => unknown;
  /** Paths of declared inputs that the request does not hold: `update` applies them to the created object. */
  readonly leaves?: readonly string[];
}

/** Hides the response type from code that does not know it. The members of a creation agree on that type. */
export function creation<Outputs, Response extends object>(of: Creation<Outputs, Response>): Creation<Outputs> {
  return of as unknown as Creation<Outputs>;
}
