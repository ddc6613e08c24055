import { factOf, messageOf, PlatformError, RefusedError } from "../api/errors";
import { ruleFor } from "./check";
import { differences, uniqueInputs } from "./compare";
import { users } from "../api/schemas/user";
import { AlreadyThereError, secondSlack, type Attempts, type Context } from "./context";
import { segmentsOf } from "./id";
import { isForgotten, type JournalEntry } from "./journal";
import { projectOf, type Changes, type Found, type Kind, type Values } from "./kind";
import { markText, newMark, ownerOf, parseMark } from "./mark";
import type { Surroundings } from "./surroundings";
import { atPath } from "./values";

/** How far the platform's clock may be off what its last answer told, in milliseconds: the mark decides, not the time. */
const clockSlack = 600_000;

/** What an attempt that nobody recorded has made. */
interface Made<Outputs> {
  readonly entry: JournalEntry;
  readonly found: Partial<Outputs>;
}

/** The same, taken over. */
export interface Lost<Outputs> {
  readonly base: Found<Outputs>;
  readonly attempt: string;
  /** Whether no operation has ended badly since that attempt was sent. */
  readonly endedWell: boolean;
}

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
    const outputs = address === undefined ? undefined : await kind.read(context, address);
    const isOwn = outputs !== undefined && this.#around.seen.has(urn, kind.id(outputs));
    if (outputs !== undefined && !isOwn) return this.#takenOver(inputs, outputs, false);
    if (wanted === undefined) return undefined;
    if (isOwn) throw new PlatformError("invalid", this.#adoptsItself(wanted), undefined);
    throw new PlatformError(
      "invalid",
      `There is no ${kind.noun} "${wanted}" to adopt, or this API key does not see it: correct \`adopt\`, or use a key that sees it.`,
      undefined,
    );
  }

  /** @param ours whether this resource has made it: then what cannot be read back is as it was declared */
  #takenOver(inputs: Values, outputs: Outputs, ours: boolean): Found<Outputs> {
    const kind = this.#kind;
    const wrong = differences(kind, outputs as Values, [], inputs).filter((path) => {
      const rule = ruleFor(kind.rules, path);
      const isTold = atPath(outputs, path) !== undefined || rule.absent === "none";
      return (!ours && rule.unreadable === true) || (rule.replaces === true && isTold);
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
  async lost(context: Context, inputs: Values, parsed: Inputs, urn: string): Promise<Lost<Outputs> | undefined> {
    const kind = this.#kind;
    const attempts = await this.#attempts(context, urn);
    const { made, stranger } =
      kind.marked === undefined
        ? { made: await this.#unmarked(context, parsed, attempts), stranger: undefined }
        : await this.#marked(context, parsed, urn, attempts);
    if (made !== undefined) {
      const { attempt } = made.entry;
      const endedWell = await context.goOn(projectOf(kind, made.found), sinceOf(made.entry));
      const outputs = await kind.read(context, made.found);
      if (outputs !== undefined) {
        const base = this.#takenOver(inputs, outputs, true);
        context.warn(`An earlier run, which was interrupted, has made the ${kind.noun} ${base.id}: it is taken over.`);
        return { base, attempt, endedWell };
      }
    }
    // What the engine replaces without telling anything of it cannot be told from a stranger.
    if (stranger === undefined || this.#around.seen.isUnnamed(urn)) return undefined;
    throw new PlatformError("invalid", this.#strangerText(stranger), undefined);
  }

  /** The attempts of this resource that nobody has recorded, without those that are too old by the platform's clock. */
  async #attempts(context: Context, urn: string): Promise<readonly JournalEntry[]> {
    const { client } = context;
    const { journal } = this.#around;
    const all = await journal.attempts(ownerOf(urn), client.apiUrl);
    // This machine's clock may have been set since: it only tells whether it is worth asking.
    if (!all.some((one) => isForgotten(one, client.clock.date()))) return all;
    await learnTime(context);
    const forgotten = all.filter((one) => isForgotten(one, client.platformTime()));
    for (const { owner, attempt } of forgotten) await journal.settle(owner, attempt);
    return all.filter((one) => !forgotten.includes(one));
  }

  /** What attempts that nobody recorded have made, told by its mark, and what other runs have made for this resource. */
  async #marked(
    context: Context,
    parsed: Inputs,
    urn: string,
    attempts: readonly JournalEntry[],
  ): Promise<{ readonly made?: Made<Outputs> | undefined; readonly stranger?: Partial<Outputs> | undefined }> {
    const kind = this.#kind;
    const [first] = attempts;
    if (first === undefined && uniqueInputs(kind, parsed as Values).length > 0) return {};
    const since = first && new Date(sinceOf(first).getTime() - clockSlack);
    const { seen } = this.#around;
    const candidates = ((await kind.marked?.(context, parsed, since)) ?? []).flatMap(({ mark, found, createdAt }) => {
      const parts = parseMark(mark);
      const ours = parts?.owner === ownerOf(urn) && !seen.has(urn, kind.id(found));
      return ours ? [{ entry: attempts.find(({ attempt }) => attempt === parts.attempt), found, createdAt }] : [];
    });
    const made = candidates.find(
      (candidate): candidate is typeof candidate & Made<Outputs> => candidate.entry !== undefined,
    );
    // What is older than the object to be replaced was replaced by it, and is about to be deleted.
    const stranger = candidates.find((candidate) => candidate !== made && seen.isLater(urn, candidate.createdAt));
    return { made, stranger: stranger?.found };
  }

  /** What attempts that nobody recorded have made, told by its natural key and by when it appeared. */
  async #unmarked(
    context: Context,
    parsed: Inputs,
    attempts: readonly JournalEntry[],
  ): Promise<Made<Outputs> | undefined> {
    const kind = this.#kind;
    const [first, ...others] = attempts;
    if (first === undefined) return undefined;
    const all = await this.#appeared(context, parsed, sinceOf(first), kind.secretOnce ? attempts.length : 1);
    if (kind.secretOnce === true) for (const found of all) await this.#removeUseless(context, found);
    const [found] = kind.secretOnce === true ? [] : all;
    // Whatever they have made is known now: only the one that goes into the state stays noted.
    for (const { owner, attempt } of found === undefined ? attempts : others) {
      await this.#around.journal.settle(owner, attempt);
    }
    return found && { entry: first, found };
  }

  /**
   * Objects of the natural key of these inputs that appeared since then and are no resource's that is known here.
   *
   * @param most how many can be ours: where there are more, nobody can tell which
   */
  async #appeared(context: Context, parsed: Inputs, since: Date, most: number): Promise<readonly Partial<Outputs>[]> {
    const kind = this.#kind;
    const all = (await kind.appeared?.(context, parsed, new Date(since.getTime() - secondSlack))) ?? [];
    const free = all.filter(
      (found) => this.#around.seen.holderOf({ kind: kind.name, id: kind.id(found) }) === undefined,
    );
    const [first] = free;
    if (first === undefined || free.length <= most) return free;
    const list = free.map((one) => kind.id(one)).join(", ");
    const advice =
      kind.secretOnce === true
        ? "Declare another name; delete those that nobody needs."
        : `Declare ${this.#adoptLine(first)} to take over the first, or name another one there; delete those that nobody needs.`;
    throw new PlatformError(
      "invalid",
      `Runs that were interrupted may have made each of these: ${list}. ${advice}`,
      undefined,
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
    let sentAt = context.client.moment();
    return {
      begin: async () => {
        const { client } = context;
        // Only the time tells an object without a mark from one that was there before: it has to be the platform's.
        if (kind.marked === undefined) await learnTime(context);
        sentAt = client.moment();
        const mark = newMark(urn);
        began(mark.attempt);
        const entry = {
          kind: kind.name,
          ...mark,
          apiUrl: client.apiUrl,
          ...(client.knowsPlatformTime ? { sentAt: sentAt().toISOString() } : {}),
        };
        await journal.write(entry).catch((error: unknown) => {
          context.warn(
            `This attempt could not be noted on this machine, so that it may have to be adopted by hand if it is interrupted: ${messageOf(error)}`,
          );
        });
        return markText(mark);
      },
      locate: async (mark) => {
        await learnTime(context);
        const since = new Date(sentAt().getTime() - clockSlack);
        const marked = await kind.marked?.(context, parsed, since);
        const ours =
          marked === undefined
            ? (await this.#appeared(context, parsed, sentAt(), 1))[0]
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
    const isNamed = uniqueInputs(kind, parsed as Values).includes(kind.defaultName ?? "name");
    const like = isNamed ? `a ${kind.noun} of that name` : `such a ${kind.noun}`;
    throw new PlatformError("invalid", `There is ${like} already: ${kind.id(there)} (${factOf(error)})`, error, {
      mend: `To take it over, declare ${this.#adoptLine(there)}.`,
    });
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

  /** What another resource manages already cannot become a part of this one. */
  assertPartsFree(outputs: Outputs, declared: Changes, urn: string): void {
    const kind = this.#kind;
    for (const part of kind.parts?.(outputs, declared) ?? []) {
      const holder = this.#around.seen.holderOf(part);
      if (holder === undefined || holder === urn) continue;
      throw new PlatformError(
        "invalid",
        `This ${kind.noun} declares as its part what ${titleOf(holder)} manages already (${part.id}). Declare it in one of the two places only.`,
        undefined,
      );
    }
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
    return id === name || segmentsOf(id).at(-1) === name;
  }

  #adoptsItself(name: string): string {
    return `This change replaces the ${this.#kind.noun} ${name}, which the program also says to adopt: the replacement would take over the very object that is then deleted. Remove \`adopt\` to let a new one be made.`;
  }
}

/** Since when, by the platform's clock, an attempt can have made something: where that is not known, since ever. */
function sinceOf({ sentAt }: JournalEntry): Date {
  return new Date(sentAt ?? 0);
}

/** Has the platform tell its time, which it does with any answer: with a refusal as well. */
async function learnTime(context: Context): Promise<void> {
  const { client } = context;
  if (client.knowsPlatformTime) return;
  await context.read(users.me()).catch((error: unknown) => {
    if (!client.knowsPlatformTime) throw error;
  });
}

/** A resource as a program's reader knows it, such as `Branch "pr-42"`. */
function titleOf(urn: string): string {
  const [type = "", ...name] = urn.split("::").slice(2);
  return `${type.slice(type.lastIndexOf(":") + 1)} "${name.join("::")}"`;
}

/** What the platform says, where that is one plain value. What the program says may be secret. */
function there(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? ` (it is ${JSON.stringify(value)} there)`
    : "";
}
