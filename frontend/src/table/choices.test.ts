/** Prices of plays: bet, returned, lost, or left in place. */

import { expect, test } from "vitest";

import { costOf } from "./choices";

const pull = { cost: "0.00", back: "5.00" };
const ride = { cost: "0.00" };
const fold = { cost: "0.00", loses: "15.00" };
const bet = { cost: "10.00" };

test("a play says what it costs, gives back or gives up", () => {
  expect(costOf(bet, [fold, bet])).toBe("$10");
  expect(costOf(fold, [fold, bet])).toBe("lose $15");
  expect(costOf(pull, [pull, ride])).toBe("$5 returned");
});

test("what costs nothing says so, unless it leaves a bet that another takes back", () => {
  expect(costOf(ride, [ride, bet])).toBe("no extra bet");
  expect(costOf(ride, [pull, ride])).toBe("stays in play");
});
