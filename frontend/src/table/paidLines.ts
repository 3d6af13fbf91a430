/** The pay table lines that the round paid, for the felt and the tables beside it. */

import type { Sheet } from "../api/types";
import type { FeltSource } from "../live/feltSource";
import { resultOf } from "../live/view";

/** Outcomes of a wager that won or pushed at any seat with a visible result. */
export function paidLines(table: FeltSource, sheet: Sheet, wager: string): string[] {
  const { view } = table;
  if (!table.isAnimationDone || view === null) return [];
  return view.seats
    .flatMap((seat) => resultOf(view, seat)?.lines ?? [])
    .filter((line) => (line.wager in sheet.side ? line.wager : "main") === wager)
    .filter(({ result }) => result === "win" || result === "push")
    .map((line) => line.outcome ?? "");
}
