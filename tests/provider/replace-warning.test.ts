import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { itThrough } from "../support/door";
import type { EngineResource, ResourceOptions } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { suiteServer, suiteStage } from "../support/stage";

const stage = suiteStage();
/** A run of a command without a program. */
const withoutProgram = suiteServer(stage);
const onlyDynamic = itThrough("dynamic");
const onlyPlugin = itThrough("plugin");

const [frankfurt, ohio] = [{ regionId: "aws-eu-central-1" }, { regionId: "aws-us-east-2" }];
const kept: ResourceOptions = { retainOnDelete: true };

interface Steps {
  /** The options of the runs before the one that replaces, in order. */
  readonly before: readonly ResourceOptions[];
  readonly options: ResourceOptions;
}

/** Replaces a project. Returns what was said of it, and whether the old one is there afterwards. */
async function replaced({ before, options }: Steps): Promise<{ warning: string; isThere: boolean }> {
  const project = stage().resource("Project");
  for (const each of before) await project.up(frankfurt, each);
  const old = project.id;
  await project.up(ohio, options);
  assert.notEqual(project.id, old);
  const isThere = (await stage().projects(project.name)).some(({ id }) => id === old);
  return { warning: warningOf(project), isThere };
}

function warningOf(project: EngineResource): string {
  const warnings = project.said("warning").filter((text) => text.startsWith("Changing `regionId`"));
  assert.equal(warnings.length, 1);
  return warnings[0] ?? "";
}

const deleted = "All branches of the old project, their data and their hosts are deleted.";
const keptText = "The old project is kept (`retainOnDelete`), and nothing manages it any more.";

describe("the warning of a replacement", () => {
  const states: readonly (Steps & { readonly title: string; readonly says: string; readonly keeps: boolean })[] = [
    { title: "without options says what is deleted", before: [{}], options: {}, says: `${deleted}$`, keeps: false },
    {
      title: "with retainOnDelete in the state and the program says that the old object is kept",
      before: [kept],
      options: kept,
      says: `${keptText}$`,
      keeps: true,
    },
    {
      title: "with retainOnDelete added in an earlier run says that the old object is kept",
      before: [{}, kept],
      options: kept,
      says: `${keptText}$`,
      keeps: true,
    },
    {
      title:
        "with retainOnDelete added in the run that replaces says that the old object is deleted, and how to keep it",
      before: [{}],
      options: kept,
      says: `${deleted} \`retainOnDelete\` keeps the old project only if an earlier \`pulumi up\` set it. To be sure,`,
      keeps: false,
    },
    {
      title:
        "with retainOnDelete removed in the run that replaces says that the old object is kept, and how to delete it",
      before: [kept],
      options: {},
      says: `${keptText} The program no longer sets that option, but Pulumi goes by the one in the state. To delete the old project,`,
      keeps: true,
    },
    {
      title: "with retainOnDelete removed in an earlier run says what is deleted",
      before: [kept, {}],
      options: {},
      says: `${deleted}$`,
      keeps: false,
    },
    {
      title: "with protect added in the run that replaces says that the option comes too late",
      before: [{}],
      options: { protect: true },
      says: `${deleted} \`protect\` keeps the old project only if an earlier \`pulumi up\` set it.$`,
      keeps: false,
    },
  ];
  for (const { title, says, keeps, ...steps } of states) {
    onlyDynamic(title, async () => {
      const { warning, isThere } = await replaced(steps);
      assert.ok(`${warning}$`.startsWith(`Changing \`regionId\` replaces this project. ${says}`), warning);
      assert.equal(isThere, keeps);
    });
  }

  for (const [title, before, options, keeps] of [
    ["set before", kept, kept, true],
    ["added in the run that replaces", {}, kept, false],
    ["removed in the run that replaces", kept, {}, true],
  ] as const) {
    onlyPlugin(`with retainOnDelete ${title} says what the option in the state decides`, async () => {
      const { warning, isThere } = await replaced({ before: [before], options });
      assert.equal(
        warning,
        `Changing \`regionId\` replaces this project. ${deleted} \`retainOnDelete\` and \`protect\` keep the old project only if an earlier \`pulumi up\` set them.`,
      );
      assert.equal(isThere, keeps);
    });
  }

  it("is not given by a refresh, which runs no program", async () => {
    const project = stage().resource("Project");
    await project.up(frankfurt);
    const { present } = project;
    project.state = { ...present, inputs: { ...present.inputs, ...ohio } };
    project.server = withoutProgram();
    assert.equal(await project.refresh(), "changed");
    assert.deepEqual(project.said("warning"), []);
  });

  onlyDynamic(
    "of a role that retainOnDelete keeps: the option removed in the same run does not free its name",
    async () => {
      const { id: projectId, branchId } = await stage().project();
      const role = stage().resource("Role");
      await role.up({ projectId, branchId }, kept);
      const noLogin = role.preview({ projectId, branchId, noLogin: true }, kept);
      await assert.rejects(noLogin, failsWith("`retainOnDelete` keeps the old one", "declare another name"));
      await role.preview({ projectId, branchId, noLogin: true, name: `${role.name}-2` }, kept);
      const refused = failsWith(
        "`retainOnDelete` keeps the old one",
        "without the change and without `retainOnDelete` first",
      );
      await assert.rejects(role.preview({ projectId, branchId, noLogin: true }), refused);
      assert.equal(await role.up({ projectId, branchId }), "same");
      assert.equal(await role.up({ projectId, branchId, noLogin: true }), "replace");
    },
  );

  onlyDynamic(
    "of a role with retainOnDelete added in the run that replaces it is refused: its name is not free",
    async () => {
      const { id: projectId, branchId } = await stage().project();
      const role = stage().resource("Role");
      await role.up({ projectId, branchId });
      const refused = failsWith(
        "`retainOnDelete` keeps the old one",
        "without the change and without `retainOnDelete` first",
      );
      await assert.rejects(role.up({ projectId, branchId, noLogin: true }, kept), refused);
    },
  );

  onlyDynamic("after a refresh in a run of its own says what the option in the state decides", async () => {
    const project = stage().resource("Project");
    await project.up(frankfurt, kept);
    await (await stage().nextRun(project)).refresh();
    await (await stage().nextRun(project)).preview(ohio, kept);
    assert.match(
      project.warning,
      /are deleted\. `retainOnDelete` keeps the old project only if an earlier `pulumi up` set it\./,
    );
  });

  onlyDynamic("after a refresh in the same run says that the old object is kept", async () => {
    const project = stage().resource("Project");
    await project.up(frankfurt, kept);
    await (await stage().nextRun(project)).refresh();
    await project.preview(ohio, kept);
    assert.ok(project.warning.endsWith(keptText), project.warning);
  });
});
