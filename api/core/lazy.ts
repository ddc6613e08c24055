/**
 * Builds a value when it is first used. For schemas: a process uses few of them, and building all takes longer than loading
 * their modules.
 */
export function lazy<Value>(build: () => Value): () => Value {
  let built: { readonly value: Value } | undefined;
  return () => (built ??= { value: build() }).value;
}
