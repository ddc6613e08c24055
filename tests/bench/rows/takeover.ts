import type { LoggedRequest } from "../../../platform/http/request-log";
import { withPlatformProcess } from "../../support/platform-process";
import { branchesProgram, userStack, withStack } from "../cli";
import type { Row } from "../row";
import { shapes } from "./refresh";

/** The requests of the `up` that takes over all branches of a stack whose state is lost. */
async function takeover(count: number, projects: number, compute: string): Promise<readonly LoggedRequest[]> {
  return await withPlatformProcess(["--operation-time", "0"], async ({ platform }) => {
    return await withStack(await userStack(branchesProgram(count, projects, compute), platform), async (stack) => {
      await stack.up();
      await stack.command("state", "delete", "--all", "--force");
      stack.environment["NEON_ADOPT"] = "true";
      await platform.clearRequests();
      await stack.up();
      const requests = await platform.requests();
      const changes = requests.filter(({ method }) => method !== "GET");
      if (changes.length > 0) throw new Error(`the takeover sent ${changes.length} requests that change something`);
      return requests;
    });
  });
}

/** Requests that name one branch. */
function ofBranches(requests: readonly LoggedRequest[]): number {
  return requests.filter(({ path }) => /\/branches\/|branch_id=/.test(path)).length;
}

export const takeovers: Row = {
  name: "takeover",
  title: "Taking over what exists",
  compares: `\`NEON_ADOPT=true pulumi up\`, with its preview, of a stack whose state is lost: 604 branches without computes in four
projects, and 6 with them. All requests that arrive at the platform count. Those that name one branch grow with the program; the others are lists and
reads of projects. The projects have branches with computes of their own, whose roles, databases and URIs are read one by one.`,
  measuresTime: false,
  measure: async (run) => {
    const projects = run.size(4, 1);
    const plain = run.size(604, 3);
    const computed = run.size(6, 3);
    const ofPlain = await takeover(plain, projects, "");
    const ofComputed = await takeover(computed, projects, "compute: {}");
    return {
      figures: [
        {
          title: `taking over ${plain} branches of ${projects} projects: requests that name one branch, for each branch`,
          value: ofBranches(ofPlain) / plain,
          unit: "",
          atMost: 2.5,
        },
        { title: "the same: all other requests", value: ofPlain.length - ofBranches(ofPlain), unit: "" },
        { title: `taking over ${computed} branches with computes: all requests`, value: ofComputed.length, unit: "" },
      ],
      comparison: { heads: ["request", "branches", "with computes"], lines: shapes([ofPlain, ofComputed]) },
    };
  },
};
