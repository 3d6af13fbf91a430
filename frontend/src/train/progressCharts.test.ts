/** Coordinates of the progress charts and the calendar of whole weeks. */

import { expect, test } from "vitest";

import { calendar, dots, path, percent } from "./progressCharts";

test("values lie from left to right, the most at the top", () => {
  const places = dots([0, null, 1, 0.5], 1, { x: 300, y: 100 });
  expect(places).toEqual([
    { x: 0, y: 100 },
    { x: 200, y: 0 },
    { x: 300, y: 50 },
  ]);
  expect(path(places)).toBe("M0 100L200 0L300 50");
  expect(dots([1], 1, { x: 300, y: 100 })).toEqual([{ x: 150, y: 0 }]);
});

test("a share is told as a whole per cent, and nothing of nothing is none", () => {
  expect([percent(2, 3), percent(0, 0)]).toEqual([67, 0]);
});

test("a calendar has whole weeks, Monday first, up to the week of today", () => {
  const weeks = calendar([{ day: "2026-11-17", asked: 4 }], new Date("2026-11-17T12:00:00Z"), 2);
  expect(weeks.map((week) => week.length)).toEqual([7, 7]);
  expect(weeks[0]?.[0]?.day).toBe("2026-11-09");
  expect(weeks[1]?.[1]).toEqual({ day: "2026-11-17", asked: 4 });
});
