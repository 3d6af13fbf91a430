/** A lesson on the felt: the layout of a step, where nothing can be bet and nothing is asked. */

import type { Lesson, Seat, Sheet, StepTaught, View } from "../api/types";
import type { OnFelt } from "../live/felt";
import { AT_ONCE, type Pace } from "../live/pace";
import { paceBetween } from "../history/replay.svelte";
import { isInstant } from "../settings/settings.svelte";

export class Taught implements OnFelt {
  at = $state(0);
  pace: Pace = $state.raw(AT_ONCE);
  readonly shown = true;
  readonly seated = false;
  readonly busy = true;
  readonly who = null;

  constructor(
    readonly lesson: Lesson,
    readonly sheet: Sheet,
  ) {}

  get step(): StepTaught | undefined {
    return this.lesson.steps[this.at];
  }

  get view(): View | null {
    return this.step ? viewOf(this.step) : null;
  }

  get mine(): Seat[] {
    return (this.view?.seats ?? []).filter((seat) => seat.seat === this.lesson.seat);
  }

  get ended(): boolean {
    return this.at >= this.lesson.steps.length - 1;
  }

  go(to: number): void {
    const next = Math.min(Math.max(to, 0), this.lesson.steps.length - 1);
    const [before, after] = [this.step, this.lesson.steps[next]];
    const forward = next === this.at + 1 && before && after && !isInstant();
    this.pace = forward ? paceBetween(before.view, after.view) : AT_ONCE;
    this.at = next;
  }

  caughtUp = (): Promise<void> => Promise.resolve();
  send = (): Promise<boolean> => Promise.resolve(false);
  refuse = (): void => undefined;
}

function viewOf({ view }: StepTaught): View {
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

/** What a step speaks of is pointed out where it lies: circles by their titles, cards by their places. */
export function pointOut(felt: HTMLElement, step: StepTaught, sheet: Sheet): void {
  for (const one of felt.querySelectorAll("[data-meant]")) one.removeAttribute("data-meant");
  const titles = sheet.felt.circles
    .filter((circle) => step.wagers.includes(circle.wager))
    .map((circle) => String(circle.title));
  const places = sheet.felt.groups
    .filter((group) => step.places.includes(group.place))
    .map((group) => String(group.label));
  for (const one of felt.querySelectorAll<HTMLElement>("[aria-label], [data-wager]")) {
    const name = one.getAttribute("aria-label") ?? "";
    const circle =
      step.wagers.includes(one.dataset.wager ?? "") ||
      titles.some((title) => name === title || name.startsWith(`${title},`));
    const group = one.tagName === "SECTION" && places.includes(name);
    if (circle || group) one.setAttribute("data-meant", "");
  }
}
