/** Events as sentences: the viewer is "you", and no result appears before its cards. */

import type { Result, SeatResult, TableEvent, View } from "../api/types";
import { expect, test } from "vitest";

import { headline, settlementSentences, describeEvents } from "./sentences";
import folded from "./views/stud-folded-over.json";
import won from "./views/stud-won.json";

const event = (what: string, body: Record<string, unknown>): TableEvent => ({
  version: 1,
  what,
  body,
});

test("own cards are one sentence, the dealer's words are taken as they are", () => {
  const news = [
    event("close", { told: "No more bets." }),
    event("deal", { place: 1, told: null }),
    event("turn", { place: 1, card: "Kc", told: "Seat 1 looks: Kc." }),
    event("turn", { place: 1, card: "Th", told: "Seat 1 looks: Th." }),
    event("turn", { place: "board", card: "Qs", told: "The dealer turns Qs." }),
  ];
  expect(describeEvents(news, [1])).toEqual([
    "Your cards: king of clubs and ten of hearts.",
    "No more bets.",
    "The dealer turns Qs.",
  ]);
});

test("one's own decisions are spoken to, others' are spoken of", () => {
  const body = {
    seat: 1,
    play: "3x",
    cost: "30.00",
    folded: false,
    says: "",
    puts: ["flop"],
    bets: 3,
    told: "Seat 1 bets 3x, $30, on the Flop bet.",
  };
  expect(describeEvents([event("decide", body)], [1])).toEqual(["You bet 3x ($30)."]);
  expect(describeEvents([event("decide", body)], [2])).toEqual([
    "Seat 1 bets 3x, $30, on the Flop bet.",
  ]);
  expect(describeEvents([event("decide", { seat: 1, folded: true })], [1])).toEqual(["You fold."]);
});

test.each([
  [{ play: "low+double", says: "low", puts: ["double"], bets: null }, "You play low and double."],
  [{ play: "high", says: "high", puts: [], bets: null }, "You play high."],
  [{ play: "0x", says: "", puts: [], bets: 0, cost: "0.00" }, "You bet 0x ($0)."],
  [{ play: "ride", says: "", puts: [], bets: null, cost: "0.00" }, "You let it ride."],
  [{ play: "raise", says: "", puts: ["raise"], bets: null, cost: "5.00" }, "You raise ($5)."],
])("what a play does says how it is told: %o", (play, expected) => {
  expect(describeEvents([event("decide", { seat: 1, folded: false, ...play })], [1])).toEqual([
    expected,
  ]);
});

test("one's own bet is told by the wager's title, another's in the dealer's words", () => {
  const body = {
    seat: 1,
    player: "ann",
    wager: "ante",
    amount: "25.00",
    told: "Seat 1 (ann): $25 on the Ante.",
  };
  const titles = (wager: string) => ({ ante: "Ante" })[wager] ?? wager;
  expect(describeEvents([event("wager", body)], [1], titles)).toEqual(["You bet $25 on the Ante."]);
  expect(describeEvents([event("wager", body)], [2], titles)).toEqual([body.told]);
});

test("a hand that is folded for want of chips says so, and absence is told as such", () => {
  const lacks = { bet: "Turn bet", least: "500.00" };
  const body = { seat: 1, short: true, play: "fold", folded: true, lacks };
  expect(describeEvents([event("absent", body)], [1])).toEqual([
    "Turn bet costs at least $500 and you don't have enough chips. Your hand is folded.",
  ]);
  const away = { ...body, short: undefined, lacks: undefined };
  expect(describeEvents([event("absent", away)], [1])).toEqual(["Your time ran out. You fold."]);
  const refusal = "Seat 1 has too few chips for the Turn bet, $500 at least: fold (GEN-10).";
  expect(describeEvents([event("absent", { ...body, told: refusal })], [2])).toEqual([refusal]);
});

test("a result is not told before its cards have been shown", () => {
  expect(
    describeEvents(
      [event("settle", { told: "Seat 1: Ante, $10, loses." }), event("settled", { told: "x" })],
      [1],
    ),
  ).toEqual([]);
});

test.each([won, folded])("results name every wager, the sum and the balance", (given) => {
  const view = given as unknown as View;
  const text = settlementSentences(view, view.seats.slice(0, 1));
  const [seat] = view.result?.seats ?? [];
  for (const line of seat?.told ?? []) expect(text).toContain(line.text);
  expect(text.at(-1)).toMatch(/^Balance: \$/);
});

test.each([
  ["125.00", "settled", "You win $125"],
  ["-40.00", "settled", "You lose $40"],
  ["0.00", "settled", "You break even"],
])("net %s of a round that is %s: %s", (net, result, expected) => {
  const seat = { net, lines: [{ result: "lose" }] } as unknown as SeatResult;
  expect(headline({ result } as Result, seat)).toBe(expected);
});

test("a hand of a misdeal gets its bets back, unless it forfeits them (GEN-7)", () => {
  const back = { net: "0.00", lines: [{ result: "void" }] } as unknown as SeatResult;
  expect(headline({ result: "misdeal" } as Result, back)).toBe("Misdeal: all bets returned");
  const gone = { net: "-40.00", lines: [{ result: "forfeit" }] } as unknown as SeatResult;
  expect(headline({ result: "misdeal" } as Result, gone)).toBe("You lose $40");
});

test("somebody else's round is told in the third person", () => {
  const seat = { net: "-5.00", lines: [{ result: "lose" }] } as unknown as SeatResult;
  expect(headline({ result: "settled" } as Result, seat, "ann")).toBe("ann loses $5");
});

test("a hand that was settled before the rest was dead keeps its result (GEN-6)", () => {
  const seat = { net: "-5.00", lines: [{ result: "lose" }] } as unknown as SeatResult;
  expect(headline({ result: "dead" } as Result, seat)).toBe("You lose $5");
  const open = { net: "0.00", lines: [{ result: "void" }] } as unknown as SeatResult;
  expect(headline({ result: "dead" } as Result, open)).toBe("Dead hand: bets returned");
});

test("a hand that is settled at once is told at once, others when all is shown", () => {
  const settled = { net: "-2.00" } as SeatResult;
  const body = { seat: 2, told: "Seat 2: Ante, $2, loses (OMS-6).", settled };
  expect(describeEvents([{ version: 1, what: "settle", body }], [1])).toEqual([body.told]);
  expect(
    describeEvents([{ version: 1, what: "settle", body: { ...body, settled: null } }], [1]),
  ).toEqual([]);
});
