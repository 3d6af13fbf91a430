/** What is printed on the felt and what lies on it, from the sheet and the view alone. */

import { mainWager, type Sheet, titleOf } from "../api/sheet";
import {
  type Line,
  type Pile,
  resultOf,
  type Seat,
  type View,
  type WagerOffer,
  wagerOffers,
} from "../live/view";
import { spoken } from "../words/money";

export interface Circle {
  wager: string;
  title: string;
  kind: "main" | "street" | "side";
  /** What an empty circle says. */
  print: string;
  amount: string | null;
  chips: Pile[];
  line: Line | null;
  won: Pile[];
  /** The dealer has taken the chips. */
  taken: boolean;
  offer: WagerOffer | undefined;
  required: boolean;
}

/** Every circle of a seat, in the sheet's order: main wager, streets, side wagers. */
export function circles(view: View, sheet: Sheet, seat: Seat): Circle[] {
  const main = mainWager(sheet);
  const stake = sheet.ante ?? sheet.bet;
  const limits = stake ? `${spoken(stake.min)}–${spoken(stake.max)}` : "";
  const found: Circle[] = [circle(view, sheet, seat, main, "main", limits)];
  for (const street of sheet.streets ?? []) {
    found.push(circle(view, sheet, seat, street.id, "street", multiples(street.bets)));
  }
  for (const [wager, side] of Object.entries(sheet.side)) {
    const print = `${spoken(side.stake.min)}–${spoken(side.stake.max)}`;
    found.push(circle(view, sheet, seat, wager, "side", print));
  }
  return found;
}

/** One circle; a wager that the sheet has no circle for, as the double of hi-lo, too. */
export function circle(
  view: View,
  sheet: Sheet,
  seat: Seat,
  wager: string,
  kind: Circle["kind"],
  print: string,
): Circle {
  const line = lineOf(view, seat, wager);
  return {
    wager,
    title: titleOf(sheet, wager),
    kind,
    print,
    amount: seat.wagers?.find(([name]) => name === wager)?.[1] ?? null,
    chips: seat.chips?.[wager] ?? [],
    line,
    won: line?.chips ?? [],
    taken: isTaken(line, seat, kind),
    offer: wagerOffers(view, seat.seat).find((one) => one.wager === wager),
    required: kind === "main" || sheet.side[wager]?.stake.required === true,
  };
}

/** A fold gives the main wagers up at once; everything else waits for the dealer to settle it. */
function isTaken(line: Line | null, seat: Seat, kind: Circle["kind"]): boolean {
  if (line === null) return seat.folded === true && kind !== "side";
  return line.result === "lose" || line.result === "forfeit";
}

export function lineOf(view: View, seat: Seat, wager: string): Line | null {
  return resultOf(view, seat)?.lines.find((one) => one.wager === wager) ?? null;
}

function multiples(bets: readonly number[]): string {
  const [least, most] = [Math.min(...bets), Math.max(...bets)];
  return least === most ? `${least}×` : `${least}×–${most}×`;
}

/** Felts differ from house to house; a house always has the same one. */
export function feltOf(sheet: string): string {
  const felts = ["green", "blue", "wine", "teal", "plum"];
  const house = sheet.split("/")[0] ?? sheet;
  const sum = [...house].reduce(
    (total, letter) => (5 * total + (letter.codePointAt(0) ?? 0)) % 9973,
    20,
  );
  return felts[sum % felts.length] ?? "green";
}
