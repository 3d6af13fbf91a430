/** A schedule survives the form, and findings appear at their fields. */

import { expect, test } from "vitest";

import { placeFindings, draftOf, type DraftFields, scheduleOf } from "./draft";
import kept from "./schedules.json";

/** The samples as the server reads them; `tests/house/nights/test_routes_schedules.py` compares them with the files. */
const samples = kept as unknown as Record<string, DraftFields>;

test("every sample is filled into the form, and comes out the same", () => {
  expect(Object.keys(samples).length).toBeGreaterThan(1);
  for (const fields of Object.values(samples)) {
    const draft = draftOf(fields);
    expect(draft).not.toBeNull();
    expect(draft && scheduleOf(draft)).toEqual({ ends: "one-left", ...fields });
  }
});

test("what the form has no blank for is not lost in it", () => {
  const hourly = samples.hourly ?? {};
  expect(draftOf(null)).toBeNull();
  expect(draftOf({ ...hourly, color: "red" })).toBeNull();
  const [first] = hourly.levels as DraftFields[];
  const step = { ante: { min: "25", step: "5" } };
  expect(draftOf({ ...hourly, levels: [{ ...first, limits: step }] })).toBeNull();
  expect(draftOf({ ...hourly, title: { of: "a table" } })).toBeNull();
});

test("a number is one, and what is none stays as it was written", () => {
  const draft = draftOf(samples.hourly ?? null);
  if (!draft) throw new Error("no draft");
  draft.seats = " 7 ";
  draft.re_buy.sold = false;
  const [first] = draft.levels;
  if (first) first.minutes = "a quarter";
  draft.prizes = [{ id: 0, entrants: "2", shares: "70; 30 x" }];
  const { seats, re_buy, levels, prizes } = scheduleOf(draft);
  expect([seats, re_buy]).toEqual([7, undefined]);
  expect(levels).toMatchObject([{ minutes: "a quarter" }, {}, {}, {}]);
  expect(prizes).toEqual([{ entrants: 2, shares: [70, 30, "x"] }]);
});

test("a finding stands at its field, or the first inside it, or the one around it", () => {
  const names = ["title", "buy_in.costs", "buy_in.fee", "prizes[0].entrants", "prizes[0].shares"];
  const schedules = [
    { field: "buy_in.fee", message: "is no amount" },
    { field: "buy_in", message: "too much" },
    { field: "prizes[0].shares[1]", message: "is no share" },
    { field: "prizes", message: "must rise" },
    { field: "prizes", message: "from two" },
    { field: "color", message: "is unknown" },
    { field: "", message: "is no schedule" },
  ];
  expect(placeFindings(schedules, names)).toEqual({
    wrong: {
      "buy_in.fee": "is no amount",
      "buy_in.costs": "too much",
      "prizes[0].shares": "is no share",
      "prizes[0].entrants": "must rise; from two",
    },
    others: ["color: is unknown", "is no schedule"],
  });
});
