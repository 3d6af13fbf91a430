/** The browser remembers the sheets of the last twenty practice tables. */

import { expect, test } from "vitest";

import { rememberPractice, sheetAt } from "./practiceTables";

function store(text: string | null = null) {
  let stored = text;
  return { getItem: () => stored, setItem: (_: string, now: string) => void (stored = now) };
}

test("the sheet of a practice table is kept, of the last twenty", () => {
  const ours = store();
  for (let n = 0; n < 25; n += 1) rememberPractice(`practice-${n}`, `sheet-${n}`, ours);
  rememberPractice("practice-24", "another", ours);
  expect(sheetAt("practice-24", ours)).toBe("another");
  expect(sheetAt("practice-6", ours)).toBe("sheet-6");
  expect(sheetAt("practice-4", ours)).toBeUndefined();
});

test.each(["{", "3", '["x"]', "null"])("a store that holds %s knows nothing", (text) => {
  expect(sheetAt("practice-1", store(text))).toBeUndefined();
});
