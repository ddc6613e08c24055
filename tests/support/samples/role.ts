import { role as definition } from "../../../provider/resources/role";
import type { Sample } from "../sample";
import { addressed, branchPath } from "./object";

/** A role that can log in, under a name that has to be encoded wherever it is an address. */
export const role: Sample = {
  kind: "Role",
  definition,
  secrets: ["password"],
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
    return {
      createsFirst: { projectId: id, branchId: branch.id, name: `${String(name)}-renamed` },
      deletesFirst: { noLogin: true },
    };
  },
  ...addressed((outputs) => `${branchPath(outputs)}/roles/${encodeURIComponent(String(outputs["name"]))}`),
  adopt: ({ name }) => String(name),
};
