/** The size of a win depends on its payout odds; the best of several lines counts. */

import type { Line, SeatResult } from "../api/types";
import { expect, test } from "vitest";

import { bestLine, handOf, tierOf } from "./winTiers";

const seat = (net: string, ...odds: (string | null)[]): SeatResult =>
  ({
    net,
    lines: odds.map((odd) => ({ odds: odd, result: odd === null ? "lose" : "win" })),
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

const line = (outcome: string, odds: string | null, result = "win"): Line =>
  ({ outcome, outcome_title: outcome, odds, result }) as unknown as Line;

test("the finest line is the one that was paid the most, by the hand that it names", () => {
  const lines = [
    line("win", "1:1"),
    line("royal-flush", "500:1"),
    line("flush", "600:1", "lose"),
    line("win", "500:1"),
  ];
  expect(bestLine(lines)).toBe(lines[1]);
  expect(bestLine([line("nothing", null, "lose")])).toBeUndefined();
  expect(handOf(line("win", "1:1"))).toBe("");
  expect(handOf(line("pair", null, "push"))).toBe("pair");
});
