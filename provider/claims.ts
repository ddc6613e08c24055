import { messageOf, PlatformError, RefusedError } from "../api/errors";
import { ruleFor } from "./check";
import { differences } from "./compare";
import type { Attempts, Context } from "./context";
import type { Found, Kind, Values } from "./kind";
import { markText, newMark, ownerOf, parseMark } from "./mark";
import type { Surroundings } from "./surroundings";
import { atPath } from "./values";

/** How far the platform's clock may be off what its last answer told, in milliseconds: the mark decides, not the time. */
const clockSlack = 600_000;

/**
 * Which objects on the platform a resource may call its own, other than by making them in a call that ended well: those
 * it is told to adopt, and those that an attempt of its own has made without anybody recording it.
 */
export class Claims<Inputs, Outputs extends object> {
  readonly #kind: Kind<Inputs, Outputs>;
  readonly #around: Surroundings;

  constructor(kind: Kind<Inputs, Outputs>, around: Surroundings) {
    this.#kind = kind;
    this.#around = around;
  }

  /** The object that `adopt` names, or undefined when one is to be made. */
  async adopted(context: Context, inputs: Values, parsed: Inputs, urn: string): Promise<Found<Outputs> | undefined> {
    const kind = this.#kind;
    const adopt = inputs["adopt"];
    if (adopt !== true && typeof adopt !== "string") return undefined;
    const wanted = typeof adopt === "string" ? adopt : undefined;
    const address = await kind.find(context, parsed, wanted);
    if (address !== undefined && this.#around.seen.has(urn, kind.id(address))) {
      if (wanted === undefined) return undefined;
      throw new PlatformError("invalid", this.#adoptsItself(wanted), undefined);
    }
    const outputs = address === undefined ? undefined : await kind.read(context, address);
    if (outputs !== undefined) return this.#takenOver(inputs, outputs, false);
    if (wanted === undefined) return undefined;
    throw new PlatformError(
      "invalid",
      `There is no ${kind.noun} "${wanted}" to adopt, or this API key does not see it.`,
      undefined,
    );
  }

  /** @param ours whether this resource has made it: then what cannot be read back is as it was declared */
  #takenOver(inputs: Values, outputs: Outputs, ours: boolean): Found<Outputs> {
    const kind = this.#kind;
    const wrong = differences(kind, outputs as Values, [], inputs).filter((path) => {
      const rule = ruleFor(kind.rules, path);
      return (!ours && rule.unreadable === true) || (rule.replaces === true && atPath(outputs, path) !== undefined);
    });
    if (wrong.length > 0) {
      const list = wrong.map((path) => `${path}${there(atPath(outputs, path))}`);
      throw new PlatformError(
        "invalid",
        `The ${kind.noun} ${kind.id(outputs)} cannot be taken over, because the program declares differently what cannot be changed: ${list.join(", ")}. Declare what is there, or leave it out.`,
        undefined,
      );
    }
    return { id: kind.id(outputs), outputs };
  }

  /** What an attempt that nobody recorded has made, if it made anything. */
  async lost(
    context: Context,
    inputs: Values,
    parsed: Inputs,
    urn: string,
  ): Promise<{ base: Found<Outputs>; attempt: string } | undefined> {
    const kind = this.#kind;
    if (kind.marked === undefined) return undefined;
    const owner = ownerOf(urn);
    const attempts = await this.#around.journal.attempts(owner, context.client.apiUrl);
    if (attempts.length === 0 && kind.uniqueBy.length > 0) return undefined;
    const first = attempts[0];
    const candidates = (
      await kind.marked(context, parsed, first && new Date(Date.parse(first.sentAt) - clockSlack))
    ).flatMap(({ mark, found }) => {
      const parts = parseMark(mark);
      const ours = parts?.owner === owner && !this.#around.seen.has(urn, kind.id(found));
      return ours ? [{ attempt: parts.attempt, found }] : [];
    });
    const known = candidates.find(({ attempt }) => attempts.some((entry) => entry.attempt === attempt));
    if (known !== undefined) {
      await context.settle(kind.project(known.found) ?? kind.id(known.found));
      const outputs = await kind.read(context, known.found);
      if (outputs !== undefined) {
        const base = this.#takenOver(inputs, outputs, true);
        context.warn(`An earlier run, which was interrupted, has made the ${kind.noun} ${base.id}: it is taken over.`);
        return { base, attempt: known.attempt };
      }
    }
    const [stranger] = candidates;
    if (stranger === undefined || this.#around.seen.isReplacement(urn)) return undefined;
    throw new PlatformError("invalid", this.#strangerText(stranger.found), undefined);
  }

  /** How a new attempt is written down and found again. */
  attempts(context: Context, parsed: Inputs, urn: string, began: (attempt: string) => void): Attempts<Outputs> {
    const { journal } = this.#around;
    const kind = this.#kind;
    const sentAt = context.client.platformTime();
    return {
      begin: async () => {
        const mark = newMark(urn);
        began(mark.attempt);
        const entry = { kind: kind.name, ...mark, apiUrl: context.client.apiUrl, sentAt: sentAt.toISOString() };
        await journal.write(entry).catch((error: unknown) => {
          context.warn(
            `This attempt could not be noted on this machine, so that it may have to be adopted by hand if it is interrupted: ${messageOf(error)}`,
          );
        });
        return markText(mark);
      },
      locate: async (mark) => {
        const all = await kind.marked?.(context, parsed, new Date(sentAt.getTime() - clockSlack));
        const ours = all?.find((candidate) => candidate.mark === mark);
        const outputs = ours === undefined ? undefined : await kind.read(context, ours.found);
        return outputs === undefined ? undefined : { id: kind.id(outputs), outputs };
      },
      discard: async (text) => {
        const mark = parseMark(text);
        if (mark !== undefined) await journal.settle(mark.owner, mark.attempt);
      },
    };
  }

  /** A refusal because something of that name is there says how to take that over. */
  async explained(context: Context, parsed: Inputs, urn: string, error: unknown): Promise<never> {
    if (!RefusedError.isInstance(error) || error.status !== 409) throw error;
    const kind = this.#kind;
    const there = await kind.find(context, parsed, undefined).catch(() => undefined);
    if (there === undefined || this.#around.seen.has(urn, kind.id(there))) throw error;
    const marks = await kind.marked?.(context, parsed, undefined).catch(() => []);
    const mark = parseMark(marks?.find(({ found }) => kind.id(found) === kind.id(there))?.mark);
    if (mark?.owner === ownerOf(urn)) throw new PlatformError("invalid", this.#strangerText(there), error);
    throw new PlatformError(
      "invalid",
      `There is a ${kind.noun} of that name already: ${kind.id(there)}. To take it over, declare ${this.#adoptLine(there)}. (${error.message})`,
      error,
    );
  }

  #strangerText(found: Partial<Outputs>): string {
    return `The ${this.#kind.noun} ${this.#kind.id(found)} was made for this very resource, but by a run of which nothing is known here (it was interrupted, or ran on another machine). To take it over, declare ${this.#adoptLine(found)}; to leave it alone, give the resource another logical name. If this run was told to replace it (\`--replace\`), destroy it first with \`pulumi destroy --target\`.`;
  }

  #adoptLine(found: Partial<Outputs>): string {
    return `adopt: ${JSON.stringify(this.#kind.id(found).split("/").at(-1))}`;
  }

  /** A replacement is made before the old object is deleted, and would adopt the very object that then goes. */
  assertReplaceable(inputs: Values, outputs: Partial<Outputs>): void {
    const adopt = inputs["adopt"];
    if (typeof adopt !== "string" || !this.#isNamed(outputs, adopt)) return;
    throw new PlatformError("invalid", this.#adoptsItself(adopt), undefined);
  }

  #isNamed(found: Partial<Outputs>, name: string): boolean {
    const id = this.#kind.id(found);
    return id === name || id.endsWith(`/${name}`);
  }

  #adoptsItself(name: string): string {
    return `This change replaces the ${this.#kind.noun} ${name}, which the program also says to adopt: the replacement would take over the very object that is then deleted. Remove \`adopt\` to let a new one be made.`;
  }
}

/** What the platform says, where that is one plain value. What the program says may be secret. */
function there(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? ` (it is ${JSON.stringify(value)} there)`
    : "";
}
