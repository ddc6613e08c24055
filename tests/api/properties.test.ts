import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { describe, it } from "mocha";
import { z } from "zod";

import type { Request } from "../../api/core/request";
import { outcomeOfResponse } from "../../api/http/outcome";
import { idOf, segmentsOf } from "../../provider/kind/id";
import { quickSeed } from "../support/seeded-random";
import { anyText, anyValue } from "../support/unusual-values";

const folder = join(__dirname, "../../api/schemas");

/** One request of each function of the wire schemas that makes one of texts alone. */
function requests(): { readonly name: string; readonly request: Request<unknown> }[] {
  const modules = readdirSync(folder).filter((file) => file.endsWith(".js"));
  return modules.flatMap((file) =>
    // oxlint-disable-next-line typescript/no-require-imports -- found by looking, so that new ones are covered
    Object.entries(require(join(folder, file)) as object).flatMap(([noun, value]) => {
      if (typeof value !== "object" || value === null || value instanceof z.ZodType || Array.isArray(value)) return [];
      return Object.entries(value as object).flatMap(([verb, make]: [string, unknown]) => {
        try {
          const request = (make as (...texts: readonly string[]) => Request<unknown>)("a", "a", "a", "a", "a", "a");
          return [{ name: `${noun}.${verb}`, request }];
        } catch {
          return [];
        }
      });
    }),
  );
}

describe("api with random input", () => {
  const options = { seed: quickSeed(), numRuns: 20 };
  const status = fc.constantFrom(200, 201, 204, 299, 301, 400, 401, 404, 409, 423, 429, 500, 503, 599);
  const body = fc.oneof(
    anyValue.map((value) => (JSON.stringify(value) as string | undefined) ?? ""),
    anyText,
  );
  const header = fc.dictionary(fc.constantFrom("x-request-id", "retry-after", "content-type"), anyText);

  it("each request reads any response, or says why it cannot", () => {
    for (const { name, request } of requests()) {
      const property = fc.property(body, status, header, (content, code, headers) => {
        const response = { status: code, header: (key: string) => headers[key], body: content };
        const outcome = outcomeOfResponse(request, response, new Date(0), "request-1");
        if (outcome.is === "succeeded") return;
        assert.ok(outcome.error.message.includes(request.path), `${name}: ${outcome.error.message}`);
        if (outcome.is === "not performed") assert.ok((outcome.retryAfter ?? 0) >= 0, name);
      });
      fc.assert(property, options);
    }
  });

  it("the segments of an id are those that it was made of, with a replacement for half a character", () => {
    const segments = fc.array(anyText, { minLength: 1, maxLength: 4 });
    const property = fc.property(segments, (parts) =>
      assert.deepEqual(
        segmentsOf(idOf(...parts)),
        parts.map((part) => Buffer.from(part).toString()),
      ),
    );
    fc.assert(property, { ...options, numRuns: 200 });
  });
});
