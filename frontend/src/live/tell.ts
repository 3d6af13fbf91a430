/** What happens at the table as sentences for ears and for the log; the words are the house's own. */

import type { EventBody, Result, Seat, SeatResult, TableEvent, View } from "../api/types";
import { cardsSaid } from "../words/cards";
import { isNone, isWin, signed, spoken } from "../words/money";

/** Sentences for some events, as seen by somebody who sits at these seats. */
export function told(events: readonly TableEvent[], mine: readonly number[]): string[] {
  const sentences = events.map((event) => tell(event, mine)).filter((one) => one !== null);
  return [...dealt(events, mine), ...sentences];
}

// What a result says before its cards have been shown would spoil them; `settledTold` says it in time.
const LATER = ["settle", "settled"];

/** Where a person deals, a hand is told as it is settled. */
const isLater = (what: string, body: EventBody): boolean => LATER.includes(what) && !body.settled;

function tell({ what, body }: TableEvent, mine: readonly number[]): string | null {
  if (isLater(what, body)) return null;
  const own = mine.includes(Number(body.seat ?? body.place));
  const mineToTell = own ? OWN[what] : undefined;
  if (mineToTell) return mineToTell(body);
  if (own && what === "turn") return null; // Told in one sentence with the rest of the hand.
  if (typeof body.told === "string")
    return own ? body.told.replace(/^Seat \d+ \(.*?\): /, "You: ") : body.told;
  return OTHERS[what]?.(body) ?? null;
}

const OWN: Record<string, (body: EventBody) => string> = {
  decide: decided,
  absent: playedByTheHouse,
};

const OTHERS: Record<string, (body: EventBody) => string> = {
  sat: (body) => `${String(body.player)} sits at seat ${String(body.seat)}.`,
  left: (body) => `${String(body.player)} leaves seat ${String(body.seat)}.`,
  refilled: (body) => `You are given ${spoken(String(body.given))} in play chips.`,
  interrupted: (body) => `Play is interrupted: ${String(body.why)}.`,
  ready: (body) => `${String(body.player)} ${body.on ? "is ready" : "wants more time"}.`,
  coach: (body) => `The coach is ${body.on ? "on" : "off"}.`,
};

const TOO_FEW = /^seat \d+ has (too few chips .*): fold$/;

/** For want of chips, which the house's own words say, or because the clock ran out. */
function playedByTheHouse(body: EventBody): string {
  const why = (body.notes ?? []).map(({ note }) => TOO_FEW.exec(note)?.[1]).find((found) => found);
  return why ? `You have ${why}: your hand is folded.` : `Your time ran out. ${decided(body)}`;
}

function decided(body: EventBody): string {
  if (body.folded) return "You fold.";
  const { says, puts = [], bets } = body;
  if (says) return `You declare ${[says, ...puts].join(" and ")}.`;
  const [play, cost] = [String(body.play), String(body.cost)];
  if (bets !== null) return `You bet ${play}, ${spoken(cost)}.`;
  return isNone(cost) ? `You ${play}.` : `You ${play}, ${spoken(cost)}.`;
}

function dealt(events: readonly TableEvent[], mine: readonly number[]): string[] {
  return mine.flatMap((seat) => {
    const cards = events
      .filter(({ what, body }) => what === "turn" && body.place === seat && body.card)
      .map(({ body }) => String(body.card));
    const where = mine.length > 1 ? ` at spot ${seat}` : "";
    return cards.length ? [`Your cards${where}: ${cardsSaid(cards)}.`] : [];
  });
}

/** A hand that is settled while others are open. */
export const SO_FAR = { result: "settled" };

/** The round for one seat in a few words. */
export function headline(result: Pick<Result, "result">, seat: SeatResult, who = "You"): string {
  const stands = seat.lines.some((line) => line.result !== "void");
  if (result.result === "misdeal") return "Misdeal: wagers go back";
  if (result.result === "dead" && !stands) return "The hand is dead: wagers go back";
  if (!stands) return "Void: the wagers go back";
  const s = who === "You" ? "" : "s";
  if (isWin(seat.net)) return `${who} win${s} ${spoken(seat.net)}`;
  if (seat.net.startsWith("-")) return `${who} lose${s} ${spoken(seat.net.slice(1))}`;
  return `${who} break${s} even`;
}

/** Results and balance for the ear, once the cards have been seen. */
export function settledTold(view: View, mine: readonly Seat[]): string[] {
  const { result } = view;
  if (result === null) return [];
  const own = result.seats.filter((one) => mine.some((seat) => seat.seat === one.seat));
  const others = result.seats.filter((one) => !own.includes(one));
  return [
    ...own.flatMap((one) => [
      ...(own.length > 1 ? [`Spot ${one.seat}.`] : []),
      ...one.told.map((line) => line.text),
      `${headline(result, one)}.`,
    ]),
    ...result.told.map((line) => line.text),
    ...others.map((one) => `Seat ${one.seat}, ${one.player}: ${signed(one.net)}.`),
    ...(view.wallet !== undefined && own.length ? [`Balance ${spoken(view.wallet)}.`] : []),
  ];
}
