/** Reminders count time played and results across pages. */

import { beforeEach, expect, test, vi } from "vitest";

import { get } from "../api/requests";
import { Today } from "./care.svelte";

vi.mock("../api/requests", () => ({ get: vi.fn() }));

const storage = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => storage.set(key, value),
});

beforeEach(() => storage.clear());

/** A player opens a page after this many minutes of play. */
async function after(minutes: number, today = new Today()): Promise<Today> {
  vi.mocked(get).mockResolvedValue({ minutes });
  await today.refresh();
  return today;
}

test("a reminder counts minutes of play, whichever page is open", async () => {
  expect((await after(29)).due).toBe(false);
  const first = await after(31);
  expect(first.due).toBe(true);
  first.dismiss();
  expect((await after(60)).due).toBe(false);
  expect((await after(61)).due).toBe(true);
});

test("another day begins anew, and whoever wants none is told nothing", async () => {
  (await after(200)).dismiss();
  expect((await after(29)).due).toBe(false);
  expect((await after(30)).due).toBe(true);
  (await after(30)).setReminder(0);
  expect((await after(300)).due).toBe(false);
});
