/** Queries on a viewer's view of a table. */

import type {
  DecideOffer,
  Offer,
  OtherOffer,
  Seat,
  SeatResult,
  View,
  WagerOffer,
} from "../api/types";
import { say } from "../words/say.svelte";

export const isWager = (offer: Offer): offer is WagerOffer => offer.do === "put-wager";
export const isDecide = (offer: Offer): offer is DecideOffer => offer.do === "decide";

/** "Folded", with the reason if it was automatic. */
export const foldedText = ({ forced }: Seat): string =>
  say("live.folded", { forced: forced ?? "no" });

/** The players still to finish betting, for one who is ready. */
export function readyText(view: View): string {
  const waiting = view.seats.filter(
    (seat) => seat.player && seat.wagers?.length && !view.ready?.includes(seat.seat),
  );
  const names = waiting.map((seat) => seat.player ?? "");
  return names.length ? say("live.ready-waiting", { names }) : say("live.ready");
}

export const isAway = (view: View, seat: Seat): boolean =>
  view.presence?.away.includes(seat.seat) ?? false;

/** Occupied seats, and seats that played the current round. */
/** After a system stop, tournament tables wait for the floor and not for a player. */
export const waitsForFloor = (view: View): boolean =>
  view.phase === "agreement" && !Object.keys(view.interruption?.answers ?? {}).length;

export function seatsOf(view: View, player: string): Seat[] {
  return view.seats.filter((seat) => seat.player === player || seat.played_by === player);
}

/** The seat's result so far: of the round, or of a hand that was settled early. */
export function resultOf(view: View, seat: Seat): SeatResult | null {
  return view.result?.seats.find((result) => result.seat === seat.seat) ?? seat.settled ?? null;
}

export function offer(view: View, what: string, seat?: number): OtherOffer | undefined {
  return view.offers.find(
    (offer): offer is OtherOffer =>
      offer.do === what && (seat === undefined || (offer as OtherOffer).seat === seat),
  );
}

export const wagerOffers = (view: View, seat: number): WagerOffer[] =>
  view.offers.filter(isWager).filter((offer) => offer.seat === seat);

/** The cards at a community place. */
export const cardsAt = (view: View, place: string): (string | null)[] =>
  view.common.find((pile) => pile.place === place)?.cards ?? [];

export const decideOffer = (view: View, seat: number): DecideOffer | undefined =>
  view.offers.filter(isDecide).find((offer) => offer.seat === seat);
