import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { describe, it } from "mocha";

import { segmentsOf } from "../../sdk/id";
import { assertFails, valueOf } from "./program";

describe("an id in state", () => {
  const form = "<organization>/<key>";

  it("is taken apart into what the platform writes, also when it is known later", async () => {
    const id = pulumi.output(Promise.resolve("org-quiet-river-302709/a%2Fb"));
    const segment = segmentsOf(id, form);
    assert.deepEqual(await Promise.all([0, 1].map((index) => valueOf(segment(index)))), [
      "org-quiet-river-302709",
      "a/b",
    ]);
  });

  it("of another form is refused with the form it has to have", async () => {
    const nothing = pulumi.output(undefined as unknown as string);
    for (const id of ["165435", "org/one/two", "org/", "/one", "org/%zz", ""]) {
      await assertFails(
        valueOf(segmentsOf(id === "" ? nothing : id, form)(0)),
        new RegExp(`^"${id}" is no id in state of this kind: it is "<organization>/<key>"\\.$`),
      );
    }
  });
});
