/** Which sheet a practice table was of is kept in the browser, of the last twenty. */

import { expect, test } from "vitest";

import { practised, sheetAt } from "./practised";

function store(text: string | null = null) {
  let kept = text;
  return { getItem: () => kept, setItem: (_: string, now: string) => void (kept = now) };
}

test("the sheet of a practice table is kept, of the last twenty", () => {
  const own = store();
  for (let n = 0; n < 25; n += 1) practised(`practice-${n}`, `sheet-${n}`, own);
  practised("practice-24", "another", own);
  expect(sheetAt("practice-24", own)).toBe("another");
  expect(sheetAt("practice-6", own)).toBe("sheet-6");
  expect(sheetAt("practice-4", own)).toBeUndefined();
});

test.each(["{", "3", '["x"]', "null"])("a store that holds %s knows nothing", (text) => {
  expect(sheetAt("practice-1", store(text))).toBeUndefined();
});
