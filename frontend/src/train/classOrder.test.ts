/** Dealers who need training most come first; ties are sorted by name. */
import { expect, test } from "vitest";
import { ORDERS, sortPeople } from "./classOrder";

const person = (
  name: string,
  right: number,
  total: number,
  last: string | null,
  passed: boolean[],
) => ({
  name,
  role: null,
  all: { asked: total, right, ms: null, hands_an_hour: total || null },
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
  person("Zoe", 9, 10, "2026-11-02", [true]),
  person("émil", 2, 4, "2026-11-09", [true, false, true]),
  person("Bob", 0, 0, null, []),
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
    sortPeople(CLASS, order)
      .map(({ name }) => name)
      .join(" "),
  ).toBe(wanted);
});
