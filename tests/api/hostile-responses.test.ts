import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { describeError, summaryOf } from "../../api/core/errors";
import { branches, HttpError, NeonError } from "../../api/index";
import { operationSample } from "./samples";
import { errorOf, scriptedClient } from "./scripted-client";

const length = 100_000;

/** Texts of this length on which a careless regular expression tries every position again from every other one. */
const hostile: Readonly<Record<string, string>> = {
  "full stops": `${".".repeat(length)}x`,
  "exclamation marks": `${"!".repeat(length)}x`,
  "brackets that open": `${". (".repeat(length / 3)}x`,
  "brackets that open and close": `${". ()".repeat(length / 4)}x`,
  spaces: `x${" ".repeat(length)}x`,
  "line ends": `x${"\r\n".repeat(length / 2)}x`,
};

/** The members of an error that a service chooses. */
const members: Readonly<Record<string, (text: string) => object>> = {
  message: (text) => ({ message: text }),
  code: (text) => ({ message: "no", code: text }),
  "request id": (text) => ({ message: "no", request_id: text }),
};

async function errorWith(body: object): Promise<Error> {
  const { client } = scriptedClient([{ status: 400, body, headers: {} }]);
  return await errorOf(client.send(branches.list("late-frost-302709")));
}

/** The shortest of three times that this process has computed, in milliseconds: what others do meanwhile does not count. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.max(1, Math.min(...times));
}

describe("an error response whose texts are long", () => {
  for (const [member, bodyWith] of Object.entries(members)) {
    for (const [what, text] of Object.entries(hostile)) {
      it(`takes no longer with ${what} in its ${member} than with letters`, async () => {
        // A hundred times as long is nothing between two machines. With the square of the length, it is thousands of times.
        const usual = await timeOf(() => errorWith(bodyWith("x".repeat(text.length))));
        assert.ok((await timeOf(() => errorWith(bodyWith(text)))) < 100 * usual);
      });
    }

    it(`is a short message, however long its ${member} is`, async () => {
      const error = await errorWith(bodyWith("x".repeat(length)));
      assert.ok(HttpError.isInstance(error));
      assert.ok(error.message.length < 1000, `${error.message.length} characters`);
    });
  }

  it("is a short message if the text is an operation's", async () => {
    const { client } = scriptedClient([]);
    const operation = operationSample({ status: "error", error: ".".repeat(length) + "x" });
    const error = await errorOf(client.wait([operation]));
    assert.ok(NeonError.isInstance(error));
    assert.ok(error.message.length < 1000, `${error.message.length} characters`);
  });
});

describe("the message of an error", () => {
  for (const [what, text] of Object.entries(hostile)) {
    it(`takes no longer with ${what} than with letters`, async () => {
      const messageWith = (message: string): Promise<string> =>
        Promise.resolve(describeError(new Error(message), { state: summaryOf(new Error(message)) }));
      const usual = await timeOf(() => messageWith("x".repeat(text.length)));
      assert.ok((await timeOf(() => messageWith(text))) < 1000 * usual);
    });
  }

  for (const [text, sentence] of [
    ["It failed", "It failed."],
    ["It failed..", "It failed.."],
    ["Did it?", "Did it?"],
    ["It failed. (3 attempts)", "It failed. (3 attempts)"],
    ["It failed (3 attempts)", "It failed (3 attempts)."],
    ["It failed. (at f(x))", "It failed. (at f(x))"],
    ["", ""],
  ] as const) {
    it(`ends ${JSON.stringify(text)} as a sentence`, () => {
      assert.equal(describeError(new Error(text), {}), sentence);
    });
  }

  it("quotes the platform on one line, without its full stops", async () => {
    const error = await errorWith({ message: " the branch\n\tis\r\n locked... " });
    assert.match(error.message, /: the branch is locked \[request /);
  });
});
