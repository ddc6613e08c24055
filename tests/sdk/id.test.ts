import * as pulumi from "@pulumi/pulumi";
import { describe, it } from "mocha";

import { segmentsOf } from "../../sdk/id";
import { assertFails, valueOf } from "./program";

describe("segmentsOf", () => {
  const form = "<orgId>/<keyId>";

  it("rejects an id of another form, and names the expected form", async () => {
    const nothing = pulumi.output(undefined as unknown as string);
    for (const id of ["165435", "org/one/two", "org/", "/one", "org/%zz", ""]) {
      await assertFails(
        valueOf(segmentsOf(id === "" ? nothing : id, form)(0)),
        `"${id}" is not a valid id of this resource. Its form is "${form}".`,
      );
    }
  });
});
