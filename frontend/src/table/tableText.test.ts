/** The text table has every card, wager, result and offer of the felt. */

import type { Seat, Sheet, View } from "../api/types";
import { expect, test } from "vitest";

import hiLoDecision from "../live/views/hi-lo-decision.json";
import hiLoOver from "../live/views/hi-lo-over.json";
import hiLoSheet from "../live/views/hi-lo.sheet.json";
import decision from "../live/views/stud-decision.json";
import folded from "../live/views/stud-folded-over.json";
import sheet from "../live/views/stud.sheet.json";
import wagers from "../live/views/stud-wagers.json";
import won from "../live/views/stud-won.json";
import { spokenText } from "../words/cards";
import { formatMoney } from "../words/money";
import { circles } from "./layout";
import { tableText } from "./tableText";

const CASES: [string, unknown, unknown][] = [
  ["betting", wagers, sheet],
  ["a decision", decision, sheet],
  ["a fold", folded, sheet],
  ["a win", won, sheet],
  ["a declaration", hiLoDecision, hiLoSheet],
  ["the end of hi-lo", hiLoOver, hiLoSheet],
];

const all = (given: unknown, rules: unknown): string => {
  const view = given as View;
  const parts = tableText(view, rules as Sheet, view.seats.slice(0, 1), true);
  return parts.flatMap((part) => [part.heading, ...part.lines]).join("\n");
};

test.each(CASES)("%s: every card is told, or that it is face down", (_, given, rules) => {
  const { board, seats } = given as View;
  for (const card of [...board.cards, ...(seats[0]?.cards ?? [])]) {
    expect(all(given, rules)).toContain(card === null ? "face down" : spokenText(card));
  }
});

test.each(CASES)("%s: every wager is told with its name and amount", (_, given, rules) => {
  const view = given as View;
  const lying = circles(view, rules as Sheet, view.seats[0] as Seat).filter(
    (circle) => circle.amount !== null,
  );
  expect(lying.length).toBeGreaterThan(0);
  for (const circle of lying)
    expect(all(given, rules)).toContain(`${circle.title}: ${formatMoney(circle.amount ?? "")}`);
});

test.each(CASES)("%s: results and balance are told", (_, given, rules) => {
  const view = given as View;
  const lines = view.result?.seats[0]?.told.map((line) => line.text) ?? [];
  for (const line of [...lines, `Your balance is ${formatMoney(view.wallet ?? "")}`])
    expect(all(given, rules)).toContain(line);
});

test("what may be done is told with its price, what may not with the reason", () => {
  expect(all(decision, sheet)).toContain(
    "Flop bet. Your options: Fold; 1x for $10; 2x for $20; 3x for $30.",
  );
  const broke = structuredClone(decision) as unknown as View;
  for (const offer of broke.offers) {
    if (offer.do !== "decide" || !("choices" in offer)) continue;
    const [, , , most] = offer.choices;
    if (most) most.refused = { code: "not-covered", message: "ann has $20 left", clause: null };
  }
  expect(all(broke, sheet)).toContain("3x isn't allowed: ann has $20 left");
});

test("the dealer's three areas are told with their points (MHL-8)", () => {
  const text = all(hiLoOver, hiLoSheet);
  for (const area of ["Dealer's Lo Hand", "Shared Card", "Dealer's Hi Hand"])
    expect(text).toContain(`${area}: `);
  expect(text).toContain("Hand set as low, across the dealer's cards.");
});

test("before its cards are shown no result is told", () => {
  const view = won as unknown as View;
  const parts = tableText(view, sheet as unknown as Sheet, view.seats.slice(0, 1), false);
  expect(parts.flatMap((part) => part.lines).join()).not.toContain("You win");
});

test("every place in common is told by its own name", () => {
  const view = structuredClone(decision) as unknown as View;
  const rules = structuredClone(sheet) as unknown as Sheet;
  const [board] = rules.felt.groups;
  if (!board) throw new Error("no board");
  rules.felt.groups.push({ ...board, place: "board-1", title: "Dealer" });
  view.common.push({ place: "board-1", cards: ["Kc", null] });
  const parts = tableText(view, rules, view.seats.slice(0, 1), true);
  expect(parts.map((part) => part.heading).slice(1, 3)).toEqual(["Community cards", "Dealer"]);
  expect(parts[2]?.lines).toEqual(["king of clubs and one card face down."]);
});
