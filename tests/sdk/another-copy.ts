import { dirname } from "node:path";

/** Loads a package again, as if another part of the program had a copy of its own. */
export function anotherCopy(entry: string, folders: readonly string[] = [dirname(entry)]): unknown {
  const isPart = (path: string): boolean => folders.some((folder) => path.startsWith(`${folder}/`));
  const loaded = Object.entries(require.cache).filter(([path]) => isPart(path));
  for (const [path] of loaded) Reflect.deleteProperty(require.cache, path);
  try {
    // oxlint-disable-next-line typescript/no-require-imports -- `import` does not use this cache
    return require(entry) as unknown;
  } finally {
    Object.assign(require.cache, Object.fromEntries(loaded));
  }
}
