import { expect, test } from "vitest";

import { type DecideOffer, isDecide, type View } from "../live/view";
import hiLo from "../live/views/hi-lo-decision.json";
import stud from "../live/views/stud-decision.json";
import { keyList, meaning } from "./keys";

const offer = (given: unknown): DecideOffer => {
  const found = (given as View).offers.find(isDecide);
  if (!found) throw new Error("nothing is to be decided");
  return found;
};

test.each([
  ["f", "fold"],
  ["F", "fold"],
  ["1", "1x"],
  ["2", "2x"],
  ["3", "3x"],
])("a street: %s plays %s", (key, play) => {
  expect(meaning(key, offer(stud))).toEqual({ does: "play", play });
});

test.each([
  ["l", { does: "play", play: "low" }],
  ["h", { does: "play", play: "high" }],
  ["d", { does: "double" }],
  ["a", { does: "hint" }],
])("hi-lo: %s, as in the terminal", (key, meant) => {
  expect(meaning(key, offer(hiLo))).toEqual(meant);
});

test.each([
  ["Enter", "deal"],
  ["r", "rebet"],
  ["U", "undo"],
  ["ArrowUp", "add"],
  ["ArrowDown", "less"],
  ["ArrowLeft", "last-wager"],
  ["?", "keys"],
  ["k", "coach"],
  ["t", "text"],
])("before the deal: %s is %s", (key, does) => {
  expect(meaning(key, null)).toEqual({ does });
});

test("H is a hint where nothing is called high; a digit chooses a chip before the deal", () => {
  expect(meaning("h", offer(stud))).toEqual({ does: "hint" });
  expect(meaning("4", null)).toEqual({ does: "chip", number: 4 });
});

test("a key that the stage does not have means nothing: no bet is made by mistake", () => {
  expect(meaning("4", offer(stud))).toBeNull();
  expect(meaning("Enter", offer(stud))).toBeNull();
  expect(meaning("f", offer(hiLo))).toBeNull();
});

test.each([stud, hiLo])("the list of keys names every play", (given) => {
  const plays = offer(given).choices.map((choice) => choice.play);
  const keys = keyList(plays).map(([key]) => key);
  for (const play of plays) {
    expect(keys).toContain(play.endsWith("+double") ? "D" : play.charAt(0).toUpperCase());
  }
  expect(keys).toContain("?");
});
