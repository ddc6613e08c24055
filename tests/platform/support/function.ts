import type { NeonFunction, NeonFunctionDeployment } from "@neon/sdk";
import assert from "node:assert/strict";
import { strToU8, zipSync } from "fflate";

import { assertConforms } from "../../support/openapi";
import type { Answer, AnswerBody, TestPlatform } from "../../support/platform";
import { until } from "../../support/until";

/** The members of a deployment. */
export interface Deployment {
  /** The files of the archive, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Instead of files: the archive. */
  readonly zip?: Uint8Array<ArrayBuffer>;
  readonly runtime?: string;
  readonly environment?: Readonly<Record<string, unknown>> | string;
}

/** A function that answers with a text. */
export const answering = (text: string): { "index.mjs": string } => ({
  "index.mjs": `export default { fetch: () => new Response(${JSON.stringify(text)}) };`,
});

/** An archive with these files. */
export function archiveOf(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

/** Deploys a function, as a form. */
export async function deploy(
  platform: TestPlatform,
  path: string,
  { files, zip = files && archiveOf(files), runtime, environment }: Deployment,
): Promise<Pick<Answer, "status" | "body">> {
  const form = new FormData();
  if (zip) form.set("zip", new Blob([zip], { type: "application/zip" }), "bundle.zip");
  if (runtime !== undefined) form.set("runtime", runtime);
  const text = typeof environment === "object" ? JSON.stringify(environment) : environment;
  if (text !== undefined) form.set("environment", text);
  const headers = { authorization: `Bearer ${platform.apiKey}` };
  const response = await fetch(`${platform.apiUrl}${path}/deployments`, { method: "POST", headers, body: form });
  const body = (await response.json()) as AnswerBody;
  assertConforms("POST", `${path}/deployments`, response.status, body);
  return { status: response.status, body };
}

/** Deploys a function, which must be accepted. */
export async function deployed(
  ...[platform, path, deployment]: Parameters<typeof deploy>
): Promise<NeonFunctionDeployment> {
  const { status, body } = await deploy(platform, path, deployment);
  assert.equal(status, 201, JSON.stringify(body));
  return body.deployment;
}

/** Waits until the newest deployment of a function has ended, and the function has a URL. */
export async function waitForBuild(platform: TestPlatform, path: string): Promise<NeonFunction> {
  let found: NeonFunction | undefined;
  await until(async () => {
    const { body } = await platform.call("GET", path);
    found = body.function;
    const { status = "" } = found.current_deployment ?? {};
    return ["completed", "failed"].includes(status) && found.invocation_url !== "";
  });
  assert.ok(found);
  return found;
}
