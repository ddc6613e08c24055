import assert from "node:assert/strict";

import { load } from "js-yaml";
import { describe, it } from "mocha";

import { type Program, Reference } from "../../cli/print/program";
import { python } from "../../cli/print/python";
import { yaml } from "../../cli/print/yaml";

const program: Program = {
  constants: [["orgId", "org-cool-moon-12345678"]],
  groups: [
    [
      {
        variable: "shopEu",
        isReferenced: true,
        kind: "Project",
        name: "shop-eu",
        args: {
          orgId: new Reference("orgId"),
          adopt: "spring-example-302709",
          settings: { allowedIps: { ips: ["::1"] } },
        },
      },
    ],
    [
      {
        variable: "theStaging",
        isReferenced: false,
        kind: "Branch",
        name: 'the "staging"',
        args: {
          projectId: new Reference("shopEu", "id"),
          name: "${staging}",
          protected: true,
          annotations: { madeBy: "Ann", "${team}": "${shop}" },
          compute: { autoscalingLimitMaxCu: 2 },
        },
      },
    ],
  ],
};

describe("cli: the printed program in", () => {
  it("YAML refers to constants and resources, and escapes what looks like a reference", () => {
    assert.deepEqual(load(yaml(program)), {
      variables: { orgId: "org-cool-moon-12345678" },
      resources: {
        shopEu: {
          type: "neon:Project",
          name: "shop-eu",
          properties: {
            orgId: "${orgId}",
            adopt: "spring-example-302709",
            settings: { allowedIps: { ips: ["::1"] } },
          },
          options: { protect: true },
        },
        theStaging: {
          type: "neon:Branch",
          name: 'the "staging"',
          properties: {
            projectId: "${shopEu.id}",
            name: "$${staging}",
            protected: true,
            annotations: { madeBy: "Ann", "$${team}": "$${shop}" },
            compute: { autoscalingLimitMaxCu: 2 },
          },
          options: { protect: true },
        },
      },
    });
  });

  it("Python names everything in snake_case but the keys of maps, within 88 columns", () => {
    assert.equal(
      python(program),
      `import pulumi
import neon_pulumi as neon

org_id = "org-cool-moon-12345678"
keep = pulumi.ResourceOptions(protect=True)

shop_eu = neon.Project(
    "shop-eu",
    org_id=org_id,
    adopt="spring-example-302709",
    settings={"allowed_ips": {"ips": ["::1"]}},
    opts=keep,
)

neon.Branch(
    "the \\"staging\\"",
    project_id=shop_eu.id,
    name="\${staging}",
    protected=True,
    annotations={"madeBy": "Ann", "\${team}": "\${shop}"},
    compute={"autoscaling_limit_max_cu": 2},
    opts=keep,
)
`,
    );
  });
});
