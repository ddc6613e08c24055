import { role as definition } from "../../../provider/resources/role";
import type { Sample } from "../sample";

const pathOf = ({ projectId, branchId, name }: Record<string, unknown>): string =>
  `/projects/${String(projectId)}/branches/${String(branchId)}/roles/${encodeURIComponent(String(name))}`;

/** A role that can log in, under a name that has to be encoded wherever it is an address. */
export const role: Sample = {
  kind: "Role",
  definition,
  declare: async (stage) => {
    const { id, branchId } = await stage.project();
    return { projectId: id, branchId, name: stage.name("100% app/é") };
  },
  inPlace: () => {
    const reset = { method: "POST", path: /\/roles\/100%25%20app%2F%C3%A9-\d+\/reset_password$/ } as const;
    return [
      { input: "passwordTrigger", to: "spring", sends: [reset] },
      { input: "passwordTrigger", to: "summer", sends: [reset] },
    ];
  },
  replaces: async ({ projectId, name }, stage) => {
    const { id } = await stage.project();
    const branch = await stage.branch(String(projectId));
    return [
      { input: "projectId", to: id, deletesFirst: false },
      { input: "branchId", to: branch.id, deletesFirst: false },
      { input: "name", to: `${String(name)}-renamed`, deletesFirst: false },
      { input: "noLogin", to: true, deletesFirst: true },
    ];
  },
  remove: async (stage, outputs) => {
    await stage.platform.call("DELETE", pathOf(outputs));
    await stage.settled(String(outputs["projectId"]));
  },
  exists: async (stage, outputs) => (await stage.platform.call("GET", pathOf(outputs))).status === 200,
  adopt: ({ name }) => String(name),
};
