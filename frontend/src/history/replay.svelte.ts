/** Replay of a past round on the same felt, marked as a replay. No money moves. */

import type { ReplayedRound, Seat, Sheet, Step, View } from "../api/types";
import type { FeltSource } from "../live/feltSource";
import { NO_ANIMATION, key, type DealTimeline } from "../live/dealTimeline";
import { isInstant } from "../settings/settings.svelte";
import { capital } from "../words/money";
import { displayName } from "../words/people";

const TURN_MS = 220;

export class Replay implements FeltSource {
  at = $state(0);
  timeline: DealTimeline = $state.raw(NO_ANIMATION);
  readonly isAnimationDone = true;
  readonly revealed = "words";
  readonly seated = false;
  readonly busy = true;
  readonly viewedPlayer: string | null;
  readonly sheet: Sheet;
  readonly steps: Step[];

  constructor(readonly round: ReplayedRound) {
    this.sheet = round.rules;
    this.viewedPlayer = round.shared_by ? capital(displayName(round.shared_by)) : null;
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

  get mySeats(): Seat[] {
    return (this.view?.seats ?? []).filter((seat) => this.round.mine.includes(seat.seat));
  }

  get ended(): boolean {
    return this.at >= this.steps.length - 1;
  }

  go(target: number): void {
    [this.at, this.timeline] = stepTo(this.steps, this.at, target);
  }

  caughtUp = (): Promise<void> => Promise.resolve();
  send = (): Promise<boolean> => Promise.resolve(false);
  refuse = (): void => undefined;
}

/** The step to show, with its animation. Only a move to the next step is animated. */
export function stepTo(
  steps: readonly { view: Step["view"] }[],
  time: number,
  target: number,
): [number, DealTimeline] {
  const next = Math.min(Math.max(target, 0), steps.length - 1);
  const [before, after] = [steps[time], steps[next]];
  const forward = next === time + 1 && before && after && !isInstant();
  return [next, forward ? timelineBetween(before.view, after.view) : NO_ANIMATION];
}

/** The animation of cards that are new or newly turned in a step. */
function timelineBetween(
  before: Step["view"],
  after: Step["view"],
  from = performance.now(),
): DealTimeline {
  const timeline: DealTimeline = { dealtAt: {}, turnedAt: {}, total: 0 };
  let time = from;
  for (const [place, newCards, previous] of hands(before, after)) {
    newCards.forEach((card, n) => {
      const isNew = n >= previous.length;
      if (isNew) timeline.dealtAt[key(place, n)] = time;
      if (card !== null && (isNew || previous[n] === null))
        timeline.turnedAt[key(place, n)] = time + (isNew ? TURN_MS : 0);
      if (isNew || card !== previous[n]) time += TURN_MS;
    });
  }
  return { ...timeline, total: time - from };
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
