import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

import { EndpointType, OperationStatus } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import ts from "typescript";

import { kinds } from "../../provider/kinds";
import type { Ended } from "../support/ended";
import { suiteFolder } from "../support/folder";
import { suitePlatform } from "../support/platform";
import { suiteVendorCli } from "../support/vendor-cli";
import { suite } from "../support/suite";
import { until } from "../support/until";
import { neonPulumi } from "./command";
import { existingAccount, specialNames } from "./existing-account";

interface ImportFile {
  readonly resources: readonly { readonly type: string; readonly logicalName: string; readonly id: string }[];
}

describe("cli: neon-pulumi import", function () {
  this.timeout(300_000);
  const platform = suitePlatform({ operationTime: "1ms" });
  const cli = suiteVendorCli("neonctl", () => platform());
  const account = suite(() => existingAccount(platform(), cli(), 8));
  const folder = suiteFolder("neon-pulumi-import-");
  let folders = 0;
  const newFolder = (): string => join(folder, String((folders += 1)));

  const run = (...args: readonly string[]): Promise<Ended> => neonPulumi(platform(), ["import", ...args]);
  /** Runs the command, which has to succeed, and reads what it has written. */
  async function written(...args: readonly string[]): Promise<{ file: ImportFile; program: string; stdout: string }> {
    const out = newFolder();
    const { code, stdout, stderr } = await run("--program", "--out", out, ...args);
    assert.equal(code, 0, stderr);
    const text = (name: string): string => readFileSync(join(out, name), "utf8");
    return { file: JSON.parse(text("import.json")) as ImportFile, program: text("index.ts"), stdout };
  }
  const kindsIn = ({ resources }: ImportFile): readonly string[] =>
    [...new Set(resources.map(({ type }) => type.replace("neon:index:", "")))].sort();
  const branchesIn = ({ resources }: ImportFile): readonly string[] =>
    resources.filter(({ type }) => type.endsWith(":Branch")).map(({ logicalName }) => logicalName);

  describe("of an organization", () => {
    const organization = suite(() => written("--organization", account().orgId));

    it("finds every kind that an organization has, and only sends requests that read", async () => {
      assert.deepEqual(
        kindsIn(organization().file),
        Object.keys(kinds)
          .filter((kind) => !["ApiKey", "BucketObject"].includes(kind))
          .sort(),
      );
      await platform().clearRequests();
      await written("--organization", account().orgId);
      const requests = await platform().requests();
      // Only a holder of an access key can read the CORS rules of a bucket.
      const others = requests.filter(({ path }) => !/\/credentials\/[^/]+\/reveal$/.test(path));
      assert.deepEqual([...new Set(others.map(({ method }) => method))], ["GET"]);
      assert.ok(!others.some(({ path }) => /reveal|connection_uri/.test(path)), "a secret was read");
    });

    it("takes what is on a branch for its own only if the parent does not have it", () => {
      const ids = organization().file.resources.map(({ type, id }) => `${type} ${id}`);
      const roles = ids.filter((id) => id.startsWith("neon:index:Role ")).map((id) => id.split("/").at(-1));
      assert.deepEqual(roles.sort(), ["100%25%20app%2F%C3%A9", "app", "neondb_owner", "neondb_owner", "neondb_owner"]);
      assert.match(organization().stdout, /\d+ Role: a new branch has a copy of what its parent has/);
      assert.match(organization().stdout, /\d+ Endpoint: they are the `compute` of their branches/);
    });

    it("says which secrets nobody can read, what would change, and what to run next", () => {
      const { stdout } = organization();
      assert.match(stdout, /^Secrets that nobody can read, and that stay empty: .*`key` of OrganizationApiKey \(1\)/m);
      // The public one of the two clients has no secret.
      assert.match(stdout, /^Secrets that nobody can read, .*`clientSecret` of \w+Client \(1\)/m);
      assert.match(stdout, /^Taking them over changes none of them\.$/m);
      assert.match(stdout, /^ {2}pulumi up +# takes all over, and changes none$/m);
      assert.match(
        stdout,
        /^ {2}npx --no neon-pulumi import --check --organization org-\S+ --program typescript --out \S+/m,
      );
    });

    it("writes references instead of ids, protects what holds data, and leaves out what equals the default", () => {
      const { program } = organization();
      assert.match(
        program,
        /new neon\.Database\(\n {2}"orders",\n {2}\{[^}]*branchId: staging\.branchId,\s+adopt: "[^"/]+\/br-[^"/]+\/orders",\s+ownerName: app\.name,?\s+\},\s+keep,/,
      );
      assert.match(program, /compute: \{ autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 4, settings: /);
      assert.doesNotMatch(program, /provisioner|storePasswords|initSource: "parent-data"|passwordlessAccess|parentLsn/);
      const [, shop = ""] = /const (\w+) = new neon\.Project\(\n {2}"shop"/.exec(program) ?? [];
      const others = program.split("\n").filter((line) => line.includes(account().shop) && !line.includes("adopt: "));
      assert.deepEqual(others, [], "the id of the project is not only in `adopt`");
      assert.match(program, new RegExp(`projectId: ${shop}\\.id`));
    });

    it("names what each resource adopts, so that nothing that is gone meanwhile is created in silence", () => {
      const { program, file } = organization();
      const declared = [...program.matchAll(/new neon\.(\w+)\(([^]*?)keep,?\s*\);/g)];
      assert.equal(declared.length, file.resources.length, "each is protected");
      for (const [, kind, args = ""] of declared) assert.match(args, /adopt: ["']/, kind);
    });

    it("declares in the program what an import leaves out because its removal would clear it", () => {
      const { program } = organization();
      const argsOf = (kind: string, name: string): string =>
        new RegExp(`new neon\\.${kind}\\(\\s*"${name}",([^]*?)keep,?\\s*\\);`).exec(program)?.[1] ?? "";
      assert.match(argsOf("Trigger", "thumbnails"), /prefix: "in\/"/);
      assert.match(argsOf("Function", "api"), /name: "The API"/);
      assert.match(argsOf("Snapshot", "after"), /expiresAt: "/);
      assert.match(argsOf("Branch", "short-lived"), /ttl: "7d"/);
    });

    it("writes no secret", () => {
      assert.doesNotMatch(organization().program, /npg_|napi_|postgres(ql)?:\/\/|a secret of an application/);
    });

    it("writes the same text in each run", async () => {
      const again = await written("--organization", account().orgId);
      assert.equal(again.program, organization().program);
      assert.deepEqual(again.file, organization().file);
    });

    it("finds branches of every name", () => {
      const { program } = organization();
      for (const name of specialNames) assert.ok(program.includes(JSON.stringify(name).slice(1, -1)), name);
    });
  });

  it("reads the projects that are named, branches that match a pattern, and the types that are named", async () => {
    const { shop, blog } = account();
    const two = await written("--project", shop, "--project", blog, "--types", "project");
    assert.deepEqual(two.file.resources.map(({ id }) => id).sort(), [shop, blog].sort());
    const some = await written("--project", shop, "--branches", "feature*", "--branches", "main", "--types", "Branch");
    assert.deepEqual([...branchesIn(some.file)].sort(), [
      "feature-login",
      "feature-login-2",
      "feature-login-3",
      "main",
    ]);
    const roles = await written("--project", shop, "--branches", "main", "--types", "Role,Snapshot");
    assert.deepEqual(kindsIn(roles.file), ["Role", "Snapshot"]);
  });

  it("reads all that the key sees, and names the projects that others share with its user", async () => {
    const { shop, orgId } = account();
    const key = await platform().signIn("owner@example.com");
    await platform().member(orgId, "owner@example.com");
    const own = (await platform().call("POST", "/projects", { project: { name: "own" } }, { key })).body.project.id;
    await until(async () => {
      const { operations } = (await platform().call("GET", `/projects/${own}/operations`, undefined, { key })).body;
      return operations.every(({ status }) => status === OperationStatus.Finished);
    });
    const shared = (await platform().project({ name: "shared" })).project.id;
    await platform().call("POST", `/projects/${shared}/permissions`, { email: "owner@example.com" });
    const out = newFolder();
    const of = { apiUrl: platform().apiUrl, apiKey: key };
    const { code, stdout, stderr } = await neonPulumi(of, ["import", "--types", "Project,ApiKey", "--out", out]);
    assert.equal(code, 0, stderr);
    const { resources } = JSON.parse(readFileSync(join(out, "import.json"), "utf8")) as ImportFile;
    const ids = resources.map(({ id }) => id);
    assert.ok(ids.includes(shop) && ids.includes(own) && !ids.includes(shared), stdout);
    assert.match(
      stdout,
      new RegExp(`1 Project: another account shares them; .--project <id>. reads them \\(${shared}\\)`),
    );
    assert.match(stdout, /1 ApiKey: it is the key in use/);
  });

  it("leaves out the credentials that Neon and its command line issue for themselves", async () => {
    const { project, branch } = await platform().project({ name: "credentials" });
    const { id } = project;
    const path = `/projects/${id}/branches/${branch.id}/credentials`;
    const asked = { scopes: ["storage:read"], principal_type: "user" };
    for (const name of ["neon-env main", "neon-environment"]) {
      await platform().call("POST", path, { ...asked, name });
    }
    const { stdout, program } = await written("--project", id, "--types", "Credential");
    assert.equal(program.match(/new neon\.Credential\(/g)?.length, 1);
    assert.match(program, /"neon-environment"/);
    assert.match(stdout, /2 Credential: Neon issues one for each branch \(.*\)/);
    assert.match(stdout, /1 Credential: `neon env pull` issues one for local environments \(.*\)/);
  });

  it("says that the keys of Stack and the password of an e-mail server stay empty", async () => {
    const { project, branch } = await platform().project({ name: "auth" });
    const path = `/projects/${project.id}/branches/${branch.id}/auth`;
    assert.equal((await platform().call("POST", path, { auth_provider: "stack" })).status, 201);
    const sender = { sender_email: "shop@example.com", sender_name: "Shop" };
    const server = { host: "smtp.example.com", port: 587, username: "shop", password: "hunter2hunter2", ...sender };
    const { status } = await platform().call("PATCH", `${path}/email_provider`, { type: "standard", ...server });
    assert.equal(status, 200);
    const { stdout } = await written("--project", project.id, "--types", "NeonAuth");
    assert.match(
      stdout,
      /stay empty: `secretServerKey` of NeonAuth \(1\), `emailProviderPassword` of NeonAuth \(1\)\.$/m,
    );
  });

  it("reads the objects of buckets only if they are asked for", async () => {
    const { shop, orgId } = account();
    const all = await written("--organization", orgId);
    assert.match(all.stdout, /BucketObject: the objects of a bucket are data; `--types BucketObject` reads them/);
    const { program } = await written("--project", shop, "--types", "Bucket,BucketObject");
    assert.match(program, /new neon\.BucketObject\([^]*bucketName: \w+\.name/);
    for (const input of [
      'contentType: "image/svg+xml"',
      'cacheControl: "no-cache"',
      'metadata: { by: "us" }',
      'cors: [{ allowedOrigins: ["*"], allowedMethods: ["GET"] }]',
    ]) {
      assert.ok(
        program
          .replaceAll(/\s+/g, " ")
          .replaceAll(/, ([}\]])/g, " $1")
          .includes(input),
        `${input}\n${program}`,
      );
    }
  });

  it("leaves out a branch that disappears while it is read", async () => {
    const { shop } = account();
    const { body } = await platform().call("POST", `/projects/${shop}/branches`, { branch: { name: "gone" } });
    await platform().settled(shop);
    const path = `/projects/${shop}/branches/${body.branch.id}`;
    await platform().fault({ path: `^/api/v2${path}(/|$)`, status: 404, times: 20 });
    const { file, stdout } = await written("--project", shop, "--branches", "gone", "--types", "Project,Branch,Role");
    await platform().clearFaults();
    await platform().call("DELETE", path);
    assert.deepEqual(kindsIn(file), ["Project"]);
    assert.match(stdout, /1 Branch: they do not exist, or were deleted while the account was read/);
  });

  it("names a masked branch whose rules are not applied yet", async () => {
    const { blog } = account();
    const { status, body } = await platform().call("POST", `/projects/${blog}/branch_anonymized`, {
      branch_create: { branch: { name: "masked" }, endpoints: [{ type: "read_write" }] },
      masking_rules: [
        {
          database_name: "neondb",
          schema_name: "public",
          table_name: "users",
          column_name: "email",
          masking_value: "'x'",
        },
      ],
      start_anonymization: false,
    });
    assert.ok(status < 300, JSON.stringify(body));
    await platform().settled(blog);
    const { stdout, program } = await written("--project", blog, "--branches", "masked", "--types", "Project,Branch");
    assert.match(stdout, /1 Branch: only their `maskingRules`, which are not applied yet/);
    assert.doesNotMatch(program, /maskingRules/);
    await platform().call("DELETE", `/projects/${blog}/branches/${body.branch.id}`);
    await platform().settled(blog);
  });

  it("refuses a file together with branches, which it would not apply", async () => {
    const { code, stderr } = await run("--branches", "main", "--from", "any.tfstate");
    assert.equal(code, 2);
    assert.match(stderr, /--from reads what its file names: it cannot be combined with --branches/);
  });

  it("names a pattern that no branch matches", async () => {
    const asked = ["--branches", "main", "--branches", "nope*", "--types", "Project,Branch"];
    const { stdout } = await written("--project", account().shop, ...asked);
    assert.match(stdout, /^ {2}1 Branch: no name matches the pattern \(nope\*\)$/m);
  });

  it("names a type that it is asked for and of which there is nothing", async () => {
    const { stdout } = await written("--project", account().blog, "--types", "Project,Snapshot");
    assert.match(stdout, /^There is no Snapshot in what was read\.$/m);
  });

  it("reads an organization that has no project, without the membership of the key's own user", async () => {
    const orgId = await platform().organization();
    await platform().member(orgId, "other@example.com");
    const { file, stdout } = await written("--organization", orgId);
    assert.deepEqual(kindsIn(file), ["OrganizationMember"]);
    assert.match(stdout, /1 OrganizationMember: it is the key's own user/);
    assert.equal(file.resources.length, 1);
  });

  it("continues without what the key may not read, and says so", async () => {
    const { shop } = account();
    for (const [path, type] of [
      ["/jwks", "JwksUrl"],
      ["/snapshots", "Snapshot"],
      ["/permissions", "ProjectPermission"],
    ] as const) {
      await platform().fault({ path: `${path}$`, status: 404, times: 1 });
      const absent = await written("--project", shop, "--types", `Project,${type}`);
      await platform().clearFaults();
      assert.match(absent.stdout, new RegExp(`1 ${type}: they could not be read: (HTTP 404|The list was not found)`));
    }
    await platform().fault({ path: "/permissions$", status: 403, times: 1 });
    const { file, stdout } = await written("--project", shop, "--types", "Project,ProjectPermission");
    await platform().clearFaults();
    assert.deepEqual(kindsIn(file), ["Project"]);
    assert.match(stdout, /1 ProjectPermission: they could not be read: HTTP 403/);
  });

  it("writes a program that compiles and passes the linter", async () => {
    const { program } = await written("--organization", account().orgId);
    // Where the compiler finds the package by the settings of this repository.
    const file = join("tests", "cli", `written-${String(process.pid)}.ts`);
    writeFileSync(file, program);
    try {
      const text = readFileSync("tsconfig.json", "utf8");
      const { config } = ts.parseConfigFileTextToJson("tsconfig.json", text) as { config: object };
      const { options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
      const compiled = ts.createProgram([file], { ...options, noEmit: true });
      const found = ts.getPreEmitDiagnostics(compiled);
      assert.deepEqual(
        found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")),
        [],
      );
      const lint = join("node_modules", ".bin", "oxlint");
      await promisify(execFile)(lint, ["--deny-warnings", file]);
    } finally {
      rmSync(file);
    }
  });

  it("reads what a Terraform state names, and leaves out what is no longer there", async () => {
    const { shop } = account();
    const { body } = await platform().call("GET", `/projects/${shop}/branches?search=staging`);
    const branchId = body.branches[0]?.id ?? "";
    const instance = (type: string, attributes: object): object => {
      return { mode: "managed", type, name: "own", provider: "", instances: [{ attributes }] };
    };
    const resources = [
      instance("neon_project", { id: shop }),
      instance("neon_branch", { id: branchId, project_id: shop }),
      instance("neon_role", { id: "app", project_id: shop, branch_id: branchId, name: "app" }),
      instance("neon_database", { id: 4711, project_id: shop, branch_id: branchId, name: "orders" }),
      instance("neon_branch", { id: "br-deleted-0000001", project_id: shop }),
    ];
    const state = join(folder, "terraform.tfstate");
    writeFileSync(state, JSON.stringify({ version: 4, resources }));
    const { file, program, stdout } = await written("--from", state);
    assert.deepEqual(
      file.resources.map(({ id }) => id),
      [shop, `${shop}/${branchId}`, `${shop}/${branchId}/app`, `${shop}/${branchId}/orders`],
    );
    assert.match(
      program,
      /projectId: shop\.id,\s+branchId: staging\.branchId,\s+adopt: "[^"]+\/orders",\s+ownerName: app\.name/,
    );
    assert.match(stdout, /1 Branch: they do not exist, or were deleted while the account was read/);
  });

  it("reads what an exported stack of the bridge names, with its secrets encrypted", async () => {
    const { orgId, shop } = account();
    const { body } = await platform().call("GET", `/projects/${shop}/branches?search=staging`);
    const branchId = body.branches[0]?.id ?? "";
    const onStaging = (await platform().call("GET", `/projects/${shop}/branches/${branchId}/endpoints`)).body.endpoints;
    const computeOf = (type: EndpointType): string => onStaging.find((one) => one.type === type)?.id ?? "";
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:a:b" };
    const resource = (type: string, id: string, outputs: object): object => {
      const token = `neon:index/${type}:${type.charAt(0).toUpperCase()}${type.slice(1)}`;
      const inputs = { ...outputs, __defaults: [] };
      return { urn: `urn:pulumi:prod::shop::${token}::${id}`, custom: true, id, type: token, inputs, outputs };
    };
    const provider = { urn: "urn:pulumi:prod::shop::pulumi:providers:neon::default", type: "pulumi:providers:neon" };
    const resources = [
      { ...provider, custom: true, id: "5b0d1d9e", inputs: { apiKey: secret }, outputs: { apiKey: secret } },
      resource("project", shop, { orgId, connectionUri: secret, __meta: '{"schema_version":"9"}' }),
      resource("branch", branchId, { projectId: shop, logicalSize: 0, protected: "no" }),
      resource("endpoint", computeOf(EndpointType.ReadOnly), { projectId: shop, branchId }),
      resource("endpoint", computeOf(EndpointType.ReadWrite), { projectId: shop, branchId }),
      resource("role", `${shop}/${branchId}/app`, { projectId: shop, branchId, name: "app", password: secret }),
      resource("vpcEndpointAssignment", "vpce-0123", { orgId, regionId: "aws-us-east-2", vpcEndpointId: "vpce-0123" }),
      resource("vpcEndpointRestriction", `vpce-0123/${shop}`, { projectId: shop, vpcEndpointId: "vpce-0123" }),
    ];
    const exported = join(folder, "stack.json");
    writeFileSync(exported, JSON.stringify({ version: 3, deployment: { manifest: {}, resources } }));
    const { file, stdout } = await written("--from", exported);
    assert.deepEqual(
      file.resources.map(({ id }) => id),
      [
        `${orgId}/aws-us-east-2/vpce-0123`,
        shop,
        `${shop}/vpce-0123`,
        `${shop}/${branchId}`,
        `${shop}/${computeOf(EndpointType.ReadOnly)}`,
        `${shop}/${branchId}/app`,
      ],
    );
    assert.match(stdout, /1 Endpoint: they are the `compute` of their branches/);
  });

  it("says of a state that it is encrypted or in UTF-16, and ignores a byte order mark", async () => {
    const state = join(folder, "other.tfstate");
    const from = async (content: string | Buffer): Promise<Ended> => {
      writeFileSync(state, content);
      return run("--from", state, "--out", newFolder());
    };
    const project = {
      mode: "managed",
      type: "neon_project",
      name: "own",
      instances: [{ attributes: { id: account().shop } }],
    };
    const text = JSON.stringify({ version: 4, resources: [project] });
    assert.equal((await from(`\uFEFF${text}`)).code, 0);
    assert.match((await from(Buffer.from(`\uFEFF${text}`, "utf16le"))).stderr, /is in UTF-16\. Save it in UTF-8/);
    const encrypted = JSON.stringify({ serial: 1, encrypted_data: "…", encryption_version: "v0" });
    assert.match((await from(encrypted)).stderr, /is encrypted\. Name the output of `tofu state pull`/);
  });

  it("ends without a word when nobody reads its output", async () => {
    const { apiKey, apiUrl } = platform();
    const { stdout, stderr } = await promisify(execFile)(
      "bash",
      ["-c", `"${process.execPath}" dist/cli/main.js mapping | head -c 5`],
      { env: { ...process.env, NEON_API_KEY: apiKey, NEON_API_HOST: apiUrl } },
    );
    assert.deepEqual([stdout.length, stderr], [5, ""]);
  });

  it("prints the mapping of Terraform's names", async () => {
    const { stdout } = await neonPulumi(platform(), ["mapping"]);
    assert.equal((JSON.parse(stdout) as { readonly name: string }).name, "neon");
  });

  describe("with files that exist", () => {
    it("replaces none without --force, and sends nothing", async () => {
      const out = newFolder();
      mkdirSync(out);
      writeFileSync(join(out, "index.ts"), "my program");
      await platform().clearRequests();
      const { code, stderr } = await run("--project", account().shop, "--program", "--out", out);
      assert.equal(code, 2);
      assert.match(
        stderr,
        /^neon-pulumi: Nothing was written: \S+index\.ts exists\. Name another folder with --out, or replace the files with --force\.\n$/,
      );
      assert.deepEqual(await platform().requests(), []);
      assert.equal(readFileSync(join(out, "index.ts"), "utf8"), "my program");
      assert.deepEqual(readdirSync(out), ["index.ts"]);
      const forced = await run("--project", account().shop, "--types", "Project", "--program", "--force", "--out", out);
      assert.equal(forced.code, 0, forced.stderr);
      assert.match(readFileSync(join(out, "index.ts"), "utf8"), /neon\.Project/);
      assert.deepEqual(readdirSync(out).sort(), ["import.json", "index.ts"]);
    });

    it("replaces what `pulumi new` has written, which declares nothing", async () => {
      const templates = {
        typescript: ["index.ts", 'import * as pulumi from "@pulumi/pulumi";\n\n// Export nothing.\n'],
        python: ["__main__.py", '"""A Python Pulumi program"""\n\nimport pulumi\n'],
        yaml: ["Main.yaml", ""],
      };
      for (const [language, [file = "", text = ""]] of Object.entries(templates)) {
        const out = newFolder();
        mkdirSync(out);
        writeFileSync(join(out, file), text);
        const { code, stderr } = await run("--types", "Project", "--program", language, "--out", out);
        assert.equal(code, 0, stderr);
        assert.match(readFileSync(join(out, file), "utf8"), /neon[.:]Project/);
      }
    });

    it("leaves none half written when the folder cannot be written to", async () => {
      const out = newFolder();
      writeFileSync(out, "a file");
      const { code, stderr } = await run("--project", account().shop, "--types", "Project", "--out", out);
      assert.equal(code, 2);
      assert.match(stderr, /The files were not written: .* Name another folder with --out\./);
    });
  });

  it("prints next commands that a shell takes as they are, with the same selection", async () => {
    const out = join(newFolder(), "what I'd $HOME import");
    const asked = ["--project", account().blog, "--branches", "release/*", "--types", "Project,Branch", "--out", out];
    const { stdout } = await run(...asked);
    const split = async (command: RegExp): Promise<readonly string[]> => {
      const [line = assert.fail(stdout)] = command.exec(stdout) ?? [];
      const { stdout: words } = await promisify(execFile)("sh", ["-c", `printf '%s\\n' ${line}`], { cwd: folder });
      return words.trimEnd().split("\n");
    };
    assert.deepEqual(await split(/pulumi import .*/), ["pulumi", "import", "--file", join(out, "import.json")]);
    const check = ["npx", "--no", "neon-pulumi", "import", "--check", ...asked];
    assert.deepEqual(await split(/npx .*/), check);
  });

  it("with --check, writes nothing and compares with the files of an earlier run", async () => {
    const { blog } = account();
    const out = newFolder();
    const check = (): Promise<Ended> =>
      run("--project", blog, "--types", "Project,Branch", "--program", "--out", out, "--check");
    const first = await check();
    assert.deepEqual([first.code, existsSync(out)], [0, false], first.stdout);
    assert.equal((await run("--project", blog, "--types", "Project,Branch", "--program", "--out", out)).code, 0);
    const same = await check();
    assert.equal(same.code, 0);
    assert.match(same.stdout, /^Nothing differs from \S+import\.json\.\nNothing differs from \S+index\.ts\.\n/m);
    const { body } = await platform().call("POST", `/projects/${blog}/branches`, { branch: { name: "new" } });
    await platform().settled(blog);
    const { code, stdout } = await check();
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(`import\\.json lacks Branch ${blog}/${body.branch.id}\\.`));
    assert.match(stdout, /index\.ts is not what this command would write\.\n[^]*^ {2}\+ .*"new"/m);
    await platform().call("DELETE", `/projects/${blog}/branches/${body.branch.id}`);
    await platform().settled(blog);
  });

  describe("with bad input", () => {
    const complaint = async (
      args: readonly string[],
      environment: Readonly<Record<string, string>> = {},
    ): Promise<string> => {
      const { code, stdout, stderr } = await neonPulumi(platform(), args, environment);
      assert.deepEqual([code, stdout], [2, ""], stderr);
      assert.match(stderr, /^neon-pulumi: [^\n]+\n$/, "one line");
      return stderr;
    };

    it("says what is wrong with the arguments, and what was probably meant", async () => {
      assert.match(
        await complaint(["import", "--projekt", "x"]),
        /There is no option --projekt; did you mean --project\?/,
      );
      assert.match(
        await complaint(["import", "--types", "Brunch"]),
        /There is no type "Brunch"; did you mean Branch\?/,
      );
      assert.match(await complaint(["imprt"]), /"imprt" is no command/);
      assert.match(await complaint(["import", "--project"]), /--project/);
      assert.match(await complaint(["import", "--project", ""]), /--project is empty/);
      assert.match(
        await complaint(["import", "--program", "cobol"]),
        /writes no programs in "cobol", only in typescript, yaml, python/,
      );
    });

    it("says that the key is missing, or refused", async () => {
      assert.match(await complaint(["import"], { NEON_API_KEY: "" }), /apiKey is missing/);
      assert.match(await complaint(["import"], { NEON_API_KEY: "napi_unknown" }), /HTTP 401/);
    });

    it("names the account of a key that sees nothing, and the organizations that it sees", async () => {
      const { orgId } = account();
      const key = await platform().signIn("nobody@example.com");
      const nothing = await complaint(["import"], { NEON_API_KEY: key });
      assert.match(nothing, /This API key, which belongs to account \S+, sees no project/);
      const foreign = await complaint(["import", "--organization", orgId], { NEON_API_KEY: key });
      assert.match(foreign, new RegExp(`sees no project in organization ${orgId}`));
      const own = await complaint(["import", "--organization", "org-of-nobody-12345678"]);
      assert.match(own, new RegExp(`Name one of its organizations with --organization: .*${orgId}`));
    });

    it("writes no file that has nothing in it, and says why it would", async () => {
      const out = newFolder();
      const { code, stdout, stderr } = await run(
        "--project",
        account().blog,
        "--branches",
        "of-nobody*",
        "--types",
        "Branch",
        "--out",
        out,
      );
      assert.deepEqual([code, existsSync(out)], [2, false], stdout);
      assert.match(stdout, /^Found nothing with \d+ requests/);
      assert.match(stderr, /^neon-pulumi: Nothing was written: there is nothing to take over\. Name other branches/);
      const state = join(folder, "foreign.tfstate");
      const resource = {
        mode: "managed",
        type: "neon_project",
        name: "own",
        instances: [{ attributes: { id: "of-nobody-1" } }],
      };
      writeFileSync(state, JSON.stringify({ version: 4, resources: [resource] }));
      const foreign = await run("--from", state, "--out", out);
      assert.deepEqual([foreign.code, existsSync(out)], [2, false], foreign.stdout);
      assert.match(foreign.stdout, /1 Project: they do not exist/);
    });

    it("names the account of a key that does not see a project", async () => {
      const key = await platform().signIn("stranger@example.com");
      const text = await complaint(["import", "--project", account().shop], { NEON_API_KEY: key });
      assert.match(
        text,
        /Project \S+ was not found: it does not exist, or this API key, which belongs to account \S+, cannot see it/,
      );
    });
  });
});

describe("cli: neon-pulumi import of 10,000 branches", function () {
  this.timeout(120_000);
  const folder = suiteFolder("neon-pulumi-import-");
  let requests = 0;
  const server = suite(
    async () => {
      const service = createServer((request, response) => {
        requests += 1;
        const url = new URL(request.url ?? "", "http://service");
        response.setHeader("x-rate-limit", "none").setHeader("content-type", "application/json");
        response.end(JSON.stringify(answerTo(url)));
      });
      await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
      return service;
    },
    (started: Server) => started.close(),
  );

  it("writes all of them, with a request for each page of the lists", async () => {
    const { port } = server().address() as AddressInfo;
    const account = { apiKey: "napi_of_a_test", apiUrl: `http://127.0.0.1:${port}/api/v2` };
    const args = ["import", "--project", "large-1", "--types", "Project,Branch", "--program", "--out", folder];
    const { code, stderr } = await neonPulumi(account, args);
    assert.equal(code, 0, stderr);
    const { resources } = JSON.parse(readFileSync(join(folder, "import.json"), "utf8")) as ImportFile;
    assert.equal(new Set(resources.map(({ type, logicalName }) => `${type} ${logicalName}`)).size, 10_001);
    assert.ok(requests < 100, `${requests} requests`);
  });
});

/** What a service with a project of 10,000 branches answers. */
function answerTo({ pathname, searchParams }: URL): object {
  const created_at = "2026-01-01T00:00:00Z";
  const branch = (number: number): object => {
    const id = `br-many-${String(number)}`;
    return { id, project_id: "large-1", name: `pr ${String(number % 5_000)}`, current_state: "ready", created_at };
  };
  const path = pathname.replace("/api/v2/projects/large-1", "");
  if (path === "") {
    const project = { id: "large-1", name: "large", region_id: "aws-us-east-2", pg_version: 17, platform_id: "aws" };
    return { project: { ...project, created_at, owner_id: "user-1", proxy_host: "aws.example" } };
  }
  if (path.endsWith("/endpoints")) return { endpoints: [] };
  if (path !== "/branches") return { branch: branch(Number(path.split("-").at(-1))) };
  const first = Number(searchParams.get("cursor") ?? 0);
  const count = Math.min(Number(searchParams.get("limit")), 10_000 - first);
  const branches = Array.from({ length: count }, (_, index) => branch(first + index));
  return { branches, pagination: count === 0 ? {} : { next: String(first + count) } };
}
