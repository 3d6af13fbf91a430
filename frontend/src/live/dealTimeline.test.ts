/** Cards land in deal order, and events without cards take no time. */

import type { TableEvent, View } from "../api/types";
import { expect, test } from "vitest";

import { buildTimeline } from "./dealTimeline";
import decision from "./views/stud-decision.json";

const events = (...entries: [what: string, body: Record<string, unknown>][]): TableEvent[] =>
  entries.map(([what, body], n) => ({ version: n, what, body }));

test("cards land in the order of the deal and turn only then", () => {
  const timeline = buildTimeline(null, [
    ...events(
      ["round-opened", {}],
      ["deal", { place: "board" }],
      ["deal", { place: 1 }],
      ["deal", { place: 1 }],
    ),
    ...events(["turn", { place: 1, card: "As" }], ["turn", { place: 1, card: "Ks" }]),
  ]);
  const landed = ["board/0", "1/0", "1/1"].map((where) => timeline.dealtAt[where] ?? -1);
  expect(landed).toEqual([...landed].sort((a, b) => a - b));
  expect(timeline.turnedAt["1/0"]).toBeGreaterThan(timeline.dealtAt["1/1"] ?? 0);
  expect(timeline.turnedAt["1/1"]).toBeGreaterThan(timeline.turnedAt["1/0"] ?? 0);
  expect(timeline.total).toBeGreaterThan(timeline.turnedAt["1/1"] ?? 0);
});

test("a turned board card is the next that lies face down", () => {
  const before = decision as unknown as View;
  expect(
    Object.keys(buildTimeline(before, events(["turn", { place: "board", card: "2c" }])).turnedAt),
  ).toEqual(["board/0"]);
});

test("a hand that is opened to be settled turns all at once, cards known before keep still", () => {
  const before = {
    ...(decision as unknown as View),
    seats: [{ seat: 2, player: "bob", cards: [null, null] }],
  };
  const timeline = buildTimeline(before, events(["settle", { seat: 2, cards: ["2c", "3c"] }]));
  expect(Object.keys(timeline.turnedAt)).toEqual(["2/0", "2/1"]);
  expect(buildTimeline(before, events(["settle", { seat: 2, cards: null }])).total).toBe(0);
});

test("news without cards take no time", () => {
  expect(buildTimeline(null, events(["wager", { seat: 1 }], ["deadline", {}])).total).toBe(0);
});
