/** Whoever needs the trainer most comes first, and those alike by name. */
import { expect, test } from "vitest";
import { ORDERS, sorted } from "./classOrder";

const one = (
  name: string,
  right: number,
  asked: number,
  last: string | null,
  passed: boolean[],
) => ({
  name,
  role: null,
  all: { asked, right, ms: null, hands_an_hour: asked || null },
  left: 0,
  games: [],
  last,
  weakest: null,
  results: passed.map((is) => ({
    ...{ id: "", title: "", person: name, sheet: "" },
    ...{ right: 1, asked: 1, passed: is, ended: "" },
  })),
});
const CLASS = [
  one("Zoe", 9, 10, "2026-11-02", [true]),
  one("émil", 2, 4, "2026-11-09", [true, false, true]),
  one("Bob", 0, 0, null, []),
];

test.each([
  ["name", "Bob émil Zoe"],
  ["right", "Bob émil Zoe"],
  ["speed", "Bob émil Zoe"],
  ["last", "Bob Zoe émil"],
  ["tests", "Bob Zoe émil"],
] as const)("by %s", (order, wanted) => {
  expect(ORDERS).toContain(order);
  expect(
    sorted(CLASS, order)
      .map(({ name }) => name)
      .join(" "),
  ).toBe(wanted);
});
