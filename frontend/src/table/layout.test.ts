/** The circles on the felt, with the chips that the server counted out. */

import type { DecideOffer, Seat, Sheet, View } from "../api/types";
import { expect, test } from "vitest";

import { decideOffer } from "../live/view";
import decision from "../live/views/stud-decision.json";
import hiLoOver from "../live/views/hi-lo-over.json";
import hiLoSheet from "../live/views/hi-lo.sheet.json";
import folded from "../live/views/stud-folded-over.json";
import open from "../live/views/stud-open.json";
import sheet from "../live/views/stud.sheet.json";
import wagers from "../live/views/stud-wagers.json";
import won from "../live/views/stud-won.json";
import { circles, feltColor, lineOf, currentLimits } from "./layout";

const stud = sheet as unknown as Sheet;
const of = (given: unknown) => {
  const view = given as View;
  return circles(view, stud, view.seats[0] as Seat);
};

test("the felt has the sheet's own circles, by their names", () => {
  expect(of(open).map((circle) => circle.title)).toEqual([
    "Ante",
    "Flop bet",
    "Turn bet",
    "River bet",
    "3 Card Bonus",
  ]);
  expect(of(open).map((circle) => circle.limitsText)).toEqual([
    "$5–$500",
    "1x–3x",
    "1x–3x",
    "1x–3x",
    "$1–$100",
  ]);
  const assumption = "Assumption: the source does not say this.";
  const assumed = of(open).map((circle) => circle.assumed);
  expect(assumed).toEqual([assumption, "", "", "", assumption]);
});

test("the circle that a decision puts chips on says how many it may put there now", () => {
  const view = decision as unknown as View;
  const waiting = view.seats.find((seat) => seat.waiting) as Seat;
  const all = circles(view, stud, waiting);
  const offer = decideOffer(view, waiting.seat) as DecideOffer;
  const now = (given: DecideOffer) =>
    all.map((circle) => currentLimits(given, circle)).filter(Boolean);
  expect(now(offer)).toEqual(["1x–3x"]);
  const only = (play: string) =>
    offer.choices.filter((choice) => ["fold", play].includes(choice.play));
  expect(now({ ...offer, choices: only("3x") })).toEqual(["3x"]);
  expect(now({ ...offer, choices: only("fold") })).toEqual([]);
  const war = offer.choices.map((choice) => ({ ...choice, bets: null }));
  expect(now({ ...offer, choices: war })).toEqual(["1x–3x"]); // As printed.
});

test("a wager lies on its circle in the chips that the house counted out", () => {
  const [ante, , , , bonus] = of(wagers);
  expect([ante?.amount, ante?.chips]).toEqual(["10.00", [["5.00", 2]]]);
  expect([bonus?.amount, bonus?.chips]).toEqual(["5.00", [["5.00", 1]]]);
  expect(ante?.offer?.chips?.length).toBeGreaterThan(0);
});

test("a fold takes the main wagers at once and leaves the side wager (CMS-6, CMS-11)", () => {
  const view = structuredClone(folded) as unknown as View;
  view.result = null; // While others still play.
  const all = circles(view, stud, view.seats[0] as Seat).filter((circle) => circle.amount !== null);
  expect(all.map((circle) => [circle.wager, circle.collected])).toEqual([
    ["ante", true],
    ["flop", true],
    ["three-card-bonus", false],
  ]);
});

test("every win stands on its own circle, every loss is taken from it", () => {
  for (const circle of of(won)) {
    expect(circle.collected).toBe(circle.line?.result === "lose");
    expect(circle.payoutChips.length > 0).toBe(circle.line?.result === "win");
  }
});

test("a hand that is settled while others are open shows its result (GEN-6)", () => {
  const view = structuredClone(won) as unknown as View;
  const seat = view.seats[0] as Seat;
  const settled = view.result?.seats[0];
  expect(settled).toBeDefined();
  view.result = null;
  seat.settled = settled ?? null;
  const lines = circles(view, stud, seat).filter((circle) => circle.line !== null);
  expect(lines.length).toBe(settled?.lines.length);
  expect(lineOf(view, seat, "ante")?.result).toBe("win");
});

test("the double has a circle of its own, in the box where the hand does not lie (MHL-7)", () => {
  const view = hiLoOver as unknown as View;
  const all = circles(view, hiLoSheet as unknown as Sheet, view.seats[0] as Seat);
  const boxed = all.filter((circle) => circle.boxed);
  expect(boxed.map((circle) => [circle.title, circle.amount])).toEqual([["Double", "10.00"]]);
});

test("a circle that is as high as another says so, and takes no chips of its own", () => {
  const view = open as unknown as View;
  const [main] = stud.felt.circles;
  if (!main) throw new Error("no circle");
  const blind = { ...main, wager: "blind", title: "Blind", limits: null, equals: main.wager };
  const felt = { ...stud.felt, circles: [main, blind] };
  const bonus = circles(view, { ...stud, felt }, view.seats[0] as Seat)[1];
  expect([bonus?.limitsText, bonus?.offer]).toEqual(["= Ante", undefined]);
});

test("a house has one felt, whatever the game", () => {
  expect(feltColor("catfish-bend/mississippi-stud")).toBe(feltColor("catfish-bend/matchem-hi-lo"));
  expect(feltColor("oceanfront/mississippi-stud")).not.toBe(
    feltColor("catfish-bend/mississippi-stud"),
  );
});
