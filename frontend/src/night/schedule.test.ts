import { expect, test } from "vitest";

import { beside, draftOf, scheduleOf } from "./draft";
import { fieldsOf, tomlOf } from "./toml";

const samples = Object.values(
  import.meta.glob<string>("../../../src/pitbook/nights/schedules/*.toml", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

test("every sample is read, filled into the form, and comes out the same", () => {
  expect(samples.length).toBeGreaterThan(1);
  for (const text of samples) {
    const fields = fieldsOf(text);
    const draft = draftOf(fields);
    expect(draft).not.toBeNull();
    expect(draft && fieldsOf(tomlOf(scheduleOf(draft)))).toEqual({ ends: "one-left", ...fields });
  }
});

test("text, numbers, lists and tables within a line", () => {
  const text = `title = "A \\"gala\\" # no comment" # one\nseats = 8\nlate = true
[buy_in]\ncosts = "80"\n[[levels]]\nlimits = { ante = { min = "25" } }
[[levels]]\n[[prizes]]\nshares = [50, 30,]\nnone = []`;
  expect(fieldsOf(text)).toEqual({
    title: 'A "gala" # no comment',
    seats: 8,
    late: true,
    buy_in: { costs: "80" },
    levels: [{ limits: { ante: { min: "25" } } }, {}],
    prizes: [{ shares: [50, 30], none: [] }],
  });
});

test.each([
  "title",
  "title = ",
  'title = "a',
  'title = "a" "b"',
  "title = 'literal'",
  "seats = 08",
  "seats = 1.5",
  "date = 2026-11-15",
  "seats = 8\nseats = 9",
  "[buy_in]\n[buy_in]",
  "[a.b]",
  "[levels]]",
  "shares = [1,\n2]",
  "shares = [1 2]",
  "limits = { ante }",
  "limits = { a = 1, a = 2 }",
  "limits = { a = 1",
])("%s is more than the form reads", (text) => {
  expect(fieldsOf(text)).toBeNull();
});

test("what the form has no blank for is not lost in it", () => {
  const [hourly = ""] = samples;
  for (const more of ['colour = "red"\n', ""]) {
    expect(draftOf(fieldsOf(more + hourly)) === null).toBe(more !== "");
  }
  const step = hourly.replace('min = "25"', 'min = "25", step = "5"');
  expect(step).not.toBe(hourly);
  expect(draftOf(fieldsOf(step))).toBeNull();
});

test("a number is one, and what is none stays as it was written", () => {
  const draft = draftOf(fieldsOf(samples[0] ?? ""));
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
  const found = [
    { field: "buy_in.fee", message: "is no amount" },
    { field: "buy_in", message: "too much" },
    { field: "prizes[0].shares[1]", message: "is no share" },
    { field: "prizes", message: "must rise" },
    { field: "prizes", message: "from two" },
    { field: "colour", message: "is unknown" },
    { field: "", message: "is no schedule" },
  ];
  expect(beside(found, names)).toEqual({
    wrong: {
      "buy_in.fee": "is no amount",
      "buy_in.costs": "too much",
      "prizes[0].shares": "is no share",
      "prizes[0].entrants": "must rise; from two",
    },
    others: ["colour: is unknown", "is no schedule"],
  });
});
