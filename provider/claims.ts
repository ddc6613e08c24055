import { messageOf, PlatformError, RefusedError } from "../api/errors";
import { ruleFor } from "./check";
import { differences } from "./compare";
import { users } from "../api/schemas/user";
import { AlreadyThereError, type Attempts, type Context } from "./context";
import { segmentsOf } from "./id";
import type { Found, Kind, Values } from "./kind";
import { markText, newMark, ownerOf, parseMark } from "./mark";
import type { Surroundings } from "./surroundings";
import { atPath } from "./values";

/** The platform's clock is known to the second only. */
const secondSlack = 2_000;

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
    if (address !== undefined) this.#assertNoPart(address, urn);
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
    const { made, stranger } = await this.#unrecorded(context, parsed, urn);
    if (made !== undefined) {
      if (kind.secretOnce === true) {
        await this.#removeUseless(context, made.found);
        return undefined;
      }
      await context.settle(kind.project(made.found) ?? kind.id(made.found));
      const outputs = await kind.read(context, made.found);
      if (outputs !== undefined) {
        const base = this.#takenOver(inputs, outputs, true);
        context.warn(`An earlier run, which was interrupted, has made the ${kind.noun} ${base.id}: it is taken over.`);
        return { base, attempt: made.attempt };
      }
    }
    if (stranger === undefined || this.#around.seen.isReplacement(urn)) return undefined;
    throw new PlatformError("invalid", this.#strangerText(stranger), undefined);
  }

  /** What attempts of this resource have made that is in no state, and what other runs have made for it. */
  async #unrecorded(
    context: Context,
    parsed: Inputs,
    urn: string,
  ): Promise<{
    readonly made?: { readonly attempt: string; readonly found: Partial<Outputs> };
    readonly stranger?: Partial<Outputs>;
  }> {
    const kind = this.#kind;
    const { journal, seen } = this.#around;
    const owner = ownerOf(urn);
    const attempts = await journal.attempts(owner, context.client.apiUrl);
    const first = attempts[0];
    if (kind.marked === undefined) {
      if (first === undefined || kind.appeared === undefined) return {};
      const [found] = await this.#appeared(context, parsed, new Date(first.sentAt));
      // Whatever they have made is known now: only the one that goes into the state stays noted.
      const answered = found === undefined || kind.secretOnce === true ? attempts : attempts.slice(1);
      for (const { attempt } of answered) await journal.settle(owner, attempt);
      return found === undefined ? {} : { made: { attempt: first.attempt, found } };
    }
    if (first === undefined && kind.uniqueBy.length > 0) return {};
    const since = first && new Date(Date.parse(first.sentAt) - clockSlack);
    const candidates = (await kind.marked(context, parsed, since)).flatMap(({ mark, found }) => {
      const parts = parseMark(mark);
      const ours = parts?.owner === owner && !seen.has(urn, kind.id(found));
      return ours ? [{ attempt: parts.attempt, found }] : [];
    });
    const made = candidates.find(({ attempt }) => attempts.some((entry) => entry.attempt === attempt));
    const stranger = candidates.find((candidate) => candidate !== made)?.found;
    return { ...(made && { made }), ...(stranger && { stranger }) };
  }

  /** Objects of the natural key of these inputs that appeared since then and are no resource's that is known here. */
  async #appeared(context: Context, parsed: Inputs, since: Date): Promise<readonly Partial<Outputs>[]> {
    const kind = this.#kind;
    const all = await kind.appeared?.(context, parsed, new Date(since.getTime() - secondSlack));
    return (all ?? []).filter(
      (found) => this.#around.seen.holderOf({ kind: kind.name, id: kind.id(found) }) === undefined,
    );
  }

  async #removeUseless(context: Context, found: Partial<Outputs>): Promise<void> {
    const kind = this.#kind;
    await kind.remove(context, found as Outputs);
    context.warn(
      `An attempt whose answer was lost has made the ${kind.noun} ${kind.id(found)}. Its secret cannot be had any more, so it was removed, and another one is made.`,
    );
  }

  /** How a new attempt is written down and found again. */
  attempts(context: Context, parsed: Inputs, urn: string, began: (attempt: string) => void): Attempts<Outputs> {
    const { journal } = this.#around;
    const kind = this.#kind;
    let sentAt = context.client.platformTime();
    return {
      begin: async () => {
        // Only the time tells an object without a mark from one that was there before: it has to be the platform's.
        const { client } = context;
        if (kind.marked === undefined && !client.knowsPlatformTime) {
          // A refusal tells the time as well.
          await context.read(users.me()).catch((error: unknown) => {
            if (!client.knowsPlatformTime) throw error;
          });
        }
        sentAt = context.client.platformTime();
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
        const since = new Date(sentAt.getTime() - clockSlack);
        const marked = await kind.marked?.(context, parsed, since);
        const ours =
          marked === undefined
            ? (await this.#appeared(context, parsed, sentAt))[0]
            : marked.find((candidate) => candidate.mark === mark)?.found;
        const outputs = ours === undefined ? undefined : await kind.read(context, ours);
        return outputs === undefined ? undefined : { id: kind.id(outputs), outputs };
      },
      ...(kind.secretOnce === true
        ? { removeUseless: ({ outputs }: Found<Outputs>) => this.#removeUseless(context, outputs) }
        : {}),
      discard: async (text) => {
        const mark = parseMark(text);
        if (mark !== undefined) await journal.settle(mark.owner, mark.attempt);
      },
    };
  }

  /** A refusal because something of that name is there says how to take that over. */
  async explained(context: Context, parsed: Inputs, urn: string, error: unknown): Promise<never> {
    const isThere = error instanceof AlreadyThereError || (RefusedError.isInstance(error) && error.status === 409);
    if (!isThere) throw error;
    const kind = this.#kind;
    const there = await kind.find(context, parsed, undefined).catch(() => undefined);
    if (there === undefined || this.#around.seen.has(urn, kind.id(there))) throw error;
    this.#assertNoPart(there, urn);
    const marks = await kind.marked?.(context, parsed, undefined).catch(() => []);
    const mark = parseMark(marks?.find(({ found }) => kind.id(found) === kind.id(there))?.mark);
    if (mark?.owner === ownerOf(urn)) throw new PlatformError("invalid", this.#strangerText(there), error);
    throw new PlatformError(
      "invalid",
      `There is a ${kind.noun} of that name already: ${kind.id(there)}. To take it over, declare ${this.#adoptLine(there)}. (${messageOf(error)})`,
      error,
    );
  }

  #strangerText(found: Partial<Outputs>): string {
    return `The ${this.#kind.noun} ${this.#kind.id(found)} was made for this very resource, but by a run of which nothing is known here (it was interrupted, or ran on another machine). To take it over, declare ${this.#adoptLine(found)}; to leave it alone, give the resource another logical name. If this run was told to replace it (\`--replace\`), destroy it first with \`pulumi destroy --target\`.`;
  }

  #adoptLine(found: Partial<Outputs>): string {
    const id = this.#kind.id(found);
    const last = segmentsOf(id).at(-1) ?? id;
    // The last segment alone is what people know, unless it is written otherwise in the id.
    return `adopt: ${JSON.stringify(id.endsWith(last) ? last : id)}`;
  }

  /** A part of another resource is that one's to change. */
  #assertNoPart(found: Partial<Outputs>, urn: string): void {
    const kind = this.#kind;
    const id = kind.id(found);
    const owner = this.#around.seen.ownerOf({ kind: kind.name, id });
    if (owner === undefined || owner === urn) return;
    throw new PlatformError(
      "invalid",
      `The ${kind.noun} ${id} is declared as a part of ${titleOf(owner)}: change it there.`,
      undefined,
    );
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

/** A resource as a program's reader knows it, such as `Branch "pr-42"`. */
function titleOf(urn: string): string {
  const [type = "", name = ""] = urn.split("::").slice(-2);
  return `${type.slice(type.lastIndexOf(":") + 1)} "${name}"`;
}

/** What the platform says, where that is one plain value. What the program says may be secret. */
function there(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? ` (it is ${JSON.stringify(value)} there)`
    : "";
}
