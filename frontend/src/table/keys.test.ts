/** The meaning of each key at each stage. */

import type { DecideOffer, View } from "../api/types";
import { expect, test } from "vitest";

import { isDecide } from "../live/view";
import hiLo from "../live/views/hi-lo-decision.json";
import stud from "../live/views/stud-decision.json";
import { keyList, keyAction } from "./keys";

const offer = (given: unknown): DecideOffer => {
  const offer = (given as View).offers.find(isDecide);
  if (!offer) throw new Error("nothing is to be decided");
  return offer;
};

test.each([
  ["f", "fold"],
  ["F", "fold"],
  ["1", "1x"],
  ["2", "2x"],
  ["3", "3x"],
])("a street: %s plays %s", (key, play) => {
  expect(keyAction(key, offer(stud))).toEqual({ does: "play", play });
});

test.each([
  ["l", { does: "play", play: "low" }],
  ["h", { does: "play", play: "high" }],
  ["d", { does: "switch", wager: "double" }],
  ["a", { does: "hint" }],
])("hi-lo: %s, as in the terminal", (key, command) => {
  expect(keyAction(key, offer(hiLo))).toEqual(command);
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
  [".", "by-itself"],
])("before the deal: %s is %s", (key, does) => {
  expect(keyAction(key, null)).toEqual({ does });
});

test("the full stop takes a step by itself, whatever is asked", () => {
  for (const decision of [null, offer(stud), offer(hiLo)])
    expect(keyAction(".", decision)).toEqual({ does: "by-itself" });
});

test("H is a hint where nothing is called high; a digit chooses a chip before the deal", () => {
  expect(keyAction("h", offer(stud))).toEqual({ does: "hint" });
  expect(keyAction("4", null)).toEqual({ does: "chip", number: 4 });
});

test("a key that the stage does not have means nothing: no bet is made by mistake", () => {
  expect(keyAction("4", offer(stud))).toBeNull();
  expect(keyAction("Enter", offer(stud))).toBeNull();
  expect(keyAction("f", offer(hiLo))).toBeNull();
});

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

test.each([stud, hiLo])("the list of keys names every play", (given) => {
  const { choices } = offer(given);
  const keys = keyList(choices, capital).map(([key]) => key);
  for (const { key } of choices) expect(keys).toContain(key.toUpperCase());
  expect(keys).toContain("?");
});

test.each([
  [
    stud,
    [
      ["F", "fold"],
      ["1", "bet 1x"],
      ["2", "bet 2x"],
      ["3", "bet 3x"],
      ["H", "hint, in practice"],
    ],
  ],
  [
    hiLo,
    [
      ["L", "play low"],
      ["H", "play high"],
      ["D", "double on or off"],
      ["A", "hint, in practice"],
    ],
  ],
])("what a key does is said as it was ever", (given, text) => {
  expect(keyList(offer(given).choices, capital).slice(6, 6 + text.length)).toEqual(text);
});

test("a play that is neither bet nor declaration is named as it is", () => {
  const [fold, ...rest] = offer(stud).choices;
  if (!fold) throw new Error("no choice");
  const ride = { ...fold, play: "ride", title: "Ride", key: "r", folds: false };
  const offered = { ...offer(stud), choices: [ride, ...rest] };
  expect(keyAction("r", offered)).toEqual({ does: "play", play: "ride" });
  expect(keyList(offered.choices, capital)).toContainEqual(["R", "ride"]);
});
