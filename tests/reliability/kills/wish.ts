/**
 * The parts of the program that can be changed, each with how it is changed: a number of its own, which stands in the
 * program.
 */
export const parts = [
  "size",
  "name",
  "compute",
  "restore",
  "password",
  "database",
  "snapshot",
  "reader",
  "key",
  "branch",
  "project",
] as const;
export type Part = (typeof parts)[number];

/** How often each part was changed so far. */
export type Wish = Readonly<Record<Part, number>>;

/** The file next to the program to which it writes its secrets. */
export const secretsFile = "secrets.json";

export const firstWish: Wish = Object.fromEntries(parts.map((part) => [part, 0])) as Record<Part, number>;

/** The parts whose change creates new objects. */
export const replacing = ["key", "branch", "project"] as const;

export function isReplacing(part: Part): boolean {
  return (replacing as readonly Part[]).includes(part);
}

/** The same with these parts changed once more. */
export function changed(wish: Wish, those: readonly Part[]): Wish {
  return { ...wish, ...Object.fromEntries(those.map((part) => [part, wish[part] + 1])) };
}

/** Whether a change overwrites the branch: a replaced branch is not overwritten. */
export function restores(from: Wish, to: Wish): boolean {
  return from.restore !== to.restore && from.branch === to.branch && from.project === to.project;
}

/** The program. `adopt` contains the lines to add, by logical name. */
export function programOf(wish: Wish, adopt: ReadonlyMap<string, string> = new Map()): string {
  const take = (name: string): string => adopt.get(name) ?? "";
  const isOdd = (part: Part): boolean => wish[part] % 2 === 1;
  const largest = isOdd("size") ? 2 : 1;
  const trigger = isOdd("restore")
    ? `restore: { trigger: "${wish.restore}", sourceBranchId: project.defaultBranchId }`
    : `resetTrigger: "${wish.restore}"`;
  return `
    const project = new neon.Project("shop", {
      regionId: "${isOdd("project") ? "aws-eu-west-2" : "aws-eu-central-1"}",
      historyRetentionSeconds: ${3600 * largest},
      ${take("shop")}
    });
    new neon.Branch("pr", {
      projectId: project.id,
      name: "pr-${wish.name}",
      annotations: { made: "${wish.branch}" },
      ${isOdd("compute") ? "" : `compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: ${largest} },`}
      ${trigger},
      ${take("pr")}
    });
    const home = { projectId: project.id, branchId: project.defaultBranchId };
    const role = new neon.Role("app", { ...home, passwordTrigger: "${wish.password}", ${take("app")} });
    new neon.Database("data", { ...home, name: "data-${wish.database}", ownerName: role.name, ${take("data")} });
    new neon.Endpoint("reader", {
      ...home, type: "read_only", name: "reader", restartTrigger: "${wish.reader}",
      autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: ${isOdd("reader") ? 2 : 1}, ${take("reader")}
    });
    new neon.Snapshot("kept", { ...home, name: "kept-${wish.snapshot}", ${take("kept")} });
    const key = new neon.ApiKey("ci", { rotateTrigger: "${wish.key}", ${take("ci")} });
    const told = pulumi.all([role.password, key.key]);
    told.apply(([password, key]) => require("fs").writeFileSync("${secretsFile}", JSON.stringify({ password, key })));
  `;
}
