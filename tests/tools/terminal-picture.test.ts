import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { tool } from "../support/tool";

interface Frame {
  readonly lines: readonly (readonly { readonly text: string; readonly color: number }[])[];
}

interface Terminal {
  readonly framesOf: (output: readonly (readonly [number, string])[]) => Promise<readonly Frame[]>;
}

interface Picture {
  readonly terminalSvg: (lines: Frame["lines"], title: string) => string;
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

  it("shows what a program prints, without animation", async () => {
    const { framesOf } = await tool<Terminal>("screenshots/terminal.mjs");
    const { terminalSvg } = await tool<Picture>("screenshots/terminal-svg.mjs");
    const [frame] = await framesOf([[0, "<script>&"]]);
    const picture = terminalSvg(frame?.lines ?? [], 'a "title"');
    assert.match(picture, /<title>a &quot;title&quot;<\/title>/);
    assert.match(picture, /&lt;script>&amp;/);
    assert.doesNotMatch(picture, /@keyframes|visibility/);
  });
});
