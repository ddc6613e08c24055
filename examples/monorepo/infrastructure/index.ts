import { ServiceDatabase } from "service-database";
import * as neon from "neon-pulumi";

const project = new neon.Project("shop", { regionId: "aws-eu-central-1" });
const at = { projectId: project.id, branchId: project.defaultBranchId };

export const ordersUrl = new ServiceDatabase("orders", at).url;
export const usersUrl = new ServiceDatabase("users", at).url;
