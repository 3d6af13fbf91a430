/** The player's seeds are for one deal and travel with the bet. */

import type { Seat, View } from "../api/types";
import { expect, test } from "vitest";

import { Seeds } from "./seeds.svelte";

const seats = [{ seat: 1, player: "ann" }] as Seat[];
const view = (history: string | null, added: View["seat_seeds"] = {}): View =>
  ({
    kind: "house",
    shoe: { id: "s", kind: "committed", decks: 1, commitment: history, history },
    seats,
    seat_seeds: added,
  }) as unknown as View;
const build = (): Seeds => {
  let count = 0;
  return new Seeds(() => `random ${++count}`);
};
const BET = { do: "put-wager", seat: 1, wager: "ante", amount: "10.00" } as const;

const FOLD = { do: "decide", seat: 1, play: "fold" } as const;

test("a bet carries a seed that was made when the hash was shown", () => {
  const seeds = build();
  seeds.onView(view("h1"), seats);
  expect(seeds.with(BET, view("h1"))).toEqual({ ...BET, seed: "random 1", history: "h1" });
  expect(seeds.with({ do: "rebet", seat: 1 }, view("h1"))).toMatchObject({ seed: "random 1" });
  expect(seeds.with(FOLD, view("h1"))).toEqual(FOLD);
});

test("a seed is never used for another deal", () => {
  const seeds = build();
  seeds.onView(view("h1"), seats);
  seeds.change(view("h1"), 1, "typed by hand");
  expect(seeds.with(BET, view("h2"))).toEqual(BET); // The table has not shown this view yet.
  seeds.onView(view("h2"), seats);
  expect(seeds.with(BET, view("h2"))).toMatchObject({ seed: "random 2", history: "h2" });
});

test("it can be changed until it is added, and nothing at all adds none", () => {
  const seeds = build();
  seeds.onView(view("h1"), seats);
  seeds.onView(view("h1"), seats);
  expect(seeds.next(view("h1"), 1)).toBe("random 1");
  seeds.change(view("h1"), 1, "my own");
  expect(seeds.with(BET, view("h1"))).toMatchObject({ seed: "my own" });
  expect(seeds.with(BET, view("h1", { "1": "my own" }))).toEqual(BET);
  expect(seeds.with(BET, view("h1", { "1": null }))).toMatchObject({ seed: "my own" });
  seeds.change(view("h1"), 1, " ");
  expect(seeds.with(BET, view("h1"))).toEqual(BET);
});

test("a shoe without a hash takes none", () => {
  const seeds = build();
  seeds.onView(view(null), seats);
  expect(seeds.with(BET, view(null))).toEqual(BET);
  const typed = { ...view("h1"), kind: "typed" } as View;
  seeds.onView(typed, seats);
  expect(seeds.with(BET, typed)).toEqual(BET);
});

test("the browser's own seeds are long and never the same", () => {
  const texts = Array.from({ length: 50 }, () => {
    const seeds = new Seeds();
    seeds.onView(view("h1"), seats);
    return seeds.next(view("h1"), 1);
  });
  expect(new Set(texts).size).toBe(50);
  for (const text of texts) expect(text).toMatch(/^[0-9a-f]{24}$/);
});
