/** The betting circles: as the sheet prints them and as the view fills them. */

import type {
  DecideOffer,
  Line,
  Pile,
  PrintedCircle,
  Seat,
  Sheet,
  View,
  WagerOffer,
} from "../api/types";
import { titleOf } from "../api/sheet";
import { resultOf, wagerOffers } from "../live/view";
import { formatMoney } from "../words/money";

export interface Circle extends PrintedCircle {
  /** Text of an empty circle. */
  limitsText: string;
  /** The text of the dagger if the source does not state the limits. */
  assumed: string;
  amount: string | null;
  chips: Pile[];
  line: Line | null;
  payoutChips: Pile[];
  /** True if the dealer has collected the chips. */
  collected: boolean;
  offer: WagerOffer | undefined;
}

/** All circles of a seat, in the felt's order. */
export function circles(view: View, sheet: Sheet, seat: Seat): Circle[] {
  return sheet.felt.circles.map((printed) => {
    const line = lineOf(view, seat, printed.wager);
    return {
      ...printed,
      limitsText: limitsText(sheet, printed),
      assumed: sheet.limits_ours[printed.wager] ?? "",
      amount: seat.wagers?.find(([name]) => name === printed.wager)?.[1] ?? null,
      chips: seat.chips?.[printed.wager] ?? [],
      line,
      payoutChips: line?.chips ?? [],
      collected: isCollected(line, seat, printed.kind),
      offer: wagerOffers(view, seat.seat).find((offer) => offer.wager === printed.wager),
    };
  });
}

/** A fold loses the main wagers immediately. The dealer settles the rest. */
function isCollected(line: Line | null, seat: Seat, kind: Circle["kind"]): boolean {
  if (line === null) return seat.folded === true && kind !== "side";
  return line.result === "lose" || line.result === "forfeit";
}

export function lineOf(view: View, seat: Seat, wager: string): Line | null {
  return resultOf(view, seat)?.lines.find((line) => line.wager === wager) ?? null;
}

/** The circle's limits, the multiples plays bet there, or the circle it must equal. */
function limitsText(sheet: Sheet, { limits, equals, times }: PrintedCircle): string {
  if (limits) return `${formatMoney(limits.min)}–${formatMoney(limits.max)}`;
  if (equals !== null) return `= ${titleOf(sheet, equals)}`;
  return multiples(times);
}

function multiples(times: readonly number[]): string {
  const [least = 0, most = least] = [times[0], times.at(-1)];
  return least === most ? `${least}x` : `${least}x–${most}x`;
}

/** What the current decision can bet on a circle, or null. */
export function currentLimits(offer: DecideOffer, { wager, limitsText }: Circle): string | null {
  const puts = offer.choices.filter((choice) => choice.puts.includes(wager));
  if (puts.length === 0) return null;
  const times = puts.flatMap(({ bets, refused }) => (bets === null || refused ? [] : [bets]));
  return times.length ? multiples(times.sort((a, b) => a - b)) : limitsText;
}

/** Felt color of a venue, always the same one. */
export function feltColor(sheet: string): string {
  const felts = ["green", "blue", "wine", "teal", "plum"];
  const house = sheet.split("/")[0] ?? sheet;
  const sum = [...house].reduce(
    (total, letter) => (99 * total + (letter.codePointAt(0) ?? 0)) % 9973,
    10, // This seed gives the bundled venues different colors.
  );
  return felts[sum % felts.length] ?? "green";
}
