/** Every card can be typed, and a typed rank can be replaced. */

import { expect, test } from "vitest";

import { applyKey, RANKS, SUITS } from "./cardEntry";

/** Type some keys in order. Returns the completed cards and the rank typed so far. */
function typeKeys(keys: string): { cards: string[]; rank: string } {
  const cards: string[] = [];
  let rank = "";
  for (const key of keys) {
    const card = applyKey(rank, key);
    if (!card) continue;
    rank = card.rank;
    if (card.card) cards.push(card.card);
  }
  return { cards, rank };
}

test("every card of the deck can be typed, in small letters or large", () => {
  for (const rank of RANKS)
    for (const suit of SUITS) {
      const keys = `${rank}${suit}`;
      expect(typeKeys(keys.toLowerCase()).cards).toEqual([keys]);
      expect(typeKeys(keys.toUpperCase()).cards).toEqual([keys]);
    }
});

test.each([
  ["10h", ["Th"]],
  ["ksqd", ["Ks", "Qd"]],
  ["kqd", ["Qd"]], // A second rank replaces the first.
  ["sk", []], // A suit without a rank is ignored.
  ["1s", []], // So is an incomplete ten.
  ["0s", []],
  ["xks", ["Ks"]],
])("%s is %j", (keys, cards) => expect(typeKeys(keys).cards).toEqual(cards));

test("a rank can be taken back", () => {
  expect(applyKey("K", "Backspace")).toEqual({ rank: "", card: null });
  expect(applyKey("", "Backspace")).toBeNull();
});
