import assert from "node:assert/strict";

import { after, before } from "mocha";

/** Something that a suite needs: started before its tests, ended after them. */
export function suite<Started extends object>(
  start: () => Started | Promise<Started>,
  end: (started: Started) => unknown = () => undefined,
): () => Started {
  let started: Started | undefined;
  before(async () => {
    started = await start();
  });
  after(async () => {
    if (started !== undefined) await end(started);
  });
  return () => {
    assert.ok(started, "the suite has not started this yet");
    return started;
  };
}
