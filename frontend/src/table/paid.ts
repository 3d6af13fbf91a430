/** By which lines of a pay table a round was paid: for the felt's print and the table beside it. */

import type { Sheet } from "../api/types";
import type { FeltSource } from "../live/felt";
import { resultOf } from "../live/view";

/** The outcomes of a wager's table that won or were given back, at any seat whose result is shown. */
export function linesPaid(table: FeltSource, sheet: Sheet, wager: string): string[] {
  const { view } = table;
  if (!table.shown || view === null) return [];
  return view.seats
    .flatMap((seat) => resultOf(view, seat)?.lines ?? [])
    .filter((line) => (line.wager in sheet.side ? line.wager : "main") === wager)
    .filter(({ result }) => result === "win" || result === "push")
    .map((line) => line.outcome ?? "");
}
