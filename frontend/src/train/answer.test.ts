/** When a draft of choices is a complete answer. */

import { expect, test } from "vitest";

import type { Question } from "../api/types";
import { answerOf, blank, toggleOption } from "./answer";

const question = (form: string, more: Partial<Question> = {}): Question => ({
  ask: "?",
  form,
  common: [],
  seats: [],
  lines: [],
  options: ["a", "b", "c"].map((id) => ({ id, text: id, cards: [] })),
  chips: ["5.00", "25.00"],
  pick: null,
  currency: null,
  ...more,
});

test.each([
  ["amount", { typed: " 25 " }, "25"],
  ["amount", { typed: " " }, null],
  ["chips", { chips: { "5.00": 3, "25.00": 1 } }, "5.00x3,25.00x1"],
  ["chips", { chips: { "5.00": 0 } }, null],
  ["choice", { chosen: ["b"] }, "b"],
  ["choice", { chosen: [] }, null],
  ["choices", { chosen: ["c", "a"] }, "c,a"],
  ["choices", { chosen: [] }, "none"],
  ["order", { chosen: ["c", "a", "b"] }, "c,a,b"],
  ["order", { chosen: ["c", "a"] }, null],
  ["steps", { chosen: ["c", "a", "b"], amounts: { a: "-5", b: "0", c: "10" } }, "c=10 a=-5 b=0"],
  ["steps", { chosen: ["c", "a", "b"], amounts: { a: "-5", c: "10" } }, null],
])("an answer of form %s from %o is %s", (form, draft, answer) => {
  expect(answerOf(question(form), { ...blank(), ...draft })).toBe(answer);
});

test("so many are to be chosen as the question says", () => {
  const five = question("choices", { pick: 2 });
  expect(answerOf(five, { ...blank(), chosen: ["a"] })).toBeNull();
  expect(answerOf(five, { ...blank(), chosen: ["a", "c"] })).toBe("a,c");
});

test("one is chosen instead of another, several one after another", () => {
  expect(toggleOption(question("choice"), ["a"], "b")).toEqual(["b"]);
  expect(toggleOption(question("order"), ["a"], "b")).toEqual(["a", "b"]);
  expect(toggleOption(question("order"), ["a", "b"], "a")).toEqual(["b"]);
});
