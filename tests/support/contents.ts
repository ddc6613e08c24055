import type { Values } from "./provider-server";

/** The member by which the engine tells files and archives from other objects. */
const signature = "4dabf18193072939515e22adb298388d";
const signatures = { asset: "c44067f5952c0a294b673a41bacd8c17", archive: "0def7320c3a5731c473e5ecbe6d01bc7" } as const;

/** A file or archive in the engine's form. The engine's hash covers more than the provider compares. */
function content(type: keyof typeof signatures, source: Values): Values {
  return { [signature]: signatures[type], hash: `of the engine: ${JSON.stringify(source)}`, ...source };
}

/** A folder, or an archive in a file. */
export const fileArchive = (path: string): Values => content("archive", { path });
export const assetArchive = (assets: Values): Values => content("archive", { assets });
export const fileAsset = (path: string): Values => content("asset", { path });
export const stringAsset = (text: string): Values => content("asset", { text });
export const remoteAsset = (uri: string): Values => content("asset", { uri });

/** The code of a function, in one file. */
export const codeOf = (text: string): Values => assetArchive({ "index.mjs": stringAsset(text) });

/** A value in a YAML program, in which functions create files and archives. */
export function inYaml(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !(signature in value)) return value;
  const { text, assets } = value as Values;
  return text === undefined ? { "fn::assetArchive": assets } : { "fn::stringAsset": text };
}

/** Values without the hashes of files and archives, because `check` replaces these. */
export function withoutHashes<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutHashes) as Value;
  if (typeof value !== "object" || value === null) return value;
  const isContent = Object.values(signatures).some((one) => one === (value as Values)[signature]);
  const members = Object.entries(value).filter(([name]) => !isContent || name !== "hash");
  return Object.fromEntries(members.map(([name, member]) => [name, withoutHashes(member)])) as Value;
}

/** Values as the engine passes them to calls that do not read files: files and archives have only their hashes. */
export function withoutContents<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutContents) as Value;
  if (typeof value !== "object" || value === null) return value;
  const { [signature]: is, hash } = value as Values;
  if (Object.values(signatures).some((one) => one === is)) return { [signature]: is, hash } as Value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutContents(member)])) as Value;
}
