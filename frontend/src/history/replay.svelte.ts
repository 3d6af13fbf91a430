/** Replay of a past round on the same felt, marked as a replay. No money moves. */

import type { ReplayedRound, Seat, Sheet, Step, View } from "../api/types";
import type { FeltSource } from "../live/feltSource";
import { NO_DELAY, key, type Pace } from "../live/pace";
import { isInstant } from "../settings/settings.svelte";
import { capital } from "../words/money";
import { displayName } from "../words/people";

const TURN_MS = 220;

export class Replay implements FeltSource {
  at = $state(0);
  pace: Pace = $state.raw(NO_DELAY);
  readonly shown = true;
  readonly revealed = "words";
  readonly seated = false;
  readonly busy = true;
  readonly who: string | null;
  readonly sheet: Sheet;
  readonly steps: Step[];

  constructor(readonly round: ReplayedRound) {
    this.sheet = round.rules;
    this.who = round.shared_by ? capital(displayName(round.shared_by)) : null;
    // Skip steps without a message, such as the opening of the round.
    this.steps = round.steps.filter((step) => step.told.length > 0);
    this.at = Math.max(0, this.steps.length - 1);
  }

  get step(): Step | undefined {
    return this.steps[this.at];
  }

  get view(): View | null {
    return this.step ? viewOf(this.round, this.step) : null;
  }

  get mine(): Seat[] {
    return (this.view?.seats ?? []).filter((seat) => this.round.mine.includes(seat.seat));
  }

  get ended(): boolean {
    return this.at >= this.steps.length - 1;
  }

  go(to: number): void {
    [this.at, this.pace] = stepTo(this.steps, this.at, to);
  }

  caughtUp = (): Promise<void> => Promise.resolve();
  send = (): Promise<boolean> => Promise.resolve(false);
  refuse = (): void => undefined;
}

/** The step to show, with its animation. Only a move to the next step is animated. */
export function stepTo(
  steps: readonly { view: Step["view"] }[],
  at: number,
  to: number,
): [number, Pace] {
  const next = Math.min(Math.max(to, 0), steps.length - 1);
  const [before, after] = [steps[at], steps[next]];
  const forward = next === at + 1 && before && after && !isInstant();
  return [next, forward ? paceBetween(before.view, after.view) : NO_DELAY];
}

/** The animation of cards that are new or newly turned in a step. */
function paceBetween(before: Step["view"], after: Step["view"], from = performance.now()): Pace {
  const pace: Pace = { laid: {}, turned: {}, total: 0 };
  let at = from;
  for (const [place, now, previous] of hands(before, after)) {
    now.forEach((card, n) => {
      const fresh = n >= previous.length;
      if (fresh) pace.laid[key(place, n)] = at;
      if (card !== null && (fresh || previous[n] === null))
        pace.turned[key(place, n)] = at + (fresh ? TURN_MS : 0);
      if (fresh || card !== previous[n]) at += TURN_MS;
    });
  }
  return { ...pace, total: at - from };
}

type Cards = (string | null)[];

function hands(before: Step["view"], after: Step["view"]): [number | string, Cards, Cards][] {
  const previousOf = (number: number) =>
    before.seats.find((seat) => seat.seat === number)?.cards ?? [];
  return [
    ...after.common.map(({ place, cards }): [string, Cards, Cards] => [
      place,
      cards,
      before.common.find((pile) => pile.place === place)?.cards ?? [],
    ]),
    ...after.seats.map((seat): [number, Cards, Cards] => [
      seat.seat,
      seat.cards ?? [],
      previousOf(seat.seat),
    ]),
  ];
}

function viewOf(round: ReplayedRound, step: Step): View {
  return {
    table: round.table,
    kind: "practice",
    unit: "play",
    version: step.n,
    next_sheet: null,
    deadlines: {},
    ready: [],
    spot: null,
    interruption: null,
    shoe: round.shoe,
    seat_seeds: {},
    revealed: null,
    coach: false,
    shuffler: true,
    offers: [],
    ...step.view,
  };
}
