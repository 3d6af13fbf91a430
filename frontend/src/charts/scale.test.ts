/** Chart coordinates: larger values are higher, later values further right. */

import { expect, test } from "vitest";

import { bandPath, valueRange, HEIGHT, linePath, spreadLabels, WIDTH, x, y } from "./scale";

test("nothing is always on the chart, and a chart has a height", () => {
  expect(valueRange([3, 5])).toEqual([0, 5]);
  expect(valueRange([-3, -5])).toEqual([-5, 0]);
  expect(valueRange([])).toEqual([-1, 1]);
  expect(valueRange([0, 0])).toEqual([-1, 1]);
});

test("more stands higher, and later stands further to the right", () => {
  const within = valueRange([-10, 10]);
  expect(y(10, within)).toBeLessThan(y(-10, within));
  expect(y(0, within)).toBe(HEIGHT / 2);
  expect([x(0, 3), x(2, 3), x(0, 1)]).toEqual([0, WIDTH, 0]);
});

test("a line has a point for each figure, and a band comes back", () => {
  expect(linePath([], [0, 1])).toBe("");
  expect(linePath([1, 2, 3], [0, 3]).match(/[ML]/g)?.length).toBe(3);
  const area = bandPath([0, 0], [1, 1], [0, 1]);
  expect(area.endsWith("Z")).toBe(true);
  expect(area.match(/[ML]/g)?.length).toBe(4);
});

test("marks that would lie on each other give way to those named before them", () => {
  const marks = [100, -100, 0, 1].map((value) => ({ value, text: String(value) }));
  const placed = spreadLabels(marks, valueRange([100, -100]));
  expect(placed.map((mark) => mark.text)).toEqual(["100", "-100", "0"]);
  expect(placed.map((mark) => mark.at)).toEqual([0.04, 0.96, 0.5]);
});
