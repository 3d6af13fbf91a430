import type { ClockBoard as Board } from "../api/types";
import { afterEach, expect, test } from "vitest";

import { setLanguage } from "../words/say.svelte";
import {
  formatChips,
  formatHour,
  isOver,
  secondsLeft,
  limitsShown,
  ordinal,
  statusOf,
  formatTime,
  tokenOf,
} from "./formats";

const BOARD = {
  status: "playing",
  started: true,
  running: true,
  over: false,
  on_break: false,
} as Board;

afterEach(() => setLanguage("en"));

test.each([
  [0, "0:00"],
  [0.2, "0:01"],
  [59.9, "1:00"],
  [611.2, "10:12"],
  [3600, "1:00:00"],
  [3700, "1:01:40"],
  [-5, "0:00"],
])("%d seconds are shown as %s", (seconds, text) => {
  expect(formatTime(seconds)).toBe(text);
});

test("a running clock counts on, and one that stands still does not", () => {
  expect(secondsLeft(BOARD, 100, 30)).toBe(70);
  expect(secondsLeft(BOARD, 20, 30)).toBe(0);
  expect(secondsLeft({ ...BOARD, running: false }, 100, 30)).toBe(100);
});

test("the hour is that of the room", () => {
  const time = new Date(2026, 10, 15, 19, 5, 59);
  expect(formatHour(time.toISOString())).toBe("19:05");
});

test("chips are no dollars", () => {
  expect(["1636.36", "25.00", "1000000.00"].map(formatChips)).toEqual(["1,636", "25", "1,000,000"]);
});

test("limits of a level", () => {
  expect(limitsShown([{ wager: "ante", min: "25.00", max: "100.00" }])).toBe("Ante 25–100");
  expect(limitsShown([{ wager: "three-card-bonus", max: "50.00" }])).toBe(
    "Three card bonus up to 50",
  );
  expect(limitsShown([])).toBe("Table limits");
});

test.each([
  [{}, ""],
  [{ running: false }, "Paused"],
  [{ on_break: true }, "Break"],
  [{ on_break: true, running: false }, "Break, paused"],
  [{ over: true, running: false }, "Time is up"],
  [{ started: false, running: false }, "Not started"],
  [{ status: "interrupted" }, "Suspended"],
])("a board with %o", (changed, text) => {
  expect(statusOf({ ...BOARD, ...changed } as Board)).toBe(text);
});

test("what is over needs no clock", () => {
  const statuses = ["open", "playing", "interrupted", "finished", "void"];
  expect(statuses.map((status) => isOver({ ...BOARD, status }))).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});

test("places", () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal)).toEqual(
    "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th".split(" "),
  );
});

test("a wall in Spanish", async () => {
  await setLanguage("es");
  expect([1, 2, 3, 11, 21].map(ordinal)).toEqual(["1.º", "2.º", "3.º", "11.º", "21.º"]);
  expect(limitsShown([{ wager: "ante", min: "25.00", max: "1000.00" }])).toBe("Ante 25–1,000");
  expect(limitsShown([{ wager: "ante", min: "25.00" }])).toBe("Ante desde 25");
  expect(limitsShown([])).toBe("Límites de la mesa");
  expect(statusOf({ ...BOARD, on_break: true, running: false })).toBe("Descanso en pausa");
  expect(statusOf(BOARD)).toBe("");
});

test("a code is a link or a token", () => {
  expect(tokenOf("http://10.0.0.7:8710/check-in/WyJn.4s_Q-")).toBe("WyJn.4s_Q-");
  expect(tokenOf("WyJn.4sQ\n")).toBe("WyJn.4sQ");
  expect(tokenOf("ann")).toBe(null);
});
