/** The programs that install packages, with the layouts that make a difference. */
export type Installer = "npm" | "npm, nested" | "pnpm" | "yarn, node_modules" | "yarn, PnP";
/** What loads the program. */
export type Loader = "JavaScript" | "Pulumi's ts-node" | "ts-node" | "tsx" | "Node's type stripping" | TestFramework;
/** What loads a test of the program, with modules of its own. */
export type TestFramework = "Jest 29" | "Jest 30" | "vitest, vmThreads";
/** Major versions of Node. */
export type NodeVersion = "20" | "22" | "24";

/** One way to install the package and run a program with it. */
export interface Case {
  readonly installer: Installer;
  readonly node: NodeVersion;
  readonly loader: Loader;
  readonly modules: "CommonJS" | "ESM";
  /** Version of the compiler that checks the program's types, with `skipLibCheck: false`, and that `ts-node` uses. */
  readonly typescript: "5.9" | "6.0";
}

const plain: Case = {
  installer: "npm",
  node: "20",
  loader: "Pulumi's ts-node",
  modules: "CommonJS",
  typescript: "5.9",
};

/** The case of `npm test`: it has what is most likely to break. */
export const shortCase: Case = { ...plain, installer: "pnpm", loader: "tsx", modules: "ESM", typescript: "6.0" };

const installers: readonly Installer[] = ["npm", "npm, nested", "pnpm", "yarn, node_modules", "yarn, PnP"];

/** All cases. They begin with those that vary one property, so that a failure names its cause. */
export const cases: readonly Case[] = [
  ...installers.map((installer) => ({ ...plain, installer })),
  { ...plain, typescript: "6.0" },
  { ...plain, loader: "tsx" },
  { ...plain, loader: "tsx", modules: "ESM" },
  { ...plain, loader: "ts-node", modules: "ESM" },
  { ...plain, node: "22" },
  { ...plain, node: "24" },
  { ...plain, node: "22", loader: "tsx", modules: "ESM", typescript: "6.0" },
  { ...plain, node: "24", loader: "Pulumi's ts-node", typescript: "6.0" },
  { ...plain, node: "24", loader: "JavaScript", modules: "ESM" },
  { ...plain, node: "24", loader: "Node's type stripping", modules: "ESM", typescript: "6.0" },
  { ...plain, installer: "pnpm", node: "24", loader: "tsx", modules: "ESM" },
  { ...plain, installer: "yarn, PnP", node: "22", loader: "JavaScript", modules: "ESM" },
  { ...plain, installer: "yarn, PnP", node: "24", loader: "JavaScript" },
  { ...plain, loader: "Jest 29" },
  { ...plain, loader: "Jest 30" },
  { ...plain, loader: "vitest, vmThreads" },
];

/** A case in one line. */
export function titleOf({ installer, node, loader, modules, typescript }: Case): string {
  return `${installer}, Node ${node}, ${loader}, ${modules}, TypeScript ${typescript}`;
}
