/** The table's drawing stays within its stage. */

import { expect, test } from "vitest";

import { arrangementFor } from "./fit";
import { tableGeometry } from "./surface";

const SIZES: [number, number][] = [
  [320, 420],
  [360, 560],
  [660, 345],
  [1038, 505],
  [3250, 1890],
];

test.each(SIZES)("the felt's edge stays on a stage of %d by %d", (width, height) => {
  const table = tableGeometry(arrangementFor(width, height), width, height);
  const numbers = table.edge(table.rail * 0.5).match(/-?\d+(\.\d+)?/g) ?? [];
  expect(numbers.length).toBeGreaterThan(10);
  expect(Math.max(...numbers.map(Number))).toBeLessThanOrEqual(
    Math.max(width, height) + table.rail, // A landscape phone shows only the front rail.
  );
  expect(table.rail + table.rack).toBeLessThan(height / 8);
});

test("ornaments need room: a low stage has no rack", () => {
  expect(tableGeometry("wide", 900, 430).rack).toBe(0);
  expect(tableGeometry("short", 660, 345).rack).toBe(0);
  expect(tableGeometry("wide", 1038, 505).rack).toBeGreaterThan(20);
});
