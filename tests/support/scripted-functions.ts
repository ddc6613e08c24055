import { createHash } from "node:crypto";

import { operationSample, projectSample } from "../api/samples";
import type { Received, Reply } from "./scripted-server";

interface Deployment {
  readonly id: number;
  status: string;
  readonly runtime: string;
  readonly created_at: string;
  readonly environment: readonly string[];
  readonly error?: string;
}

interface Deployed {
  name: string | undefined;
  readonly createdAt: string;
  readonly deployments: Deployment[];
}

/** A deployment as the client sent it. */
export interface SentDeployment {
  readonly hasZip: boolean;
  readonly environment: Readonly<Record<string, string>> | undefined;
  readonly runtime: string | undefined;
}

const branch = "/projects/shop-1/branches/br-1";

/** An operation of another program, which does not end. */
const ofAnother = operationSample({ project_id: "shop-1", branch_id: "br-1", created_at: "2100-01-01T00:00:00Z" });

/** The functions of one branch, on a server that a test scripts. */
export class ScriptedFunctions {
  readonly functions = new Map<string, Deployed>();
  /** Deployments that were accepted. */
  readonly deployments: SentDeployment[] = [];
  /** The changes by other requests, such as `PATCH`. */
  readonly changes: string[] = [];
  /** How often a deployment is read before it ends. */
  polls = 1;
  /** The final status of deployments; `building` never ends. */
  ends: "completed" | "failed" | "building" = "completed";
  error = "SyntaxError: Unexpected token";
  /** Whether the next request to deploy is lost before it is performed. */
  losesNext = false;
  /** Called for each request to deploy, before it is performed. */
  onDeploy: () => void = () => undefined;
  /** Called once, at the next read of a function with an unfinished deployment. */
  onRead: (() => void) | undefined;
  /** How often reads of a deployed function answer 404. */
  misses = 0;

  /** Deploys as another program. */
  deploy(slug: string, environment: readonly string[] = [], status = "completed"): void {
    const deployed = this.functions.get(slug) ?? { name: undefined, createdAt: now(), deployments: [] };
    this.functions.set(slug, deployed);
    const error = status === "failed" ? { error: this.error } : {};
    const id = (deployed.deployments.at(-1)?.id ?? 0) + 1;
    deployed.deployments.push({ id, status, runtime: "nodejs24", created_at: now(), environment, ...error });
  }

  readonly script = ({ method, url, body }: Received): Reply => {
    const { pathname } = new URL(url, "http://localhost");
    const path = pathname.replace("/api/v2", "");
    if (path === "/auth") return { body: { account_id: "user-1", auth_method: "api_key" } };
    if (path === "/projects/shop-1") return { body: { project: projectSample({ id: "shop-1", owner_id: "user-1" }) } };
    if (path === "/projects/shop-1/operations") return { body: { operations: [ofAnother], pagination: {} } };
    const [, slug = "", rest] = /^\/functions(?:\/([^/]+)(\/deployments)?)?$/.exec(path.replace(branch, "")) ?? [];
    if (slug === "") return { body: { functions: [...this.functions.keys()].map((one) => this.#wire(one)) } };
    if (rest !== undefined) return this.#deployed(slug, body);
    const deployed = this.functions.get(slug);
    if (deployed === undefined) return { status: 404, body: { code: "", message: "function not visible on branch" } };
    if (method === "GET") {
      if (this.misses > 0) {
        this.misses -= 1;
        return { status: 404, body: { code: "", message: "function not visible on branch" } };
      }
      this.#advance(deployed);
      return { body: { function: this.#wire(slug) } };
    }
    this.changes.push(`${method} ${body}`);
    if (method === "DELETE") {
      this.functions.delete(slug);
      return { status: 204 };
    }
    deployed.name = (JSON.parse(body) as { name: string | null }).name ?? undefined;
    return { body: { function: this.#wire(slug) } };
  };

  #deployed(slug: string, body: string): Reply {
    const isLost = this.losesNext;
    this.losesNext = false;
    this.onDeploy();
    if (isLost) return { end: "reset-after" };
    const member = (name: string): string | undefined =>
      new RegExp(`name="${name}"\\r\\n\\r\\n([^\\r]*)`).exec(body)?.[1];
    const environment = member("environment");
    const sent = {
      hasZip: body.includes('filename="bundle.zip"'),
      environment: environment === undefined ? undefined : (JSON.parse(environment) as Record<string, string>),
      runtime: member("runtime"),
    };
    this.deployments.push(sent);
    const names = new Set(this.functions.get(slug)?.deployments.at(-1)?.environment);
    for (const [name, value] of Object.entries(sent.environment ?? {})) {
      if (value === "") names.delete(name);
      else names.add(name);
    }
    this.#left = this.polls;
    this.deploy(slug, [...names].sort(), "pending");
    return { status: 201, body: { deployment: this.functions.get(slug)?.deployments.at(-1) } };
  }

  #left = 0;

  /** Counts a read of a deployment, which ends after {@link polls} of them. */
  #advance({ deployments }: Deployed): void {
    const last = deployments.at(-1);
    if (last === undefined || !["pending", "building"].includes(last.status)) return;
    const { onRead } = this;
    this.onRead = undefined;
    onRead?.();
    this.#left -= 1;
    const status = this.#left > 0 ? "building" : this.ends;
    Object.assign(last, { status, ...(status === "failed" ? { error: this.error } : {}) });
  }

  #wire(slug: string): unknown {
    const { name, createdAt, deployments } = this.functions.get(slug) as Deployed;
    const id = createHash("sha1").update(slug).digest("hex").slice(0, 8);
    return {
      id,
      slug,
      name: name ?? slug,
      invocation_url: `https://br-1-${slug}.compute.test/`,
      current_deployment: deployments.at(-1),
      active_deployment: deployments.findLast(({ status }) => status === "completed"),
      created_at: createdAt,
    };
  }
}

function now(): string {
  return new Date().toISOString();
}
