import { answering, deployed } from "../../platform/support/function";
import { codeOf } from "../contents";
import { inProject } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { Values } from "../provider-server";
import type { KindSample } from "../sample";
import type { Stage } from "../stage";
import { addressed, branchPath, exactly, posting } from "./object";

const hello = codeOf("export default { fetch: () => new Response('Hello') };");
const bye = codeOf("export default { fetch: () => new Response('Bye') };");
const deployments = /\/functions\/api\d+\/deployments$/;

/** A slug that is unique on a stage. */
function slugOn(stage: Stage): string {
  return stage.name("api").replace("-", "");
}

/** The path of a function. */
function pathOf(outputs: Values): string {
  return `${branchPath(outputs)}/functions/${String(outputs["slug"])}`;
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
  declare: async (stage) => {
    const { id, branchId } = await stage.project();
    return { projectId: id, branchId, slug: slugOn(stage), code: hello, environment: { LOG_LEVEL: "info" } };
  },
  inPlace: () => [
    {
      input: "name",
      to: "The API",
      sends: [{ method: "PATCH", path: /\/functions\/api\d+$/, body: { name: "The API" } }],
    },
    { input: "code", to: bye, sends: [{ method: "POST", path: deployments, body: { zip: "[170 bytes]" } }] },
    {
      input: "environment",
      to: { TOKEN: "secret-token" },
      sends: [
        {
          method: "POST",
          path: deployments,
          body: { environment: "[secret]" },
        },
      ],
    },
  ],
  replaces: async ({ projectId, slug }, stage) => {
    const { id } = await stage.project();
    const branch = await stage.branch(String(projectId));
    return { createsFirst: { projectId: id, branchId: branch.id, slug: `${String(slug)}x` } };
  },
  excused: { runtime: "only one is published" },
  ...addressed(pathOf),
  adopt: ({ slug }) => String(slug),
  sentOnAdoption: [
    {
      method: "POST",
      path: deployments,
      body: { zip: "[170 bytes]", environment: "[secret]" },
    },
  ],
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
export async function branchWithFunctions(
  stage: Stage,
): Promise<{ readonly projectId: string; readonly branchId: string }> {
  const { id: projectId, branchId } = await stage.project();
  await prepareFunctions(stage, { projectId, branchId });
  return { projectId, branchId };
}
