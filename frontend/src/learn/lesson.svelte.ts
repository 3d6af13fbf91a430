/** A lesson on the felt: the layout of a step, without bets or decisions. */

import type { Lesson, Seat, Sheet, LessonStep, View } from "../api/types";
import type { FeltSource } from "../live/feltSource";
import { NO_ANIMATION, type DealTimeline } from "../live/dealTimeline";
import { stepTo } from "../history/replay.svelte";

export class LessonTable implements FeltSource {
  at = $state(0);
  timeline: DealTimeline = $state.raw(NO_ANIMATION);
  readonly isAnimationDone = true;
  readonly revealed = "words";
  readonly seated = false;
  readonly busy = true;
  readonly viewedPlayer = null;

  constructor(
    readonly lesson: Lesson,
    readonly sheet: Sheet,
  ) {}

  get step(): LessonStep | undefined {
    return this.lesson.steps[this.at];
  }

  get view(): View | null {
    return this.step ? viewOf(this.step) : null;
  }

  get mySeats(): Seat[] {
    return (this.view?.seats ?? []).filter((seat) => seat.seat === this.lesson.seat);
  }

  get ended(): boolean {
    return this.at >= this.lesson.steps.length - 1;
  }

  go(target: number): void {
    [this.at, this.timeline] = stepTo(this.lesson.steps, this.at, target);
  }

  caughtUp = (): Promise<void> => Promise.resolve();
  send = (): Promise<boolean> => Promise.resolve(false);
  refuse = (): void => undefined;
}

function viewOf({ view }: LessonStep): View {
  return {
    table: "lesson",
    kind: "practice",
    unit: "play",
    version: 0,
    next_sheet: null,
    deadlines: {},
    ready: [],
    spot: null,
    interruption: null,
    shoe: null,
    seat_seeds: {},
    revealed: null,
    coach: false,
    shuffler: true,
    offers: [],
    ...view,
  };
}

/** Highlight what a step is about: the circles of its wagers and the cards of its places. */
export function pointOut(felt: HTMLElement, step: LessonStep): void {
  for (const spot of felt.querySelectorAll<HTMLElement>("[data-wager], [data-place]")) {
    const { wager, place } = spot.dataset;
    const highlighted = step.wagers.includes(wager ?? "") || step.places.includes(place ?? "");
    spot.toggleAttribute("data-meant", highlighted);
  }
}
