import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { startTestPlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";

const escaped = (text: string) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

describe("local platform: console page", () => {
  it("shows projects, branches, computes and operations, escapes markup and shows no secrets", async () => {
    const clock = new ManualPlatformClock();
    const platform = await startTestPlatform({ clock, operationTime: "1500ms" });
    const page = async () => {
      const response = await fetch(platform.platform.consoleUrl);
      assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'/);
      return await response.text();
    };
    try {
      assert.match(await page(), /No projects yet/);
      const orgId = await platform.firstOrganization();
      await platform.member(orgId, "member@example.com");
      assert.match(
        await page(),
        new RegExp(`<td>${orgId}</td><td>scale</td><td>\\S+@\\S+ \\(administrator\\), member@example\\.com</td>`),
      );
      const name = `<script>alert("1")</script>`;
      const { body } = await platform.call("POST", "/projects", { project: { name, branch: { name } } });
      assert.match(await page(), /<td>Start compute<\/td>.*<td>Scheduling<\/td>/);
      assert.match(await page(), /<td>Create timeline<\/td>.*<td>In progress<\/td>/);
      clock.advance(1500);
      await platform.fault({ action: "suspend_compute", end: "error" });
      clock.advance(1500);
      await platform.call("POST", `/projects/${body.project.id}/endpoints/${body.endpoints[0]?.id ?? ""}/suspend`);
      clock.advance(1500);
      const shown = await page();
      const columns = ["Operation", "Branch", "Compute", "Status", "Duration", "Date"];
      assert.ok(shown.includes(columns.map((column) => `<th>${column}</th>`).join("")));
      const { operation } = (
        await platform.call("GET", `/projects/${body.project.id}/operations/${body.operations[1]?.id ?? ""}`)
      ).body;
      const cells = [escaped(name), operation.endpoint_id, "OK", "1.5 s", operation.created_at];
      assert.ok(shown.includes(["Start compute", ...cells].map((cell) => `<td>${cell ?? ""}</td>`).join("")));
      assert.match(shown, /<td>Create timeline<\/td>.*<td>OK<\/td><td>1\.5 s<\/td>/);
      assert.match(shown, /<td>Suspend compute<\/td>.*<td>Error<\/td>/);
      assert.ok(shown.includes(`${body.endpoints[0]?.id ?? ""}: active`));
      assert.ok(!shown.includes("<script"));
      assert.ok(shown.includes("&lt;script&gt;"));
      for (const secret of [platform.apiKey, body.roles[0]?.password ?? "none"]) assert.ok(!shown.includes(secret));
    } finally {
      await platform.close();
    }
  });
});
