/** Advice is requested until it arrives, and dropped when its decision is made. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { LiveTable } from "../live/table.svelte";
import { Coach } from "./coach.svelte";

const AWAITED = { error: "calculating: 40% done", key: "exact.large.awaited", fields: {} };
const ADVICE = { advice: { best: "check", why: "Check is best.", plays: [] } };

/** A server that gives these answers in turn and repeats the last one. */
function house(...answers: [number, unknown][]): () => number {
  let count = 0;
  vi.stubGlobal("fetch", () => {
    const [status, body] = answers[Math.min(count, answers.length - 1)] ?? [500, null];
    count += 1;
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
  return () => count;
}

const coach = () => new Coach({ name: "one", say: vi.fn() } as unknown as LiveTable);

beforeEach(() => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the coach asks until figures are calculated, and shows the progress meanwhile", async () => {
  const requests = house([503, AWAITED], [503, AWAITED], [200, ADVICE]);
  const tip = coach();
  const hint = tip.hint(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([tip.thinking, tip.advice, tip.errorText]).toEqual([true, null, ""]);
  expect(tip.progress).toBe("Calculating: 40% done.");
  await vi.advanceTimersByTimeAsync(6_000);
  await hint;
  expect([requests(), tip.thinking, tip.advice?.best]).toEqual([3, false, "check"]);
});

test("advice that comes after its decision is dropped, and no more is asked for", async () => {
  const requests = house([503, AWAITED], [200, ADVICE]);
  const tip = coach();
  const hint = tip.hint(1);
  await vi.advanceTimersByTimeAsync(2_000);
  tip.forget();
  await vi.advanceTimersByTimeAsync(10_000);
  await hint;
  expect([requests(), tip.thinking, tip.advice]).toEqual([1, false, null]);
});

test("any other no is told at once", async () => {
  house([422, { error: "there is nothing to decide" }]);
  const tip = coach();
  await tip.hint(1);
  expect([tip.errorText, tip.thinking]).toEqual(["There is nothing to decide.", false]);
});
