import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";

import { stateFolder } from "../../provider/ownership/backend";
import { stackIdentity, type StackFacts } from "../../provider/ownership/stack-identity";
import { backendIn } from "../support/backend";

const first = "https://api.pulumi.com";
const second = "s3://states/second";
const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/neon:Project::shop";

describe("the identity of a stack on this machine", () => {
  let root: string;
  let folders = 0;
  before(() => {
    root = mkdtempSync(join(tmpdir(), "neon-pulumi-identity-"));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  function folder(files: Readonly<Record<string, string>> = {}): string {
    folders += 1;
    const path = join(root, `folder-${folders}`);
    mkdirSync(path);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
    return path;
  }

  function home(current: unknown): string {
    return folder({ "credentials.json": JSON.stringify({ current, accessTokens: {} }) });
  }

  /** The identity in one place, with what is different. */
  function identityWith(other: Partial<StackFacts>, program = folder()): string {
    return stackIdentity({ environment: {}, home: home(first), folder: program, organization: "acme", urn, ...other });
  }

  it("is the same in every run in the same place", () => {
    const [program, own] = [folder(), home(first)];
    assert.equal(identityWith({ home: own }, program), identityWith({ home: own }, program));
    assert.match(identityWith({}), /^[0-9a-f]{24}$/);
  });

  it("tells backends apart that PULUMI_BACKEND_URL names, whatever else names one", () => {
    const program = folder({ "Pulumi.yaml": `name: shop\nbackend:\n  url: ${first}\n` });
    const named = (PULUMI_BACKEND_URL: string) => identityWith({ environment: { PULUMI_BACKEND_URL } }, program);
    assert.notEqual(named(first), named(second));
    assert.equal(named(first), identityWith({ home: home(second) }, program));
    // One that is empty names none.
    assert.equal(named(""), named(first));
  });

  /** A program folder with a Pulumi.yaml, of somebody who has logged in to another backend. */
  function withYaml(backend: string): Partial<StackFacts> {
    const text = `name: shop\nruntime: nodejs\n${backend}description: a shop\n`;
    return { home: home("file://~"), folder: folder({ "Pulumi.yaml": text }) };
  }

  const places: Readonly<Record<string, (url: string) => Partial<StackFacts>>> = {
    "of Pulumi.yaml in block form": (url) => withYaml(`backend:\n  url: ${url}\n`),
    "of Pulumi.yaml in block form, in quotes": (url) => withYaml(`backend:\n    url: "${url}"\n`),
    "of Pulumi.yaml in block form, in single quotes": (url) => withYaml(`backend:\n  url: '${url}'\n`),
    "of Pulumi.yaml in block form, after another member": (url) =>
      withYaml(`backend:\n  other: value\n  url: ${url}\n`),
    "of Pulumi.yaml in block form, with Windows line ends": (url) => withYaml(`backend:\r\n  url: ${url}\r\n`),
    "of Pulumi.yaml in flow form": (url) => withYaml(`backend: {url: "${url}"}\n`),
    "of Pulumi.yaml in flow form, with spaces": (url) => withYaml(`backend: { url: ${url} }\n`),
    "in Pulumi.yml": (url) => ({ folder: folder({ "Pulumi.yml": `name: shop\nbackend: {url: "${url}"}\n` }) }),
    "in Pulumi.json": (url) => ({
      folder: folder({ "Pulumi.json": JSON.stringify({ name: "shop", backend: { url } }) }),
    }),
    "in the project file above the folder of `main`": (url) => {
      const project = folder({ "Pulumi.yaml": `name: shop\nmain: src\nbackend:\n  url: ${url}\n` });
      mkdirSync(join(project, "src"));
      return { folder: join(project, "src") };
    },
    "in the credentials of PULUMI_CREDENTIALS_PATH": (url) => ({
      environment: { PULUMI_CREDENTIALS_PATH: home(url) },
    }),
  };
  for (const [title, place] of Object.entries(places)) {
    it(`takes the backend ${title} before the one of the last login`, () => {
      for (const url of [second, "https://states.example/of mine"]) {
        const facts = { folder: folder(), ...place(url) };
        assert.equal(identityWith(facts), identityWith({ ...facts, environment: { PULUMI_BACKEND_URL: url } }));
      }
    });
  }

  it("takes no URL elsewhere in Pulumi.yaml for the backend", () => {
    const program = folder({
      "Pulumi.yaml": `name: shop\nwebsite: https://shop.example\ntemplate:\n  url: ${second}\n`,
    });
    assert.equal(
      identityWith({ home: home(first) }, program),
      identityWith({ environment: { PULUMI_BACKEND_URL: first } }, program),
    );
  });

  it("tells backends apart by the last login where nothing else names one", () => {
    const program = folder();
    assert.notEqual(identityWith({ home: home(first) }, program), identityWith({ home: home(second) }, program));
    // Another home that is logged in to the same backend is the same stack.
    assert.equal(identityWith({ home: home(first) }, program), identityWith({ home: home(first) }, program));
  });

  it("is nobody's if nothing names the backend", () => {
    const program = folder();
    for (const unknown of [
      join(root, "no-such-folder"),
      folder({ "credentials.json": "{" }),
      home(undefined),
      home(42),
    ]) {
      assert.notEqual(identityWith({ home: unknown }, program), identityWith({ home: unknown }, program));
    }
  });

  it("tells the folders of two users apart that file://~ means", () => {
    const program = folder();
    const of = (HOME: string) => identityWith({ environment: { PULUMI_BACKEND_URL: "file://~", HOME } }, program);
    const [one, other] = [folder(), folder()];
    for (const home of [one, other]) backendIn(home);
    assert.equal(of(one), of(one));
    assert.notEqual(of(one), of(other));
  });

  it("finds the folder of a URL with escaped characters, and of one without", () => {
    const states = join(root, "my state");
    backendIn(states);
    const expected = join(states, ".pulumi");
    for (const path of [states, states.replaceAll(" ", "%20")]) assert.equal(stateFolder(`file://${path}`), expected);
  });

  it("tells a folder apart from one that takes its place later", () => {
    const [program, states] = [folder(), join(root, "states")];
    const environment = { PULUMI_BACKEND_URL: backendIn(states) };
    const before = identityWith({ environment }, program);
    assert.equal(identityWith({ environment }, program), before);
    renameSync(states, `${states}-archived`);
    assert.notEqual(identityWith({ environment }, program), identityWith({ environment }, program), "none is there");
    backendIn(states);
    assert.notEqual(identityWith({ environment }, program), before);
  });

  it("is nobody's if the backend is a path that depends on the current folder", () => {
    const program = folder();
    const environment = { PULUMI_BACKEND_URL: "file://./state" };
    assert.notEqual(identityWith({ environment }, program), identityWith({ environment }, program));
  });

  it("tells organizations apart", () => {
    const program = folder();
    const of = (organization: string | undefined) => identityWith({ organization }, program);
    assert.equal(new Set([of("acme"), of("friends"), of(undefined)]).size, 3);
  });

  it("tells program folders apart, and finds one through a symbolic link", () => {
    const program = folder();
    const link = join(root, "link");
    symlinkSync(program, link, "dir");
    assert.equal(identityWith({}, link), identityWith({}, program));
    assert.notEqual(identityWith({}, folder()), identityWith({}, program));
    assert.notEqual(identityWith({}, join(root, "gone")), identityWith({}, program));
  });
});
