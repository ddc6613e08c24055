import { stat } from "node:fs/promises";
import { resolve } from "node:path";

import { z } from "zod";

import { lazy } from "../../api/core/lazy";
import { branches } from "../../api/schemas/branch";
import { postgresName } from "../../api/schemas/postgres-name";
import type { Context } from "../call/context";
import { ProjectLocks } from "../call/project-locks";
import type { Problem } from "../call/services";
import { combination } from "../kind/combination";
import { creation } from "../kind/creation";
import { archive, ofBranch, trigger } from "../kind/inputs";
import { defineKind, type Kind } from "../kind/kind";
import type { RepeatReasons } from "../kind/options";
import { only, type OutputsOf } from "../kind/outputs";
import { hashOfInput, newId } from "../ownership/ids";
import type { Values } from "../values";
import { readBranch } from "./branch/read";
import { traceOf } from "./branch/restore";
import { runCommand } from "./migration/command";
import { directConnection, secretsIn, untilAnswers } from "./migration/database";

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const variableForm = "must have a name of letters, digits and `_` that does not begin with a digit";

/** With `ignoreChanges`, the engine passes what the state holds instead: a hash. */
const notVariables = "must be a map of texts. The option `ignoreChanges` cannot name it";

/** The name of the variable with the connection URI, unless the program names another one. */
const defaultVariable = "DATABASE_URL";

/** The inputs of a migration. */
const inputs = lazy(() =>
  z
    .strictObject({
      ...ofBranch,
      run: z
        .string()
        .min(1)
        .refine((command) => command.trim() !== "", "must not be blank")
        .describe("Command, which a shell runs. A change runs it."),
      files: archive.optional(),
      workingDirectory: z.string().min(1).optional().describe("Folder in which the command runs."),
      environment: z
        .record(z.string(), z.string(), { error: notVariables })
        .check(
          combination((variables, report) => {
            for (const name of Object.keys(variables)) if (!variableName.test(name)) report(variableForm, name);
          }),
        )
        .optional()
        .describe("Environment variables of the command."),
      urlVariable: z
        .string()
        .regex(variableName, variableForm)
        .optional()
        .describe("Name of the variable with the connection URI."),
      roleName: postgresName.optional().describe("Role to connect as."),
      databaseName: postgresName.optional().describe("Database to connect to."),
      runTrigger: trigger("runs the command again"),
    })
    .meta({
      otherNames: {
        create: "it is `run`",
        command: "it is `run`",
        dir: "it is `workingDirectory`",
        env: "it is `environment`",
        triggers: "it is `runTrigger`, a string",
      },
    }),
);
type MigrationInputs = z.infer<ReturnType<typeof inputs>>;

/** The outputs of a migration. Those of its last run are absent while it has not run successfully. */
const outputs = () => {
  const { run, ...declared } = inputs().shape;
  return z.object({
    ...ofBranch,
    run: run.optional(),
    filesHash: z.string().optional().describe("Hash of the files."),
    ...only(declared, "workingDirectory"),
    environment: z.string().optional().meta({ description: "Hash of the variables.", secret: true }),
    ...only(declared, "urlVariable", "roleName", "databaseName", "runTrigger"),
    branchVersion: z
      .string()
      .optional()
      .describe("Identifies the contents that the branch was created, reset or restored with before the run."),
    migrationId: z.string().describe("Random id of the migration."),
  });
};
export type MigrationOutputs = OutputsOf<typeof outputs>;

/** The outputs that tell which run was the last one. */
const ofRun = [
  "run",
  "filesHash",
  "workingDirectory",
  "environment",
  "urlVariable",
  "roleName",
  "databaseName",
  "runTrigger",
  "branchVersion",
] as const satisfies readonly (keyof MigrationOutputs)[];

const address = ["projectId", "branchId", "migrationId"] as const;
const affects = ["branchVersion", "roleName", "databaseName"];

/** The runs in progress. Two runs on a branch could lock each other out, or apply the same migration twice. */
const runs = new ProjectLocks();

/** A command that changes the database of a branch, such as a migration tool. */
export const migration: Kind<MigrationInputs, MigrationOutputs> = defineKind<MigrationInputs, MigrationOutputs>({
  name: "Migration",
  noun: "migration",
  inputs,
  outputs,
  identifiedBy: address,
  rules: {
    run: { affects },
    files: { content: { type: "archive", hash: "filesHash", isSent: false }, affects },
    workingDirectory: { onRemove: "clear", affects },
    environment: { onRemove: "clear", affects, equality: (one, other) => hashOfInput(one) === hashOfInput(other) },
    urlVariable: { onRemove: "clear", affects },
    roleName: { onRemove: "clear", affects },
    databaseName: { onRemove: "clear", affects },
    runTrigger: { affects },
  },
  // Any number of migrations can run on a branch.
  uniqueBy: [],
  unstored: ["environment"],
  within: { Database: ["databaseName"] },
  // A run starts no operation of the project, so other branches change meanwhile.
  scope: { isApart: true },
  replacement: { loss: "It runs on the new branch." },
  repeats: { undone, why, next: "The next `pulumi up` runs it again." },
  preview: { problems: folderProblems },

  create: ({ projectId, branchId }) =>
    creation({
      what: "find the branch",
      request: branches.get(projectId, branchId),
      repeatable: true,
      outputs: () => ({ projectId, branchId, migrationId: newId() }),
      leaves: ["run"],
    }),

  read: async (context, state) => {
    const { projectId = "", branchId = "", migrationId = "" } = state;
    const found = await readBranch(context, projectId, branchId);
    if (found === undefined) return undefined;
    const present = { ...state, projectId, branchId, migrationId };
    return traceOf(found.branch)["trace"] === state.branchVersion ? present : undone(present);
  },

  update: async (context, state, declared) => {
    const { projectId, branchId } = state;
    await context.perform(async (row, begin) => {
      const { show, signal } = row;
      const waiting = (holder: string): void => show(`waiting for ${holder}`);
      const release = await runs.acquire(JSON.stringify([projectId, branchId]), "another migration", waiting, signal);
      try {
        const { urlVariable = defaultVariable, environment = {}, workingDirectory = ".", run } = declared;
        const { [urlVariable]: own } = environment;
        const connection = own === undefined ? await directConnection(context, state, declared) : { uri: own };
        await untilAnswers(connection.uri, row);
        const { branch } = await context.read(branches.get(projectId, branchId));
        context.progress.learn(Object.fromEntries(ofRun.map((name) => [name, undefined])));
        begin();
        await runCommand(
          {
            run,
            workingDirectory: resolve(workingDirectory),
            environment: { ...environment, [urlVariable]: connection.uri },
            secrets: [...secretsIn(connection.uri), ...secretValues(context, environment)],
          },
          row,
        );
        const { files, environment: variables, ...plain } = declared;
        const { uri: _, ...used } = connection;
        context.progress.learn({
          ...plain,
          ...used,
          filesHash: files?.hash,
          environment: variables && hashOfInput(variables),
          branchVersion: traceOf(branch)["trace"],
        });
        context.progress.succeeded([]);
      } finally {
        release();
      }
    });
  },

  // Nobody can undo a command: deleting a migration forgets it.
  remove: () => Promise.resolve(),
});

function undone(state: MigrationOutputs): MigrationOutputs {
  const { projectId, branchId, migrationId } = state;
  return { projectId, branchId, migrationId };
}

/** The values of the variables that the program declares as secret. */
function secretValues({ resource }: Context, environment: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    resource.secretMembers.includes(`environment.${name}`) ? [value] : [],
  );
}

async function folderProblems(_: Context, { workingDirectory }: Values): Promise<readonly Problem[]> {
  if (typeof workingDirectory !== "string") return [];
  const found = await stat(resolve(workingDirectory)).catch(() => undefined);
  return found?.isDirectory() === true ? [] : [{ property: "workingDirectory", reason: "must be a folder" }];
}

const changes: Readonly<Record<string, string>> = { run: "the command changed", files: "the files changed" };

/** A preview during a run on this machine takes it for interrupted, so the words are true of both. */
const ends = { failed: "the last run did not succeed", interrupted: "the last run did not end" } as const;

function why({ changed, last, undoneBy, isUndone }: RepeatReasons): string {
  const reasons = [
    ...(last !== undefined ? [ends[last]] : changed.map((path) => changes[path] ?? `\`${path}\` changed`)),
    ...(undoneBy !== undefined
      ? [`${undoneBy} undoes it`]
      : isUndone
        ? ["the branch was reset or restored since the last run"]
        : []),
  ];
  return `This migration runs again, because ${reasons.join(", and ")}.`;
}
