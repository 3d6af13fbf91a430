/** Animation timing: when each card of a batch of events lands and turns. */

import type { TableEvent, View } from "../api/types";

export interface Pace {
  /** Milliseconds until a card lands and until it turns, keyed by place and position: "board/0". */
  laid: Record<string, number>;
  turned: Record<string, number>;
  /** Milliseconds until everything is shown and results may appear. */
  total: number;
}

export const NO_DELAY: Pace = { laid: {}, turned: {}, total: 0 };

const DEAL_DELAY = 90; // Delay between two cards dealt.
const LAND = 260;
const TURN_DELAY = 90; // Delay between two cards of a hand turned.
const TURN = 320;
const OPEN = 320;

type Place = number | string;

/** The timing of events after a view. Cards already laid or turned do not move. */
export function paceOf(before: View | null, events: readonly TableEvent[]): Pace {
  const pace: Pace = { laid: {}, turned: {}, total: 0 };
  const round = events.some((event) => event.what === "round-opened");
  const added = counts(round ? null : before, (cards) => cards.length);
  const turned = counts(
    round ? null : before,
    (cards) => cards.filter((card) => card !== null).length,
  );
  let now = 0;
  for (const { what, body } of events) {
    const place = (body.place ?? body.seat) as Place;
    if (what === "deal") {
      pace.laid[key(place, next(added, place))] = now;
      now += DEAL_DELAY;
      pace.total = now + LAND;
    } else if (what === "turn") {
      now = Math.max(now, pace.total);
      pace.turned[key(place, next(turned, place))] = now;
      pace.total = now + TURN;
      now += typeof place === "string" ? TURN : TURN_DELAY;
    } else if (what === "settle" && Array.isArray(body.cards)) {
      now = Math.max(now, pace.total);
      for (let n = next(turned, place); n < body.cards.length; n++)
        pace.turned[key(place, n)] = now;
      now += OPEN;
      pace.total = now;
    }
  }
  return pace;
}

export const key = (place: Place, position: number): string => `${place}/${position}`;

function counts(
  view: View | null,
  count: (cards: (string | null)[]) => number,
): Map<Place, number> {
  const counts = new Map<Place, number>();
  if (view === null) return counts;
  for (const { place, cards } of view.common) counts.set(place, count(cards));
  for (const seat of view.seats) counts.set(seat.seat, count(seat.cards ?? []));
  return counts;
}

function next(counted: Map<Place, number>, place: Place): number {
  const position = counted.get(place) ?? 0;
  counted.set(place, position + 1);
  return position;
}
