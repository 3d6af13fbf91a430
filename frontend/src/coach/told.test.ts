import { expect, test } from "vitest";

import { NO_FILTERS, query } from "./told";

test("filters that are not set are not asked for", () => {
  expect(query(NO_FILTERS)).toBe("");
  expect(query({ ...NO_FILTERS, mistakes: true, street: "3rd-street" }, { count: "5" })).toBe(
    "street=3rd-street&mistakes=true&count=5",
  );
  expect(query({ ...NO_FILTERS, advised: "false", min_cost: "0.50" })).toBe(
    "min_cost=0.50&advised=false",
  );
});
