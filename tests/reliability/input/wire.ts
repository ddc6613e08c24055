import assert from "node:assert/strict";

import fc from "fast-check";

import { NeonClient } from "../../../api/client";
import { camelKey, fromWire, isUserMap, snakeKey, toWire } from "../../../api/core/camel-case";
import { outcomeOfResponse } from "../../../api/http/outcome";
import { adoptedSegment, identifiedBy, idOf, segmentsOf } from "../../../provider/kind/id";
import type { Property } from "./property";
import { changes, nearly, requestFunctions, wireSchemas } from "./schemas";
import { anyText, anyValue, deepValue, objectOf, unusualText } from "./unusual";

/** The properties of everything between the provider and the platform. */
export function wire(): Property[] {
  return [...schemas(), ...answers(), ...paths(), ...ids, ...memberNames];
}

function schemas(): Property[] {
  return wireSchemas().map(({ name, schema }) => ({
    group: "each wire schema takes or refuses anything, and changes nothing that it takes",
    name,
    weight: 1,
    property: fc.property(nearly(schema), (value) => {
      const prototype = Object.getOwnPropertyNames(Object.prototype).join();
      const copy = structuredClone(value);
      const parsed = schema.safeParse(value);
      assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), prototype);
      assert.deepEqual(value, copy);
      if (parsed.success) assert.deepEqual(changes(schema, value, parsed.data), []);
    }),
  }));
}

function answers(): Property[] {
  return requestFunctions().map(({ name, model: request }) => {
    const text = fc
      .oneof(nearly(request.schema), anyValue, deepValue)
      .map((value) => (JSON.stringify(value) as string | undefined) ?? "");
    const body = fc.oneof(
      { weight: 6, arbitrary: text },
      { weight: 1, arbitrary: anyText },
      { weight: 1, arbitrary: fc.tuple(text, fc.nat()).map(([whole, at]) => whole.slice(0, at % (whole.length + 1))) },
    );
    const status = fc.constantFrom(200, 201, 202, 204, 299, 301, 400, 401, 404, 409, 423, 429, 500, 503, 599);
    const header = fc.dictionary(fc.constantFrom("x-request-id", "retry-after", "content-type"), unusualText);
    return {
      group: "each request reads any answer, or says why it cannot",
      name,
      weight: 1,
      property: fc.property(body, status, header, (content, code, headers) => {
        const wireAnswer = { status: code, header: (key: string) => headers[key], body: content };
        const outcome = outcomeOfResponse(request, wireAnswer, new Date(0), "request-1");
        if (outcome.is === "succeeded") return;
        assert.ok(outcome.error.message.includes(request.path), outcome.error.message);
        if (outcome.is === "not performed") assert.ok((outcome.retryAfter ?? 0) >= 0);
      }),
    };
  });
}

const base = "https://platform.example/api/v2";

function paths(): Property[] {
  return (
    requestFunctions()
      // A text in place of a whole query is not a meaningful request.
      .filter(({ model }) => typeof model.query !== "string")
      .map(({ name, make, model }) => ({
        group: "each request asks for what it is given, and for nothing else",
        name,
        weight: 1,
        property: fc.asyncProperty(fc.array(anyText, { minLength: 6, maxLength: 6 }), async (texts) => {
          const request = make(texts);
          if (request === undefined) {
            assert.ok(texts.some((text) => ["", ".", ".."].includes(text) || /\p{Surrogate}/u.test(text)));
            return;
          }
          assert.equal(request.path.split("/").length, model.path.split("/").length);
          let sent = "";
          const client = new NeonClient({
            apiKey: "napi_some_key",
            apiUrl: base,
            transport: ({ url }) => {
              sent = url;
              return Promise.resolve({ status: 404, header: () => undefined, body: "" });
            },
          });
          const error = await client.send(request).catch((reason: unknown) => reason);
          if (sent === "") {
            assert.ok(error instanceof TypeError && texts.some((text) => /\p{Surrogate}/u.test(text)));
            return;
          }
          assert.equal(new URL(sent).pathname, new URL(base).pathname + request.path);
          assert.equal(new URL(sent).hash, "");
        }),
      }))
  );
}

const segment = unusualText.filter((text) => !/\p{Surrogate}/u.test(text));
const segments = fc.array(segment, { minLength: 1, maxLength: 4 });

const ids: readonly Property[] = [
  {
    group: "ids",
    name: "the segments of an id are those that it was made of",
    weight: 5,
    property: fc.property(segments, (parts) => assert.deepEqual(segmentsOf(idOf(...parts)), parts)),
  },
  {
    group: "ids",
    name: "an id says what identifies an object, and the object has that id",
    weight: 5,
    property: fc.property(
      fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 4 }),
      (members) => {
        const { address, id } = identifiedBy(...members);
        fc.assert(
          fc.property(fc.array(segment, { minLength: members.length, maxLength: members.length }), (parts) => {
            const outputs = Object.fromEntries(members.map((name, index) => [name, parts[index] ?? ""]));
            assert.deepEqual(address(id(outputs)), outputs);
          }),
          { numRuns: 5 },
        );
      },
    ),
  },
  {
    group: "ids",
    name: "what is no id is taken apart, too",
    weight: 5,
    property: fc.property(anyText, (text) => assert.ok(segmentsOf(text).length >= 1)),
  },
  {
    group: "ids",
    name: "a whole id adopts what it says, and so does a name alone",
    weight: 5,
    property: fc.property(segments, segment, (before, name) => {
      assert.equal(adoptedSegment(idOf(...before, name), ...before), name);
      if (!name.includes("/")) assert.equal(adoptedSegment(name, ...before), name);
    }),
  },
];

/** A member's name as the wire writes it, with digits and underscores anywhere. */
const snakeName = fc.stringMatching(/^[a-z0-9_]{1,12}$/).filter((name) => !isUserMap(camelKey(name)));
const map = fc.array(fc.tuple(anyText, anyText), { maxLength: 4 }).map(objectOf);

const memberNames: readonly Property[] = [
  {
    group: "names of members",
    name: "names of members come back",
    weight: 5,
    property: fc.property(snakeName, (name) => assert.equal(snakeKey(camelKey(name)), name)),
  },
  {
    group: "names of members",
    name: "values come back with their names, and the user's own names are nobody's to change",
    weight: 5,
    property: fc.property(
      fc.array(fc.tuple(snakeName, fc.oneof(map.map(inMap), anyText, fc.double())), { maxLength: 4 }).map(objectOf),
      (value) => {
        const read = fromWire(value);
        assert.deepEqual(toWire(read), value);
        for (const [name, member] of Object.entries(value)) {
          assert.deepEqual(read[camelKey(name)], camelCased(member));
        }
      },
    ),
  },
];

function inMap(members: Record<string, unknown>): object {
  return { annotation_value: members };
}

function camelCased(member: unknown): unknown {
  return typeof member === "object" && member !== null && "annotation_value" in member
    ? { annotationValue: member.annotation_value }
    : member;
}
