import assert from "node:assert/strict";

/** The annotations that a request declares, without the ownership tag, which has to be among them. */
export function withoutTag(annotations: Readonly<Record<string, string>>): Record<string, string> {
  const { "neon-pulumi": tag, ...others } = annotations;
  assert.match(tag ?? "", /^[0-9a-f]{24}\.[0-9a-f]{16}$/);
  return others;
}
