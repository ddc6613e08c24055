import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

import { describe, it } from "mocha";
import sinon from "sinon";

import { exitWithEngine } from "../../provider/pulumi/engine";
import { settleAtEnd } from "../../provider/pulumi/run-end";
import { ManualClock } from "../support/clock";
import { until } from "../support/until";

/** A process that notes when it is ended. */
class WatchedProcess extends EventEmitter {
  readonly exits: number[] = [];

  exit(code: number): void {
    this.exits.push(code);
  }
}

/** What a run does at its end, the process it is in, and how many times it has settled. */
function watched() {
  const process = new WatchedProcess();
  const settled: true[] = [];
  const run = settleAtEnd(() => settled.push(true));
  run.watch(process as unknown as NodeJS.Process);
  return { process, run, settled };
}

describe("the end of a run", () => {
  it("settles the journal and ends the process if no call is running", async () => {
    const { process, run, settled } = watched();
    assert.equal(await run.during(() => Promise.resolve("done")), "done");
    await assert.rejects(
      run.during(() => Promise.reject(new Error("refused"))),
      /refused/,
    );
    assert.equal(settled.length, 0);
    process.emit("SIGINT");
    assert.equal(settled.length, 1);
    assert.deepEqual(process.exits, [0]);
  });

  it("settles when the engine says so in another way, unless a call is running", async () => {
    const { process, run, settled } = watched();
    await run.during(() => {
      run.end();
      return Promise.resolve();
    });
    assert.equal(settled.length, 0);
    run.end();
    assert.equal(settled.length, 1);
    assert.deepEqual(process.exits, []);
  });

  it("settles nothing during a call, and ends the process", async () => {
    const { process, run, settled } = watched();
    let end = (): void => undefined;
    const underWay = run.during(() => new Promise<void>((resolve) => (end = resolve)));
    await run.during(() => Promise.resolve());
    process.emit("SIGINT");
    assert.equal(settled.length, 0);
    assert.deepEqual(process.exits, [0]);
    end();
    await underWay;
    assert.equal(settled.length, 0);
  });

  it("settles nothing once calls were cancelled, and settles if none was running", async () => {
    for (const isRunning of [true, false]) {
      const { process, run, settled } = watched();
      if (!isRunning) run.cancel();
      await run.during(() => {
        if (isRunning) run.cancel();
        return Promise.resolve();
      });
      process.emit("SIGINT");
      assert.equal(settled.length, isRunning ? 0 : 1);
    }
  });

  it("lets other signal listeners end the process", () => {
    const { process, settled } = watched();
    let others = 0;
    process.on("SIGINT", () => (others += 1));
    process.emit("SIGINT");
    assert.deepEqual([settled.length, others, process.exits], [1, 1, []]);
  });

  it("ends the process if the journal cannot be settled", () => {
    const process = new WatchedProcess();
    const run = settleAtEnd(() => {
      throw new Error("EACCES");
    });
    run.watch(process as unknown as NodeJS.Process);
    process.emit("SIGINT");
    assert.deepEqual(process.exits, [0]);
  });

  it("is handled once", () => {
    const { process, settled } = watched();
    process.emit("SIGINT");
    process.emit("SIGINT");
    assert.equal(settled.length, 1);
    assert.deepEqual(process.exits, [0]);
  });
});

describe("a provider process", () => {
  it("ends as soon as its engine is gone, so that it changes nothing while the next run is looking", async () => {
    const engine = createServer().listen(0, "127.0.0.1");
    await once(engine, "listening");
    const exit = sinon.stub(process, "exit");
    try {
      void exitWithEngine(`127.0.0.1:${(engine.address() as AddressInfo).port}`, new ManualClock());
      const [connection] = (await once(engine, "connection")) as [Socket];
      sinon.assert.notCalled(exit);
      engine.close();
      connection.destroy();
      await until(() => exit.called);
      sinon.assert.calledWith(exit, 1);
    } finally {
      exit.restore();
    }
  });
});
