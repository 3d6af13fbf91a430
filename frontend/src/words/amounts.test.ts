/** Amounts are read to the cent, and ambiguous ones are rejected. */

import { expect, test } from "vitest";

import { parseAmount } from "./amounts";

test("an amount is read to the cent", () => {
  expect(parseAmount("10")).toEqual({ cents: 1000n });
  expect(parseAmount("2.50")).toEqual({ cents: 250n });
  expect(parseAmount("9999999999999.99")).toEqual({ cents: 999999999999999n });
});

test("what could mean two amounts means none", () => {
  for (const text of ["5,0", "1,5", "1.000", "1,00,0", "1,000", "10.5", " 5", "5\n", "1.000,50"]) {
    expect(parseAmount(text)).toHaveProperty("refused");
  }
  expect(parseAmount("5,0")).toEqual({
    refused: '"5,0" is not an amount. A comma is not a decimal point. Write "5.00" or "50".',
  });
});
