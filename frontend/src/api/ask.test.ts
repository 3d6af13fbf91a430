/** What is put behind an address: what was said, and nothing that was left blank. */

import { expect, test } from "vitest";

import { at } from "./ask";

test("what is left blank is not asked for; a no and a nought are", () => {
  const blank = { sheet: "", street: null, min_cost: " " };
  expect(at("/api/coach", blank)).toBe("/api/coach");
  expect(at("/api/coach", { ...blank, advised: false, street: "3rd-street", count: 0 })).toBe(
    "/api/coach?street=3rd-street&advised=false&count=0",
  );
});

test("what is asked for cannot ask for more", () => {
  expect(at("/api/compare", { a: "venue/game&b=x", b: "own/ñ" })).toBe(
    "/api/compare?a=venue%2Fgame%26b%3Dx&b=own%2F%C3%B1",
  );
});

test("what the house does not take is no query; the types are judged by `make check`", () => {
  // @ts-expect-error A name that is not there.
  expect(at("/api/coach", { shet: "x" })).toContain("shet");
  // @ts-expect-error One that has to be said.
  expect(at("/api/drills", {})).toBe("/api/drills");
  // @ts-expect-error A word that is none of its words.
  expect(at("/api/inspect/close", { day: "2026-11-18", format: "pdf" })).toContain("pdf");
  // @ts-expect-error Where nothing is asked.
  expect(at("/api/sheets", { sheet: "x" })).toContain("sheet");
});
