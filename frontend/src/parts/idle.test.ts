/** Work deferred until after a paint, with simulated frames and timers. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { afterPaint } from "./idle";

let frames: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("requestAnimationFrame", (what: () => void) => frames.push(what));
  vi.stubGlobal("cancelAnimationFrame", (number: number) => (frames[number - 1] = () => undefined));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  frames = [];
});

const draw = (): void => frames.at(-1)?.();

test("the frame that is due is drawn first", () => {
  const done = vi.fn();
  afterPaint(done);
  draw();
  expect(done).not.toHaveBeenCalled();
  draw();
  expect(done).toHaveBeenCalledOnce();
  vi.runAllTimers();
  expect(done).toHaveBeenCalledOnce();
});

test("where nothing is drawn it is done all the same, once", () => {
  const done = vi.fn();
  afterPaint(done);
  vi.runAllTimers();
  draw();
  expect(done).toHaveBeenCalledOnce();
});
