/** What lies on the felt, circle by circle: as the house has printed it, and as the view has it. */

import type { DecideOffer, Line, Pile, Printed, Seat, Sheet, View, WagerOffer } from "../api/types";
import { titleOf } from "../api/sheet";
import { resultOf, wagerOffers } from "../live/view";
import { formatMoney } from "../words/money";

export interface Circle extends Printed {
  /** What an empty circle says. */
  print: string;
  amount: string | null;
  chips: Pile[];
  line: Line | null;
  won: Pile[];
  /** The dealer has taken the chips. */
  taken: boolean;
  offer: WagerOffer | undefined;
}

/** Every circle of a seat, in the felt's order. */
export function circles(view: View, sheet: Sheet, seat: Seat): Circle[] {
  return sheet.felt.circles.map((printed) => {
    const line = lineOf(view, seat, printed.wager);
    return {
      ...printed,
      print: print(sheet, printed),
      amount: seat.wagers?.find(([name]) => name === printed.wager)?.[1] ?? null,
      chips: seat.chips?.[printed.wager] ?? [],
      line,
      won: line?.chips ?? [],
      taken: isTaken(line, seat, printed.kind),
      offer: wagerOffers(view, seat.seat).find((offer) => offer.wager === printed.wager),
    };
  });
}

/** A fold gives the main wagers up at once; everything else waits for the dealer to settle it. */
function isTaken(line: Line | null, seat: Seat, kind: Circle["kind"]): boolean {
  if (line === null) return seat.folded === true && kind !== "side";
  return line.result === "lose" || line.result === "forfeit";
}

export function lineOf(view: View, seat: Seat, wager: string): Line | null {
  return resultOf(view, seat)?.lines.find((line) => line.wager === wager) ?? null;
}

/** Its limits, the multiples that plays put there, or the circle that it is as high as. */
function print(sheet: Sheet, { limits, equals, times }: Printed): string {
  if (limits) return `${formatMoney(limits.min)}–${formatMoney(limits.max)}`;
  if (equals !== null) return `= ${titleOf(sheet, equals)}`;
  return multiples(times);
}

function multiples(times: readonly number[]): string {
  const [least = 0, most = least] = [times[0], times.at(-1)];
  return least === most ? `${least}x` : `${least}x–${most}x`;
}

/** What the decision at hand can put on a circle; null where it puts nothing there. */
export function printedNow(offer: DecideOffer, { wager, print }: Circle): string | null {
  const puts = offer.choices.filter((choice) => choice.puts.includes(wager));
  if (puts.length === 0) return null;
  const times = puts.flatMap(({ bets, refused }) => (bets === null || refused ? [] : [bets]));
  return times.length ? multiples(times.sort((a, b) => a - b)) : print;
}

/** Felts differ from house to house; a house always has the same one. */
export function feltOf(sheet: string): string {
  const felts = ["green", "blue", "wine", "teal", "plum"];
  const house = sheet.split("/")[0] ?? sheet;
  const sum = [...house].reduce(
    (total, letter) => (99 * total + (letter.codePointAt(0) ?? 0)) % 9973,
    10, // With these no two houses that are bundled have the same.
  );
  return felts[sum % felts.length] ?? "green";
}
