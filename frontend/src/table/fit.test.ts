/** The felt fits its stage: ornaments leave first, circles last. */

import { expect, test } from "vitest";

import { arrangementFor, LEVELS, solveFit, preferredCardWidth } from "./fit";

test("the stage's shape says how the felt is arranged, not the device", () => {
  expect(arrangementFor(304, 380)).toBe("tall");
  expect(arrangementFor(640, 300)).toBe("short");
  expect(arrangementFor(1000, 520)).toBe("wide");
});

test("ornaments leave first, circles last", () => {
  expect(LEVELS[0]).toBe("");
  expect(LEVELS[2]).toBe("pays title");
  expect(LEVELS.at(-1)).toBe("pays title seats others circles");
});

test("cards are as large as fits, before anything leaves the felt", () => {
  expect(solveFit((c) => c <= 83, 72)).toEqual({ c: 83, level: 0 });
  expect(solveFit((c) => c <= 83, 90, 50)).toEqual({ c: 50, level: 0 });
  expect(solveFit((c, level) => c <= 62 + 6 * level, 72)).toEqual({ c: 74, level: 2 });
});

test("neighbors and circles do not leave for the sake of larger cards alone", () => {
  expect(solveFit((c, level) => c <= (level < 5 ? 60 : 90), 72)).toEqual({ c: 57, level: 0 });
  expect(solveFit((c, level) => c <= (level < 5 ? 30 : 40), 60)).toEqual({ c: 40, level: 5 });
});

test("what helps nothing stays", () => {
  expect(solveFit((c, level) => c <= (level < 2 ? 30 : 40), 60)).toEqual({ c: 38, level: 2 });
  expect(solveFit(() => false, 60)).toEqual({ c: 20, level: 5 });
});

test("a guess changes nothing but how often one looks", () => {
  const tables: [(c: number, level: number) => boolean, number, number][] = [
    [(c) => c <= 83, 72, 560],
    [(c) => c <= 83, 90, 50],
    [(c, level) => c <= 62 + 6 * level, 72, 560],
    [(c, level) => c <= (level < 5 ? 60 : 90), 72, 560],
    [(c, level) => c <= (level < 2 ? 30 : 40), 60, 560],
    [() => false, 60, 560],
    [() => true, 60, 100.5],
  ];
  for (const [fits, least, limit] of tables) {
    const fitted = solveFit(fits, least, limit);
    for (const guess of [0, 20, 38, 40, 50, 57, 74, 83, 84, 100, 101, 560, 900])
      expect(solveFit(fits, least, limit, guess)).toEqual(fitted);
  }
});

test("cards that are as wide as before take three looks", () => {
  let looks = 0;
  solveFit((c) => ++looks > 0 && c <= 83, 72, 560, 83);
  expect(looks).toBe(3);
});

test("a phone asks for less than a table in a room", () => {
  expect(preferredCardWidth("tall", 300, 380)).toBe(60);
  expect(preferredCardWidth("short", 600, 300)).toBeLessThan(preferredCardWidth("wide", 600, 450));
  expect(preferredCardWidth("wide", 2000, 1400)).toBe(200);
});
