/** What this browser records of a round, and when the record proves something. */

import type { Seat, Shoe, View } from "../api/types";
import { beforeEach, expect, test } from "vitest";

import { ProofStore, RECORDS_MAX, recordOfRound } from "./roundRecord";

/** An in-memory Storage. */
class MemoryStore {
  #kept = new Map<string, string>();
  get length(): number {
    return this.#kept.size;
  }
  key = (n: number): string | null => [...this.#kept.keys()][n] ?? null;
  getItem = (name: string): string | null => this.#kept.get(name) ?? null;
  setItem = (name: string, text: string): void => void this.#kept.set(name, text);
  removeItem = (name: string): void => void this.#kept.delete(name);
}

let store: MemoryStore;
let keeper: ProofStore;
let clock: number;
const newKeeper = (): ProofStore =>
  new ProofStore("t", store, () => String(clock++).padStart(6, "0"));
beforeEach(() => {
  [store, clock] = [new MemoryStore(), 0];
  keeper = newKeeper();
});

const SHOE: Shoe = {
  id: "s1",
  commitment: null,
  kind: "committed",
  decks: 1,
  pack: 1,
  shuffle: "automatic",
  times: 1,
};
const ANTE: [string, string][] = [["ante", "10.00"]];
const seat = (more: Partial<Seat> = {}): Seat => ({ seat: 1, player: "ann", ...more });
const view = (phase: View["phase"], shoe: string, more: Partial<View> = {}): View =>
  ({
    phase,
    shoe: { ...SHOE, id: shoe, commitment: `hash of ${shoe}` },
    round: null,
    board: { cards: [] },
    seats: [seat()],
    seat_seeds: {},
    ...more,
  }) as unknown as View;
const betOn = (shoe: string, round: string, more: Partial<View> = {}): View =>
  view("wagers", shoe, { round, seats: [seat({ wagers: ANTE })], ...more });
const refresh = (view: View): void => keeper.onView(view, view.seats);

test("what was shown before the bets is kept with the round", () => {
  refresh(view("open", "s1"));
  refresh(betOn("s1", "r1"));
  expect(recordOfRound("r1", store)).toMatchObject({
    shoe: "s1",
    commitment: "hash of s1",
    before: true,
  });
});

test("a page that is loaded again still has it", () => {
  refresh(view("open", "s1"));
  keeper = newKeeper();
  refresh(betOn("s1", "r1"));
  expect(recordOfRound("r1", store)?.before).toBe(true);
});

test("whoever comes when the bets lie there has seen nothing before", () => {
  refresh(betOn("s1", "r1"));
  expect(recordOfRound("r1", store)).toMatchObject({ commitment: "hash of s1", before: false });
});

test("a hash of an older shoe proves nothing for the next", () => {
  refresh(view("over", "s1"));
  refresh(betOn("s2", "r2"));
  expect(recordOfRound("r2", store)).toMatchObject({ shoe: "s2", before: false });
});

test("a shoe that is exchanged behind a bet that was sent is not believed", () => {
  const before = view("open", "s1");
  refresh(before);
  keeper.onBet(before, before.seats);
  refresh(view("open", "s2")); // The server has seen the bet and announces another shoe.
  refresh(betOn("s2", "r1"));
  expect(recordOfRound("r1", store)).toMatchObject({
    shoe: "s1",
    commitment: "hash of s1",
    before: true,
  });
});

test("a bet that was refused leaves the table as it was", () => {
  const before = view("open", "s1");
  keeper.onBet(before, before.seats);
  keeper.refused();
  refresh(view("open", "s2"));
  refresh(betOn("s2", "r1"));
  expect(recordOfRound("r1", store)).toMatchObject({ shoe: "s2", before: true });
});

test("a hash that changes while the bets lie there changes nothing", () => {
  refresh(view("open", "s1"));
  refresh(betOn("s1", "r1"));
  const shoe = { ...SHOE, id: "s1", commitment: "another" };
  refresh(betOn("s1", "r1", { shoe }));
  expect(recordOfRound("r1", store)?.commitment).toBe("hash of s1");
});

test("cards are kept as they were first seen, also when the next shoe is ready", () => {
  refresh(view("open", "s1"));
  refresh(betOn("s1", "r1"));
  const dealtView = (mine: (string | null)[], board: (string | null)[]): Partial<View> => ({
    round: "r1",
    seats: [seat({ wagers: ANTE, cards: mine }), seat({ seat: 2, cards: [null, null] })],
    board: { cards: board } as View["board"],
  });
  refresh(view("play", "s1", dealtView(["As", "Kd"], [null, null, null])));
  refresh(view("play", "s1", dealtView(["As", "2c"], ["Qh", null, null])));
  refresh(view("over", "s2", dealtView(["As", "2c"], ["Qh", "Jh", "Th"])));
  expect(recordOfRound("r1", store)?.felt).toEqual({
    board: ["Qh", "Jh", "Th"],
    seats: { "1": ["As", "Kd"], "2": [null, null] },
  });
  refresh(betOn("s2", "r2"));
  expect(recordOfRound("r2", store)).toMatchObject({ shoe: "s2", before: true });
});

test("a seed of one's own is kept, a neighbor's is not", () => {
  refresh(view("open", "s1"));
  const seats = [seat({ wagers: ANTE }), seat({ seat: 2, player: "bob" })];
  const bet = betOn("s1", "r1", { seats, seat_seeds: { "1": "mine", "2": "not mine" } });
  keeper.onView(bet, bet.seats.slice(0, 1));
  expect(recordOfRound("r1", store)?.seeds).toEqual({ "1": "mine" });
});

test("the oldest rounds make room", () => {
  for (let n = 0; n < RECORDS_MAX + 5; n += 1) refresh(betOn(`s${n}`, `r${n}`));
  expect(recordOfRound("r4", store)).toBeNull();
  expect(recordOfRound("r5", store)).not.toBeNull();
  expect(store.length).toBeLessThanOrEqual(RECORDS_MAX + 1);
});

test("a store that takes nothing, or holds nonsense, stops nobody", () => {
  store.setItem("pitbook.deal.r1", "{");
  expect(recordOfRound("r1", store)).toBeNull();
  store.setItem = () => {
    throw new Error("full");
  };
  refresh(view("open", "s1"));
  refresh(betOn("s1", "r1"));
  expect(recordOfRound("r1", store)).toBeNull();
});

const cardwise = (history: string) => ({
  shoe: { ...SHOE, id: "s1", commitment: "hash", history },
});

test("a seed of one's own is kept as it was sent, whatever the house says it was", () => {
  refresh(view("open", "s1", cardwise("h1")));
  const bet = betOn("s1", "r1", { ...cardwise("h1"), seat_seeds: { "1": "the house's" } });
  keeper.onSeed("h1", 1, "mine");
  refresh(bet); // The view arrives before the answer.
  expect(recordOfRound("r1", store)?.seeds).toEqual({});
  keeper.onSeedAnswer("h1", 1, true);
  refresh(bet);
  expect(recordOfRound("r1", store)).toMatchObject({ history: "h1", seeds: { "1": "mine" } });
});

test("a seed that was made for another deal, or not taken, is not kept", () => {
  refresh(view("open", "s1", cardwise("h2")));
  keeper.onSeed("h1", 1, "stale");
  keeper.onSeedAnswer("h1", 1, true);
  refresh(betOn("s1", "r2", cardwise("h2")));
  expect(recordOfRound("r2", store)?.seeds).toEqual({});
  keeper.onSeed("h2", 1, "refused");
  keeper.onSeedAnswer("h2", 1, false);
  refresh(betOn("s1", "r2", { ...cardwise("h2"), seat_seeds: { "1": "of another window" } }));
  expect(recordOfRound("r2", store)?.seeds).toEqual({ "1": "of another window" });
});

test("a shoe that went on since it was shown was not shown before the bets", () => {
  refresh(view("open", "s1", cardwise("h1")));
  refresh(betOn("s1", "r1", cardwise("h2")));
  expect(recordOfRound("r1", store)).toMatchObject({ before: false, history: "h2" });
});
