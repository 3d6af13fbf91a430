/** Offline drills grade answers as the server does. */

import { expect, test } from "vitest";

import type { PacketItem } from "../api/types";
import { gradeOffline, nextPlace } from "./offline";

const item = (form: string, answer: string, kind = "odds"): PacketItem => ({
  kind,
  kind_title: kind,
  how: "",
  answer,
  answer_text: answer,
  reasons: [],
  question: {
    ask: "?",
    form,
    common: [],
    seats: [],
    lines: [],
    options: ["a", "b", "c"].map((id) => ({ id, text: id.toUpperCase(), cards: [] })),
    chips: ["5.00", "25.00"],
    pick: null,
    currency: null,
  },
});

test.each([
  ["amount", "1250.50", "$1,250.5", true],
  ["amount", "25.00", "2.5", false],
  ["amount", "-10.00", "-10", true],
  ["number", "7", "007", true],
  ["chips", "25.00x1,5.00x3", "5.00x3,25.00x1", true],
  ["chips", "25.00x1,5.00x3", "5.00x8", false],
  ["choice", "b", "b", true],
  ["choice", "b", "c", false],
  ["choices", "a,c", "c,a", true],
  ["choices", "", "none", true],
  ["choices", "a", "none", false],
  ["order", "c,a,b", "c,a,b", true],
  ["order", "c,a,b", "a,b,c", false],
  ["steps", "b=25.00,a=-10.00,c=0.00", "b=25 a=-10 c=0", true],
  ["steps", "b=25.00,a=-10.00,c=0.00", "b=25 c=0 a=-10", false],
  ["steps", "b=0.00,a=0.00,c=0.00", "b=0 a=x c=0", false],
])("of form %s, where %s is right, %s is judged %s", (form, answer, given, right) => {
  expect(gradeOffline(item(form, answer), given, 5)?.right).toBe(right);
});

test("what is no answer is not judged, and options are told by their texts", () => {
  expect(gradeOffline(item("amount", "25.00"), "lots", 5)).toBeNull();
  expect(gradeOffline(item("choices", "a"), "b,c", 5)?.given_text).toBe("B, C");
});

test("questions that were taken along come one after another, of the kinds that are wanted", () => {
  const items = [item("choice", "a"), item("amount", "5.00", "bounds"), item("choice", "b")];
  expect([nextPlace(items, [], -1), nextPlace(items, [], 2)]).toEqual([0, 0]);
  expect([nextPlace(items, ["odds"], 0), nextPlace(items, ["bounds"], 1)]).toEqual([2, 1]);
  expect(nextPlace(items, ["shares"], -1)).toBeNull();
});
