import { asSentence } from "../../api/core/errors";
import type { Call } from "../call/call";
import type { AnyKind } from "../kind/kind";
import { atPath, unknownValue, type Values } from "../values";
import type { State } from "./state";

/**
 * The warning of a replacement in a preview: why the object is replaced, and what happens to the old one.
 *
 * @param paths the paths of the inputs that replace it; empty if its creation failed
 * @param deletesFirst whether the old object is deleted before the new one is created
 */
export function replaceWarning(
  kind: AnyKind,
  paths: readonly string[],
  { outputs, hidden }: State,
  inputs: Values,
  call: Call,
  deletesFirst: boolean,
): string {
  const { noun } = kind;
  if (paths.length === 0) {
    return `This ${noun} is replaced because its creation failed and it never became usable. ${asSentence(hidden.pending?.reason ?? "")}`;
  }
  // The engine shows the values, because it knows which are secret.
  const names = paths.map((path) =>
    atPath(inputs, path) === unknownValue ? `\`${path}\` (its new value is not known yet)` : `\`${path}\``,
  );
  return [`Changing ${joinedNames(names)} replaces this ${noun}.`, ...fateOf(kind, outputs, call, deletesFirst)].join(
    " ",
  );
}

/** The fate of the old object, which depends on the options in the state. */
function* fateOf(
  { noun, replacement }: AnyKind,
  outputs: Values,
  { isRetained, replaced }: Call,
  deletesFirst: boolean,
): Generator<string> {
  const { loss = `The old ${noun} is deleted.` } = replacement ?? {};
  if (replaced.isRetained === true) {
    yield `The old ${noun} is kept (\`retainOnDelete\`), and nothing manages it any more.`;
    if (isRetained) return;
    yield "The program no longer sets that option, but Pulumi goes by the one in the state.";
    yield `To delete the old ${noun}, take this change back, run \`pulumi up\` without the option, and make the change then.`;
    return;
  }
  yield typeof loss === "function" ? loss(outputs) : loss;
  if (deletesFirst && replacement?.deletedFirst !== undefined) yield replacement.deletedFirst;
  if (isRetained) {
    yield `\`retainOnDelete\` keeps the old ${noun} only if an earlier \`pulumi up\` set it.`;
    yield "To be sure, take this change back, run `pulumi up` with the option, and make the change then.";
  } else if (replaced.isRetained === undefined) {
    yield `\`retainOnDelete\` and \`protect\` keep the old ${noun} only if an earlier \`pulumi up\` set them.`;
  } else if (replaced.isProtected === true) {
    yield `\`protect\` keeps the old ${noun} only if an earlier \`pulumi up\` set it.`;
  }
}

function joinedNames(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
