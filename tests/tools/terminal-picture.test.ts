import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { tool } from "../support/tool";

interface Frame {
  readonly at: number;
  readonly lines: readonly (readonly { readonly text: string; readonly color: number }[])[];
}

interface Terminal {
  readonly framesOf: (output: readonly (readonly [number, string])[]) => Promise<readonly Frame[]>;
}

interface Picture {
  readonly terminalSvg: (frames: readonly Frame[], title: string) => string;
}

const up = "\u001B[1A";
const green = "\u001B[38;5;2m";

describe("tools: the picture of a terminal", () => {
  it("has a frame for what the terminal showed at each moment, with rows that were overwritten", async () => {
    const { framesOf } = await tool<Terminal>("screenshots/terminal.mjs");
    const frames = await framesOf([
      [0, "branch creating\r\n"],
      [1000, `${up}branch ${green}created\u001B[K\u001B[0m\r\n`],
    ]);
    assert.deepEqual(
      frames.map(({ lines }) => lines.map((runs) => runs.map(({ text }) => text).join(""))),
      [["branch creating"], ["branch created"]],
    );
    assert.deepEqual(
      frames[1]?.lines[0]?.map(({ color }) => color),
      [-1, 2],
    );
  });

  it("shortens a time in which nothing is shown", async () => {
    const { framesOf } = await tool<Terminal>("screenshots/terminal.mjs");
    const frames = await framesOf([
      [0, "a"],
      [60_000, "b"],
      [60_500, "c"],
    ]);
    assert.deepEqual(
      frames.map(({ at }) => at),
      [0, 1500, 2000],
    );
  });

  it("shows the last frame where pictures do not move, and escapes what a program prints", async () => {
    const { framesOf } = await tool<Terminal>("screenshots/terminal.mjs");
    const { terminalSvg } = await tool<Picture>("screenshots/terminal-svg.mjs");
    const frames = await framesOf([
      [0, "<script>"],
      [1000, "&"],
    ]);
    const picture = terminalSvg(frames, 'a "title"');
    assert.match(picture, /<title>a &quot;title&quot;<\/title>/);
    assert.match(picture, /&lt;script>&amp;/);
    assert.match(picture, /\n#f0\{visibility:hidden\}/);
    assert.doesNotMatch(picture, /#f1[^{]*\{visibility:hidden\}/);
  });
});
