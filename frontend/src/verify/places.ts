/** Groups a round's cards by place: where they were dealt and which were turned. */

import type { ActionStored } from "../api/types";

export type Action = Pick<ActionStored, "do" | "place" | "card">;
export type Place = NonNullable<Action["place"]>;

export interface Difference {
  place: Place;
  number: number;
  recorded: string;
  /** "nothing" if no card is due. */
  dealt: string;
}

type Turn = Required<Action>;
const isTurn = (action: Action): action is Turn => action.do === "turn" || action.do === "expose";

/** The place of each card, in deal order. */
export const placesDealt = (actions: readonly Action[]): Place[] =>
  actions.filter((action) => action.do === "deal").map((action) => action.place ?? "board");

/** The cards at each place, in deal order. */
export function groupByPlace<T>(places: readonly Place[], cards: readonly T[]): Map<Place, T[]> {
  const piles = new Map<Place, T[]>();
  places.forEach((place, n) => {
    const card = cards[n];
    if (card !== undefined) piles.set(place, [...(piles.get(place) ?? []), card]);
  });
  return piles;
}

/** The turned cards by place, and those that differ from the dealt ones. */
export function turnedCards(
  actions: readonly Action[],
  expectedCard: (place: Place, number: number) => string | undefined,
): { seen: Map<Place, (string | null)[]>; differences: Difference[] } {
  const cardsSeen = new Map<Place, (string | null)[]>();
  const differences: Difference[] = [];
  for (const { place, card } of actions.filter(isTurn)) {
    const turned = cardsSeen.get(place) ?? [];
    const right = expectedCard(place, turned.length) ?? "nothing";
    cardsSeen.set(place, [...turned, card]);
    if (card !== null && right !== card)
      differences.push({ place, number: turned.length + 1, recorded: card, dealt: right });
  }
  return { seen: cardsSeen, differences };
}

export const placesOf = (
  piles: Map<Place, unknown[]>,
  cardsSeen: Map<Place, (string | null)[]>,
): { place: Place; turned: (string | null)[]; unturned: number }[] =>
  [...piles].map(([place, pile]) => {
    const turned = cardsSeen.get(place) ?? [];
    return { place, turned, unturned: pile.length - turned.length };
  });
