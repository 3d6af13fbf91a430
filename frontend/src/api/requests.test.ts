/** Queries in addresses, and incomplete answers. */

import { afterEach, expect, test, vi } from "vitest";

import { withQuery, get, isUnreached, post } from "./requests";
import { connectivity } from "./connectivity.svelte";

afterEach(() => vi.unstubAllGlobals());

test("what is left blank is not asked for; a no and a nought are", () => {
  const blank = { sheet: "", street: null, min_cost: " " };
  expect(withQuery("/api/coach", blank)).toBe("/api/coach");
  expect(
    withQuery("/api/coach", { ...blank, advised: false, street: "3rd-street", count: 0 }),
  ).toBe("/api/coach?street=3rd-street&advised=false&count=0");
});

test("what is asked for cannot ask for more", () => {
  expect(withQuery("/api/compare", { a: "venue/game&b=x", b: "own/ñ" })).toBe(
    "/api/compare?a=venue%2Fgame%26b%3Dx&b=own%2F%C3%B1",
  );
});

test("what the house does not take is no query; the types are judged by `make check`", () => {
  // @ts-expect-error No such parameter.
  expect(withQuery("/api/coach", { shet: "x" })).toContain("shet");
  // @ts-expect-error A required parameter is missing.
  expect(withQuery("/api/drills", {})).toBe("/api/drills");
  // @ts-expect-error Not one of the allowed values.
  expect(withQuery("/api/inspect/close", { day: "2026-11-18", format: "pdf" })).toContain("pdf");
  // @ts-expect-error This route takes no query.
  expect(withQuery("/api/sheets", { sheet: "x" })).toContain("sheet");
});

const brokenStream = () =>
  new ReadableStream({ start: (body) => body.error(new TypeError("cut")) });

test.each([
  ["a line that was cut after its first words", () => new Response(brokenStream())],
  ["the page of a network that wants a password", () => new Response("<p>Sign in</p>")],
])("%s is no answer of the house", async (_, answer) => {
  vi.stubGlobal("fetch", () => Promise.resolve(answer()));
  const error: unknown = await get("/api/glossary").catch((no: unknown) => no);
  expect(isUnreached(error)).toBe(true);
  expect(connectivity.serverReached).toBe(false);
});

test("a no whose reasons were cut off is still a no", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(brokenStream(), { status: 403 })));
  await expect(post("/api/sheets/check", { toml: "" })).rejects.toMatchObject({ status: 403 });
});
