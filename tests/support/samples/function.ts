import { answering, deployed } from "../../platform/support/function";
import { codeOf } from "../contents";
import { inProject } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { Values } from "../provider-server";
import type { ExpectedRequest, KindSample } from "../sample";
import type { Stage } from "../stage";
import { branchPath, elsewhere, exactly, newBranch, posting } from "./object";

const hello = codeOf("export default { fetch: () => new Response('Hello') };");
const bye = codeOf("export default { fetch: () => new Response('Bye') };");
const path = /\/functions\/api\d+\/deployments$/;
const deploying = (body: unknown): ExpectedRequest[] => [{ method: "POST", path, body }];

/** A slug that is unique on a stage. */
function slugOn(stage: Stage): string {
  return stage.name("api").replace("-", "");
}

/** A function with code and a variable. */
export const branchFunction: KindSample = {
  kind: "Function",
  creates: (declared) => {
    const path = `${branchPath(declared)}/functions/${String(declared["slug"])}`;
    return [
      posting(`${path}/deployments`, { zip: "[170 bytes]", environment: "[secret]" }),
      { method: "PATCH", path: exactly(path), body: { name: "The API" } },
    ];
  },
  declare: async (stage) => ({
    ...(await newBranch(stage)),
    slug: slugOn(stage),
    code: hello,
    environment: { LOG_LEVEL: "info" },
  }),
  inPlace: () => [
    {
      input: "name",
      to: "The API",
      sends: [{ method: "PATCH", path: /\/functions\/api\d+$/, body: { name: "The API" } }],
    },
    { input: "code", to: bye, sends: deploying({ zip: "[170 bytes]" }) },
    { input: "environment", to: { TOKEN: "secret-token" }, sends: deploying({ environment: "[secret]" }) },
  ],
  replaces: async ({ projectId, slug }, stage) => ({
    createsFirst: { ...(await elsewhere(stage, projectId)), slug: `${String(slug)}x` },
  }),
  excused: { runtime: "only one is published" },
  sentOnAdoption: deploying({ zip: "[170 bytes]", environment: "[secret]" }),
  inputOf: { zip: "code" },
  movedOnAdoption: ["deploymentId"],
  readAt: { path: /\/functions\/[a-z0-9]+$/ },
  invalid: [
    { ...inProject, branchId: "br-1", code: hello },
    [
      [{ slug: "" }, "slug", /at least 1 character/],
      [{ name: "x".repeat(257) }, "name", /at most 256/],
      [{ name: " " }, "name", /^must not be blank$/],
      [{ code: "./dist" }, "code", /^must be an archive/],
      [{ code: codeOf("")["assets"] }, "code", /^must be an archive/],
      [{ environment: { A: "" } }, "environment.A", /^must not be empty/],
      ...["1ST", "MY-KEY", "a b"].map(
        (name) => [{ environment: { [name]: "1" } }, `environment.${name}`, /^must have a name of letters/] as const,
      ),
      [
        { environment: { A: "x".repeat(65_536) } },
        "environment",
        "must have at most 64 KiB of names and values in total",
      ],
      [{ source: "./dist" }, "source", /^there is no such property here: it is `code`$/],
      [{ triggers: [] }, "triggers", /: declare a `Trigger` for each$/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/branches/:branchId/functions/:slug",
    isNamed: false,
    another: (declared, stage) => ({ ...declared, slug: slugOn(stage) }),
  },
  secrets: ["environment"],
};

/** Deploys a function to a branch. */
export async function deployAt(stage: Stage, branch: Values, slug: string): Promise<void> {
  await deployed(stage.platform, `${branchPath(branch)}/functions/${slug}`, { files: answering(slug) });
}

/** Deploys the functions that triggers and domains name to a branch. */
export async function prepareFunctions(stage: Stage, branch: Values): Promise<void> {
  for (const slug of ["api", "web"]) await deployAt(stage, branch, slug);
}

/** A branch with these functions. */
export async function branchWithFunctions(stage: Stage): ReturnType<typeof newBranch> {
  const branch = await newBranch(stage);
  await prepareFunctions(stage, branch);
  return branch;
}
