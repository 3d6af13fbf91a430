import type { SeatResult } from "../api/types";
import { expect, test } from "vitest";

import { tierOf } from "./tiers";

const seat = (net: string, ...odds: (string | null)[]): SeatResult =>
  ({
    net,
    lines: odds.map((one) => ({ odds: one, result: one === null ? "lose" : "win" })),
  }) as unknown as SeatResult;

test.each([
  ["jackpot", seat("500.00", "100:1")],
  ["large", seat("50.00", "10:1", "1:1")],
  ["large", seat("50.00", "99:1")],
  ["small", seat("50.00", "9:1")],
  ["small", seat("7.50", "3:2")],
  ["push", seat("0.00", null)],
  ["loss", seat("-5.00", "40:1", null)],
])("a %s", (tier, result) => expect(tierOf([result])).toBe(tier));

test("of two hands the greater win counts", () => {
  expect(tierOf([seat("-5.00", null), seat("50.00", "40:1")])).toBe("large");
  expect(tierOf([])).toBeNull();
});
