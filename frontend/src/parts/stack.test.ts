/** Chip stacks: order of the chips, edge spots, and distinct colors. */

import { expect, test } from "vitest";

import { chipColors, SIDES, SPOTS, stackChips } from "./stack";

test("the largest value lies below, and no stack is higher than its circle", () => {
  const piles: [string, number][] = [
    ["100.00", 2],
    ["25.00", 3],
    ["5.00", 4],
  ];
  expect(stackChips(piles, 6)).toEqual(["100.00", "100.00", "25.00", "25.00", "25.00", "5.00"]);
  expect(stackChips([["5.00", 2]], 6)).toEqual(["5.00", "5.00"]);
  expect(stackChips([], 6)).toEqual([]);
});

test("eight spots on the edge, four of them seen from the side", () => {
  expect(SPOTS.match(/M/g)).toHaveLength(8);
  expect(SIDES.match(/M/g)).toHaveLength(4);
});

test("a value that no house we know has is told apart from all others", () => {
  expect(chipColors("7")).not.toEqual(chipColors("5"));
});
