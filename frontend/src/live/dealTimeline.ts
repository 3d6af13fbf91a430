/** Animation timing: when each card of a batch of events lands and turns. */

import type { TableEvent, View } from "../api/types";

export interface DealTimeline {
  /** Milliseconds until a card lands and until it turns, keyed by place and position: "board/0". */
  dealtAt: Record<string, number>;
  turnedAt: Record<string, number>;
  /** Milliseconds until everything is shown and results may appear. */
  total: number;
}

export const NO_ANIMATION: DealTimeline = { dealtAt: {}, turnedAt: {}, total: 0 };

const DEAL_DELAY = 90; // Delay between two cards dealt.
const LAND = 260;
const TURN_DELAY = 90; // Delay between two cards of a hand turned.
const TURN = 320;
const OPEN = 320;

type Place = number | string;

/** The timing of events after a view. Cards already laid or turned do not move. */
export function buildTimeline(before: View | null, events: readonly TableEvent[]): DealTimeline {
  const timeline: DealTimeline = { dealtAt: {}, turnedAt: {}, total: 0 };
  const round = events.some((event) => event.what === "round-opened");
  const dealtCounts = countCards(round ? null : before, (cards) => cards.length);
  const turnedCounts = countCards(
    round ? null : before,
    (cards) => cards.filter((card) => card !== null).length,
  );
  let time = 0;
  for (const { what, body } of events) {
    const place = (body.place ?? body.seat) as Place;
    if (what === "deal") {
      timeline.dealtAt[key(place, nextPosition(dealtCounts, place))] = time;
      time += DEAL_DELAY;
      timeline.total = time + LAND;
    } else if (what === "turn") {
      time = Math.max(time, timeline.total);
      timeline.turnedAt[key(place, nextPosition(turnedCounts, place))] = time;
      timeline.total = time + TURN;
      time += typeof place === "string" ? TURN : TURN_DELAY;
    } else if (what === "settle" && Array.isArray(body.cards)) {
      time = Math.max(time, timeline.total);
      for (let n = nextPosition(turnedCounts, place); n < body.cards.length; n++)
        timeline.turnedAt[key(place, n)] = time;
      time += OPEN;
      timeline.total = time;
    }
  }
  return timeline;
}

export const key = (place: Place, position: number): string => `${place}/${position}`;

function countCards(
  view: View | null,
  count: (cards: (string | null)[]) => number,
): Map<Place, number> {
  const countCards = new Map<Place, number>();
  if (view === null) return countCards;
  for (const { place, cards } of view.common) countCards.set(place, count(cards));
  for (const seat of view.seats) countCards.set(seat.seat, count(seat.cards ?? []));
  return countCards;
}

function nextPosition(positions: Map<Place, number>, place: Place): number {
  const position = positions.get(place) ?? 0;
  positions.set(place, position + 1);
  return position;
}
