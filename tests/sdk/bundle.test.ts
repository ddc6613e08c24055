import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import * as pulumi from "@pulumi/pulumi";
import { describe, it } from "mocha";

import { bundled } from "../../bundle/bundle";
import type { BundleOptions } from "../../bundle/options";
import * as neon from "../../sdk";
import { filesIn, writeFiles } from "../support/files";
import { suiteFolder } from "../support/folder";

describe("neon.bundle", () => {
  const root = suiteFolder("neon-pulumi-bundled-");
  let count = 0;
  /** Writes a program's folder, with packages of this repository. */
  const newProgram = (files: Readonly<Record<string, string>>, packages: readonly string[] = []): string => {
    const folder = join(root, String((count += 1)), "program");
    writeFiles(folder, { "package.json": '{ "private": true }', ...files });
    link(folder, packages);
    return folder;
  };
  /** The archive of a source in a new folder. */
  const archiveOf = async (
    files: Readonly<Record<string, string>>,
    options: BundleOptions = {},
    packages: readonly string[] = [],
  ): Promise<string> => pathOf(await neon.bundle(join(newProgram(files, packages), "api/index.ts"), options));

  describe("the code", () => {
    it("runs with a router and drivers, of which some are CommonJS and require modules of Node", async () => {
      const source = `
        import { neon } from "@neondatabase/serverless";
        import { Hono } from "hono";
        import pg from "pg";
        const sql = neon("postgresql://app:word@ep-some-1.example/shop");
        const pool = new pg.Pool({ connectionString: "postgresql://app:word@127.0.0.1:1/shop" });
        const app = new Hono().get("/:name", async (context) => {
          const failure = await pool.query("SELECT 1").catch((error: NodeJS.ErrnoException) => error.code);
          return context.json({ name: context.req.param("name"), failure, sql: typeof sql });
        });
        export default app;`;
      const archive = await archiveOf({ "api/index.ts": source }, {}, ["@neondatabase/serverless", "hono", "pg"]);
      assert.deepEqual(names(archive), ["index.mjs", "index.mjs.map"]);
      assert.deepEqual(await answer(archive, "/notes"), { name: "notes", failure: "ECONNREFUSED", sql: "function" });
    });

    it("may declare names that CommonJS has, and finds them if it does not", async () => {
      const files = {
        "api/index.ts": `
          import { createRequire } from "node:module";
          import { dirname } from "node:path";
          import { fileURLToPath } from "node:url";
          import { common } from "../lib/common.cjs";
          const require = createRequire(import.meta.url);
          const __dirname = dirname(fileURLToPath(import.meta.url));
          const system: { platform(): string } = require("node:os");
          export default { fetch: () => Response.json([common === __dirname, system.platform()]) };`,
        "lib/common.cjs": `exports.common = require("path").dirname(__filename) === __dirname && __dirname;`,
      };
      for (const minify of [false, true]) {
        assert.deepEqual(await answer(await archiveOf(files, { minify })), [true, process.platform]);
      }
    });

    it("has no part that nothing uses", async () => {
      const archive = await archiveOf({
        "api/index.ts": `import { used } from "./parts"; export default { fetch: () => Response.json(used) };`,
        "api/parts.ts": `export const used: string = "is used"; export const other = () => "is not used";`,
      });
      const code = readFileSync(join(archive, "index.mjs"), "utf8");
      assert.match(code, /is used/);
      assert.doesNotMatch(code, /is not used/);
    });

    it("is what the options of esbuild make of it, its files of other loaders included", async () => {
      const archive = await archiveOf(
        {
          "api/index.ts": `
            import query from "./query.sql";
            import picture from "./picture.svg";
            export default { fetch: () => Response.json([VERSION, query, new URL(picture, import.meta.url).pathname.split("/").at(-1)]) };`,
          "api/query.sql": "SELECT 1",
          "api/picture.svg": "<svg/>",
        },
        {
          assetNames: "[name]",
          banner: { js: "// of the program" },
          define: { VERSION: '"1.4.0"' },
          loader: { ".sql": "text", ".svg": "file" },
          minify: true,
        },
      );
      assert.deepEqual(names(archive), ["index.mjs", "index.mjs.map", "picture.svg"]);
      assert.deepEqual(await answer(archive), ["1.4.0", "SELECT 1", "picture.svg"]);
      assert.match(readFileSync(join(archive, "index.mjs"), "utf8"), /^\/\/ of the program$/m);
    });
  });

  describe("equal sources", () => {
    const files = {
      "api/index.ts": `
        import { words } from "words";
        import { own } from "../lib/own";
        export default { fetch: () => Response.json([words, own]) };`,
      "lib/own.ts": "export const own: number = 1;",
    };
    const words = {
      "node_modules/words/package.json": '{ "name": "words" }',
      "node_modules/words/index.js": `exports.words = [require("./more"), "end"];`,
      "node_modules/words/more.js": `module.exports = "more";`,
    };
    const bundleOf = async (folder: string, entry = "api/index.ts"): Promise<object> => {
      const { files: found } = await bundled(folder, entry, {});
      return Object.fromEntries([...found].map(([name, content]) => [name, Buffer.from(content).toString()]));
    };

    it("make equal archives in any folder, wherever their packages and the program are", async () => {
      const beside = newProgram({ ...files, ...words });
      const inner = newProgram(files);
      writeFiles(resolve(inner, ".."), words);
      const linked = newProgram(files);
      mkdirSync(join(linked, "node_modules"));
      symlinkSync(join(beside, "node_modules", "words"), join(linked, "node_modules", "words"), "junction");
      const expected = await bundleOf(beside);
      for (const folder of [inner, linked]) assert.deepEqual(await bundleOf(folder), expected);
      assert.deepEqual(await bundleOf(newProgram({}), join(beside, "api", "index.ts")), expected);
    });

    it("have relative paths in code and source map, and no path of the machine", async () => {
      const folder = newProgram({ ...files, ...words });
      const found = Object.entries(await bundleOf(folder)) as [string, string][];
      for (const [name, text] of found) assert.ok(!text.includes(root), name);
      const map = JSON.parse(found.find(([name]) => name === "index.mjs.map")?.[1] ?? "") as Record<string, unknown>;
      assert.deepEqual(map["sources"], [
        "node_modules/words/more.js",
        "node_modules/words/index.js",
        "api/index.ts",
        "lib/own.ts",
      ]);
    });

    it("make another archive after a change of one character", async () => {
      const folder = newProgram({ ...files, ...words });
      const before = await bundleOf(folder);
      writeFiles(folder, { "lib/own.ts": "export const own: number = 2;" });
      assert.notDeepEqual(await bundleOf(folder), before);
    });
  });

  describe("fails", () => {
    for (const [title, source, expected] of [
      [
        "for a syntax error",
        "export default {\n  fetch: () => ;\n};",
        /ERROR\] Unexpected ";"[\s\S]*api\/index\.ts:2:15:/,
      ],
      [
        "for an import that is missing",
        'import { x } from "./gone";\nx();',
        /Could not resolve ".\/gone"[\s\S]*api\/index\.ts:1:18:/,
      ],
      [
        "for a package that is not installed",
        'import "not-installed";',
        /Could not resolve "not-installed"[\s\S]*:1:7:/,
      ],
    ] as const) {
      it(`${title} in esbuild's words, with file, line and column`, async () => {
        const message = await failureOf(archiveOf({ "api/index.ts": source }));
        assert.match(message, /^neon\.bundle\("[^"]+api\/index\.ts"\) failed: ✘ \[/);
        assert.match(message, expected);
        assert.doesNotMatch(message, /^\s+at /m);
      });
    }

    it("with six messages of many", async () => {
      const source = Array.from({ length: 9 }, (_, index) => `import "./gone-${index}";`).join("\n");
      const message = await failureOf(archiveOf({ "api/index.ts": source }));
      assert.equal(message.match(/✘ \[ERROR\]/g)?.length, 6);
      assert.match(message, /and 3 more$/);
    });

    it("for an entry that does not exist", async () => {
      assert.match(
        await failureOf(neon.bundle("no/such.ts")),
        /^neon\.bundle\("no\/such\.ts"\) failed: .*Could not resolve/,
      );
    });

    it("for a style sheet as the entry", async () => {
      const style = join(newProgram({ "site.css": "a { color: red }" }), "site.css");
      assert.match(await failureOf(neon.bundle(style)), /failed: The source is a style sheet, not a program\.$/);
    });

    it("for an option that the archive fixes, and for one that esbuild does not have", async () => {
      const source = { "api/index.ts": "export default {};" };
      const fixed = { format: "cjs" } as BundleOptions;
      assert.match(await failureOf(archiveOf(source, fixed)), /failed: The option `format` cannot be set/);
      const misspelt = { machine: "Local" } as unknown as BundleOptions;
      assert.match(
        await failureOf(archiveOf(source, misspelt)),
        /failed: The option `machine` must be "neon" or "local"/,
      );
      const unknown = { minfy: true } as BundleOptions;
      assert.match(
        await failureOf(archiveOf(source, unknown)),
        /failed: ✘ \[ERROR\] Invalid option in build\(\) call: "minfy"$/,
      );
    });

    for (const [title, value] of [
      ["an output", pulumi.secret('"hunter2"')],
      ["a text that is made of an output", JSON.stringify(pulumi.secret("hunter2"))],
    ] as const) {
      it(`for ${title} as a definition, which would put a secret into the code`, async () => {
        const options = { define: { TOKEN: value as string } };
        const message = await failureOf(archiveOf({ "api/index.ts": "export default TOKEN;" }, options));
        assert.match(message, /`define\.TOKEN` is an output\..* Declare the value in `environment` of the `Function`/);
      });
    }
  });

  describe("external packages", () => {
    /** A package whose value is a list of its name and those of its dependencies. */
    const pack = (name: string, more: object = {}, loads: readonly string[] = []): Readonly<Record<string, string>> => {
      const inner = name.slice(name.lastIndexOf("node_modules/") + "node_modules/".length);
      const loaded = loads.map((one) => `require(${JSON.stringify(one)})`).join(", ");
      return {
        [`${name}/package.json`]: JSON.stringify({ name: inner, version: "1.0.0", ...more }),
        [`${name}/index.js`]: `module.exports = [__dirname, ${loaded}];`,
      };
    };
    const source = `import outer from "outer"; export default { fetch: () => Response.json(outer) };`;
    const external = ["outer"];

    it("are in the archive with all that they depend on, in the versions that they find", async () => {
      const archive = await archiveOf(
        {
          "api/index.ts": source,
          ...pack("node_modules/outer", { dependencies: { inner: "2", "@scope/leaf": "1", "@types/leaf": "1" } }, [
            "inner",
            "@scope/leaf",
          ]),
          ...pack("node_modules/outer/node_modules/inner", { version: "2.0.0", peerDependencies: { outer: "*" } }),
          ...pack("node_modules/inner"),
          ...pack(
            "node_modules/@scope/leaf",
            { dependencies: { inner: "1" }, optionalDependencies: { "not-there": "1" } },
            ["inner"],
          ),
          ...pack("node_modules/@types/leaf"),
          ...pack("node_modules/unused"),
        },
        { external: [...external, "inner"] },
      );
      assert.deepEqual(
        names(archive).filter((name) => name.endsWith("package.json")),
        ["@scope/leaf", "inner", "outer/node_modules/inner", "outer"].map(
          (name) => `node_modules/${name}/package.json`,
        ),
      );
      const folder = (name: string): string => join(archive, "node_modules", name);
      assert.deepEqual(await answer(archive), [
        folder("outer"),
        [folder("outer/node_modules/inner")],
        [folder("@scope/leaf"), [folder("inner")]],
      ]);
    });

    it("may depend on each other, and may be all packages", async () => {
      const archive = await archiveOf(
        {
          "api/index.ts": source,
          ...pack("node_modules/outer", { dependencies: { inner: "1" } }, ["inner"]),
          ...pack("node_modules/inner", { dependencies: { outer: "1" } }),
        },
        { packages: "external" },
      );
      assert.deepEqual(await answer(archive), [
        join(archive, "node_modules/outer"),
        [join(archive, "node_modules/inner")],
      ]);
    });

    it("fail if one is not installed, unless only a package tries to require it", async () => {
      const imported = archiveOf({ "api/index.ts": source }, { external });
      assert.match(await failureOf(imported), /failed: The external package outer is not installed\./);
      const dependency = archiveOf(
        { "api/index.ts": source, ...pack("node_modules/outer", { dependencies: { inner: "1" } }) },
        { external },
      );
      assert.match(
        await failureOf(dependency),
        /failed: inner, a dependency of the external package outer, is not installed\./,
      );
      const tried = await archiveOf(
        {
          "api/index.ts": source,
          ...pack("node_modules/outer"),
          "node_modules/outer/index.js": `try { require("inner"); } catch { module.exports = "without"; }`,
        },
        { external: ["inner"] },
      );
      assert.equal(await answer(tried), "without");
    });

    it("are taken without files of variables, which a linked package has", async () => {
      const linked = { ".env": "TOKEN=word", ".env.local": "TOKEN=word", ".npmignore": "" };
      const files = Object.entries(linked).map(([name, text]) => [`node_modules/outer/${name}`, text]);
      const archive = await archiveOf(
        { "api/index.ts": source, ...pack("node_modules/outer"), ...(Object.fromEntries(files) as typeof linked) },
        { external },
      );
      const hidden = names(archive).filter((name) => name.includes("/."));
      assert.deepEqual(hidden, ["node_modules/outer/.npmignore"]);
    });

    it("fail for a package.json that is damaged, with the name of its package", async () => {
      const damaged = { "api/index.ts": source, ...pack("node_modules/outer"), "node_modules/outer/package.json": "{" };
      assert.match(
        await failureOf(archiveOf(damaged, { external })),
        /failed: The package\.json of the external package outer cannot be read: .*JSON/,
      );
    });

    it("fail for two versions of one, and for a file", async () => {
      const two = archiveOf(
        {
          "api/index.ts": `import "outer"; import "middle"; export default {};`,
          ...pack("node_modules/outer"),
          ...pack("node_modules/middle", {}, ["outer"]),
          ...pack("node_modules/middle/node_modules/outer"),
        },
        { external },
      );
      assert.match(await failureOf(two), /failed: The external package outer is imported in two versions\./);
      const file = archiveOf(
        { "api/index.ts": `import "./other.mjs"; export default {};` },
        { external: ["./api/other.mjs"] },
      );
      assert.match(await failureOf(file), /failed: "\.\/api\/other\.mjs" is external and not the name of a package/);
    });

    describe("with native code", () => {
      const [linuxX64, linuxArm64] = [0x3e, 0xb7].map((processor) =>
        Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01"), Buffer.alloc(11), Buffer.from([processor, 0])]),
      );
      const macos = Buffer.from("cffaedfe0c000001", "hex");
      /** The names of the native files of an archive with the package `outer`, whose packages have these. */
      const natives = async (
        packages: Readonly<Record<string, object>>,
        addons: Readonly<Record<string, Buffer | undefined>>,
        options: BundleOptions = {},
      ): Promise<readonly string[]> => {
        const packed = Object.entries(packages).map(([name, more]) => pack(`node_modules/${name}`, more));
        const program = newProgram(Object.assign({ "api/index.ts": source }, ...packed) as Record<string, string>);
        for (const [file, content] of Object.entries(addons)) {
          mkdirSync(join(program, "node_modules", file, ".."), { recursive: true });
          writeFileSync(join(program, "node_modules", file), content ?? assert.fail());
        }
        const archive = await pathOf(await neon.bundle(join(program, "api/index.ts"), { external, ...options }));
        return names(archive).filter((name) => name.endsWith(".node"));
      };
      const forNeon =
        /Neon runs functions on Linux with arm64\. .+ `npm install --os=linux --cpu=arm64 --libc=glibc` in its folder\. .+ `machine: "local"`\./;
      /** The packages of a library that has one for each machine. */
      const perMachine = {
        outer: {
          optionalDependencies: { "outer-linux-x64": "1", "outer-linux-arm64": "1", "outer-darwin-arm64": "1" },
        },
        "outer-linux-x64": { os: ["linux"], cpu: ["x64"] },
      };

      it("fail if the package is built for another machine, which the error names", async () => {
        for (const [addon, machine] of [
          [linuxX64, "Linux with x64"],
          [macos, "macOS"],
        ] as const) {
          const message = await failureOf(natives({ outer: {} }, { "outer/build/a.node": addon }));
          assert.match(message, new RegExp(`The external package outer is installed for ${machine}\\.`));
          assert.match(message, forNeon);
        }
      });

      it("are taken along if one of its files is for Neon's machines", async () => {
        const addons = { "outer/prebuilds/a.node": macos, "outer/prebuilds/b.node": linuxArm64 };
        assert.equal((await natives({ outer: {} }, addons)).length, 2);
      });

      it("fail if the package for Neon's machines is not installed, which the error names", async () => {
        const message = await failureOf(natives(perMachine, { "outer-linux-x64/a.node": linuxX64 }));
        assert.match(message, /The external package outer lacks outer-linux-arm64\./);
        assert.match(message, forNeon);
      });

      it("leave out the packages for other machines", async () => {
        const packages = { ...perMachine, "outer-linux-arm64": { os: "linux", cpu: ["!x64"], libc: ["glibc"] } };
        const addons = { "outer-linux-x64/a.node": linuxX64, "outer-linux-arm64/a.node": linuxArm64 };
        assert.deepEqual(await natives(packages, addons), ["node_modules/outer-linux-arm64/a.node"]);
      });

      it("fail if a package that must be there is for other machines", async () => {
        const packages = { outer: { dependencies: { inner: "1" } }, inner: { os: ["!linux"] } };
        assert.match(await failureOf(natives(packages, {})), /The external package inner is for other machines\. /);
      });

      it("are taken as they are installed for the local platform", async () => {
        const addons = { "outer/build/a.node": macos, "outer-linux-x64/a.node": linuxX64 };
        assert.deepEqual(await natives(perMachine, addons, { machine: "local" }), [
          "node_modules/outer-linux-x64/a.node",
          "node_modules/outer/build/a.node",
        ]);
      });
    });
  });
});

/** Links packages of this repository into a folder. */
function link(folder: string, packages: readonly string[]): void {
  for (const name of packages) {
    const path = join(folder, "node_modules", name);
    mkdirSync(resolve(path, ".."), { recursive: true });
    symlinkSync(resolve("node_modules", name), path, "junction");
  }
}

async function pathOf(archive: pulumi.asset.Archive): Promise<string> {
  assert.ok(archive instanceof pulumi.asset.FileArchive);
  return await archive.path;
}

/** The names of the files of an archive. */
function names(archive: string): readonly string[] {
  return filesIn(archive).map((file) => relative(archive, file).replaceAll("\\", "/"));
}

/** Loads the code of an archive as the runtime does, and calls it. */
async function answer(archive: string, path = "/"): Promise<unknown> {
  const module = (await import(pathToFileURL(join(archive, "index.mjs")).href)) as {
    readonly default: { readonly fetch: (request: Request) => Response | Promise<Response> };
  };
  return (await module.default.fetch(new Request(`http://localhost${path}`))).json();
}

async function failureOf(archive: Promise<unknown>): Promise<string> {
  try {
    await archive;
  } catch (error) {
    assert.ok(pulumi.RunError.isInstance(error), String(error));
    return error.message;
  }
  assert.fail("it was bundled");
}
