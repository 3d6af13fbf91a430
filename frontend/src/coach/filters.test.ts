/** When a list of decisions counts as filtered. */

import { expect, test } from "vitest";

import { isFiltered, NO_FILTERS } from "./filters";

test("a filter that is set leaves something out, be it a no", () => {
  expect(isFiltered(NO_FILTERS)).toBe(false);
  expect(isFiltered({ ...NO_FILTERS, mistakes: true })).toBe(true);
  expect(isFiltered({ ...NO_FILTERS, advised: false })).toBe(true);
  expect(isFiltered({ ...NO_FILTERS, min_cost: "0.50" })).toBe(true);
});
