import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suiteProjects } from "./support/project";

const escaped = (text: string) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

describe("local platform: console page", () => {
  const { clock, platform } = suiteProjects({ operationTime: "1500ms" });

  it("shows projects, branches, computes and operations, escapes markup and shows no secrets", async () => {
    const page = async () => {
      const response = await fetch(platform().platform.consoleUrl);
      assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'/);
      return await response.text();
    };
    assert.match(await page(), /No projects yet/);
    const orgId = await platform().firstOrganization();
    await platform().member(orgId, "member@example.com");
    assert.match(
      await page(),
      new RegExp(`<td>${orgId}</td><td>scale</td><td>\\S+@\\S+ \\(administrator\\), member@example\\.com</td>`),
    );
    const name = `<script>alert("1")</script>`;
    const { body } = await platform().call("POST", "/projects", { project: { name, branch: { name } } });
    const endpointId = body.endpoints[0]?.id ?? "";
    assert.match(await page(), /<td>Start compute<\/td>.*<td>Scheduling<\/td>/);
    assert.match(await page(), /<td>Create timeline<\/td>.*<td>In progress<\/td>/);
    clock.advance(1500);
    await platform().fault({ action: "suspend_compute", end: "error" });
    clock.advance(1500);
    await platform().call("POST", `/projects/${body.project.id}/endpoints/${endpointId}/suspend`);
    clock.advance(1500);
    const shown = await page();
    const columns = ["Operation", "Branch", "Compute", "Status", "Duration", "Date"];
    assert.ok(shown.includes(columns.map((column) => `<th>${column}</th>`).join("")));
    const cells = ["Start compute", escaped(name), endpointId, "OK", "1.5 s", body.operations[1]?.created_at ?? ""];
    assert.ok(shown.includes(cells.map((cell) => `<td>${cell}</td>`).join("")));
    assert.match(shown, /<td>Create timeline<\/td>.*<td>OK<\/td><td>1\.5 s<\/td>/);
    assert.match(shown, /<td>Suspend compute<\/td>.*<td>Error<\/td>/);
    assert.ok(shown.includes(`${endpointId}: active`));
    assert.ok(!shown.includes("<script"));
    assert.ok(shown.includes("&lt;script&gt;"));
    for (const secret of [platform().apiKey, body.roles[0]?.password ?? "none"]) assert.ok(!shown.includes(secret));
  });
});
