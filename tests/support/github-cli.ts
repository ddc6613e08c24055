// Imitates `gh api` for the comments of a pull request. The file that COMMENTS names has them in the form of GitHub's API.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

interface Comment {
  readonly id: number;
  readonly body: string;
}

const { COMMENTS: file = "", GH_TOKEN: token, GITHUB_REPOSITORY: repository = "" } = process.env;
assert.ok(token, "gh needs a token");
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    method: { type: "string", default: "GET" },
    field: { type: "string" },
    jq: { type: "string" },
    paginate: { type: "boolean" },
    silent: { type: "boolean" },
  },
});
const [command, path = ""] = positionals;
assert.equal(command, "api");

const comments = JSON.parse(readFileSync(file, "utf8")) as Comment[];
/** The value of `--field body=@<file>`. */
const body = (): string => readFileSync(/^body=@(.+)$/.exec(values.field ?? "")?.[1] ?? "", "utf8");
const request = `${values.method} ${path.replace(repository, "<repository>")}`;
if (/^GET repos\/<repository>\/issues\/\d+\/comments$/.test(request)) {
  assert.ok(values.paginate, "a list has more than one page");
  const start = /^\.\[\] \| select\(\.body \| startswith\("(.+)"\)\) \| \.id$/.exec(values.jq ?? "")?.[1];
  assert.ok(start, `unexpected --jq ${values.jq}`);
  for (const { id } of comments.filter((one) => one.body.startsWith(start))) console.log(id);
} else if (/^POST repos\/<repository>\/issues\/\d+\/comments$/.test(request)) {
  writeFileSync(file, JSON.stringify([...comments, { id: comments.length + 1, body: body() }]));
} else {
  const edited = Number(/^PATCH repos\/<repository>\/issues\/comments\/(\d+)$/.exec(request)?.[1]);
  assert.ok(
    comments.some(({ id }) => id === edited),
    `unexpected request ${request}`,
  );
  writeFileSync(file, JSON.stringify(comments.map((one) => (one.id === edited ? { id: edited, body: body() } : one))));
}
