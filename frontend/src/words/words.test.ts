import { expect, test } from "vitest";

import { addressReader } from "./secondPerson";
import { spokenText, spokenCard, spokenCards, withSymbols } from "./cards";
import {
  isLoss,
  isZero,
  isWin,
  chipLabel,
  ofCents,
  balanceName,
  formatSigned,
  formatMoney,
} from "./money";
import { displayName } from "./people";

test.each([
  ["0.00", "$0"],
  ["10.00", "$10"],
  ["10.50", "$10.50"],
  ["999.00", "$999"],
  ["1000.00", "$1,000"],
  ["1234567.89", "$1,234,567.89"],
  ["-20.00", "−\u2060$20"],
])("%s is spoken as %s", (amount, text) => {
  expect(formatMoney(amount)).toBe(text);
});

test("money is called by its unit", () => {
  expect(
    [
      "usd",
      "play",
      "event-chip:gala",
      "tournament:gala.t1",
      "rehearsal-event-chip:gala",
      undefined,
    ].map(balanceName),
  ).toEqual([
    "Balance",
    "Play chips",
    "Event chips",
    "Tournament chips",
    "Rehearsal chips",
    "Balance",
  ]);
});

test("cents of a sentence become an amount", () => {
  expect([0, 5, 99, 100, 150000].map(ofCents)).toEqual(["0.00", "0.05", "0.99", "1.00", "1500.00"]);
});

test("a result has its sign", () => {
  expect(["125.00", "-0.33", "0.00"].map((amount) => formatSigned(amount))).toEqual([
    "+\u2060$125",
    "−\u2060$0.33",
    "$0",
  ]);
  expect(["125.00", "-0.33", "0.00", "-0.00"].map(isWin)).toEqual([true, false, false, false]);
  expect(["125.00", "-0.33", "0.00", "-0.00"].map(isLoss)).toEqual([false, true, false, false]);
  expect(["0", "0.00", "-0.00", "0.01", "10.00"].map(isZero)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("a guest's number is told to nobody", () => {
  expect([
    displayName("guest-1f5088fa498fcdef"),
    displayName("ann"),
    displayName("guest-ann"),
  ]).toEqual(["a guest", "ann", "guest-ann"]);
});

test("who cannot pay is called you, and nobody else is", () => {
  const no = {
    code: "not-covered",
    message: "guest-6e60 has $500 left and needs $1,500.",
    clause: null,
    key: "table.desk.not-covered",
    fields: { player: "guest-6e60", left: 50000, needed: 150000 },
  };
  const seats = {
    code: "too-many-spots",
    message: "guest-6e60 has seat 1 already; a player may have one spot",
    clause: "OMS-3",
    key: "engine.wagers.too-many-spots",
    fields: { player: "guest-6e60", count: 1, seats: [1], most: 1 },
  };
  expect(addressReader(seats, "guest-6e60")).toEqual({
    ...seats,
    message: "You already have seat 1. The maximum is one seat. Leave it first.",
  });
  const rests = {
    code: "excluded",
    message: "guest-6e60 is on a break until 2026-11-18 22:00 UTC and cannot bet.",
    clause: null,
    key: "identity.roster.rests-until",
    fields: { player: "guest-6e60", until: "2026-11-18 22:00" },
  };
  expect((addressReader(rests, "guest-6e60") as typeof rests).message).toMatch(
    /^You are on a break until Nov 1[789], \d\d:00 [AP]M and cannot bet\./,
  );
  expect(addressReader(rests, "ann")).toBe(rests);
  const message = "You have $500 and need $1,500. Bet less or get more chips.";
  expect(addressReader(no, "guest-6e60")).toEqual({ ...no, message });
  expect([
    addressReader(no, "ann"),
    addressReader(no, undefined),
    addressReader(no, "guest-6e6"),
  ]).toEqual([no, no, no]);
  for (const other of [null, 3, "x", [no], { ...no, key: "constructor" }, { ...no, fields: null }])
    expect(addressReader(other, "guest-6e60")).toBe(other);
});

test("a chip has room for little", () => {
  const chips = ["1.00", "25.00", "1000.00", "0.33", "2.50", "1.25"];
  expect(chips.map(chipLabel)).toEqual(["1", "25", "1k", "33¢", "2½", "1.25"]);
});

test("cards for ears and for eyes", () => {
  expect(spokenCard("Tc")).toBe("ten of clubs");
  expect(spokenCards(["As", null, null])).toBe("ace of spades and 2 cards face down");
  expect(spokenText("The dealer turns Qs.")).toBe("The dealer turns queen of spades.");
  expect(withSymbols("Seat 1 looks: Td 2h.")).toBe("Seat 1 looks: 10♦ 2♥.");
  expect(withSymbols("It turns 5h Ah of the board.")).toBe("It turns 5♥ A♥ of the board.");
  expect(withSymbols("It turns As of the board. As a rule.")).toBe(
    "It turns A♠ of the board. As a rule.",
  );
});

test("words that only look like cards stay words", () => {
  expect(withSymbols("As a rule the hand of Kc4 wins.")).toBe("As a rule the hand of Kc4 wins.");
  expect(withSymbols("Seat 1 is opened: Ks As.")).toBe("Seat 1 is opened: K♠ A♠.");
});

test.each([
  ["Seat 1 nets -$30. Seat 2 nets -C$5.", "Seat 1 nets −\u2060$30. Seat 2 nets −\u2060C$5."],
  ["nets -€30 (-JPY 5, -20 chips)", "nets −\u2060€30 (−\u2060JPY 5, −\u206020 chips)"],
  ["by CMS-9 and 2026-11-18, 3-card, a - b", "by CMS-\u20609 and 2026-11-18, 3-card, a - b"],
])(
  "a loss has a minus, which stays with its sum, and a clause is not broken: %s",
  (text, expected) => {
    expect(withSymbols(text)).toBe(expected);
  },
);
