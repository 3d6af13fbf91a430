/** Somebody at a table: its line, the coach, what is in hand, and what each key does with them. */

import { tick } from "svelte";

import type { Choice } from "../api/types";
import { Coach } from "../coach/coach.svelte";
import { LiveTable } from "../live/table.svelte";
import { decideOffer } from "../live/view";
import { Autoplay } from "../pace/autoplay.svelte";
import { settings } from "../settings/settings.svelte";
import { switches } from "./choices";
import { Hand, next } from "./hand.svelte";
import { isTheirs, type Meaning, meaning } from "./keys";

const POINTED = "3px solid var(--focus)"; // It stands still: nothing flickers.
const BESIDE = "(min-width: 68.75rem)"; // Where the panel stands beside the felt.

export class Sitting {
  readonly table: LiveTable;
  readonly coach: Coach;
  readonly hand: Hand;
  readonly auto: Autoplay;
  /** What is open beside the felt. */
  tab = $state("result");
  /** Whether the list of keys is open. */
  listing = $state(false);

  constructor(name: string) {
    this.table = new LiveTable(name);
    this.coach = new Coach(this.table);
    this.hand = new Hand(this.table, (seat, play) => this.coach.allows(seat, play), pointTo);
    this.auto = new Autoplay(this.table, this.hand);
  }

  get choices(): Choice[] {
    return this.#asked?.choices ?? [];
  }

  get #asked() {
    const { view } = this.table;
    return view && this.hand.active ? decideOffer(view, this.hand.active.seat) : undefined;
  }

  close(): void {
    this.auto.stop();
    this.table.close();
  }

  pressed(event: KeyboardEvent): void {
    // A dialog is closed before it says so: the next key is the table's already.
    if (document.querySelector("dialog[open]") || isTheirs(event)) return;
    const found = meaning(event.key, this.hand.active?.waiting ? (this.#asked ?? null) : null);
    const seen = this.table.shown;
    this.#ended();
    if (!found) return;
    event.preventDefault();
    // Nobody decides about cards that were not seen: such a key only shows them.
    if (!event.repeat && (seen || !DECIDES.has(found.does))) this.#act(found);
  }

  hint(): void {
    if (!this.coach.on || this.hand.active === undefined) return;
    if (matchMedia(BESIDE).matches) this.tab = "coach";
    void this.coach.hint(this.hand.active.seat);
  }

  /** Any key ends all motion. */
  #ended(): void {
    this.table.hasten();
    finish();
    void tick().then(finish); // What is shown now would come with a motion of its own.
  }

  #doings: Partial<Record<Meaning["does"], () => void>> = {
    deal: () => void this.hand.deal(),
    go: () => void this.hand.again(),
    "by-itself": () => void this.auto.one(),
    undo: () => void this.hand.ask("undo", this.hand.active?.seat),
    rebet: () => void this.hand.ask("rebet", this.hand.active?.seat),
    keys: () => (this.listing = true),
    text: () => (settings.text = !settings.text),
    clauses: () => (settings.clauses = !settings.clauses),
    coach: () =>
      this.table.view && void this.table.send({ do: "coach", on: !this.table.view.coach }),
    hint: () => this.hint(),
    add: () => this.#chosen((one) => this.hand.add(one)),
    less: () => this.#chosen((one) => this.hand.less(one)),
    "next-wager": () => this.#walk(1),
    "last-wager": () => this.#walk(-1),
    "next-spot": () => this.#other(),
  };

  #act(found: Meaning): void {
    const { hand } = this;
    if (found.does === "play") void hand.decide(found.play);
    else if (found.does === "switch") this.#added(found.wager);
    else if (found.does === "chip") hand.chip = hand.chips[found.number - 1] ?? hand.chip;
    else this.#doings[found.does]?.();
  }

  #added(wager: string): void {
    const found = switches({ choices: this.choices }).find((one) => one.wager === wager);
    if (found) this.hand.switch(found);
  }

  #chosen(then: (offer: ReturnType<Hand["wagers"]>[number]) => Promise<void>): void {
    const found = this.hand.wagers().find((one) => one.wager === this.hand.chosenWager);
    if (found) void then(found);
  }

  #walk(by: 1 | -1): void {
    const wagers = this.hand.wagers().map((one) => one.wager);
    this.hand.wager = next(wagers, this.hand.chosenWager, by);
  }

  #other(): void {
    const { mine } = this.table;
    this.hand.seat = next(mine, this.hand.active ?? mine[0], 1)?.seat ?? 0;
  }
}

const DECIDES: ReadonlySet<Meaning["does"]> = new Set(["play", "by-itself"]);

function finish(): void {
  for (const one of document.getAnimations())
    if (one.effect?.getComputedTiming().endTime !== Infinity) one.finish();
}

/** Where a chip is missing: eyes see it, and the next key is the circle's. */
function pointTo(wager: string): void {
  const found = [...document.querySelectorAll<HTMLElement>("button[data-wager]")];
  const circle = found.find((one) => one.dataset.wager === wager);
  if (!circle) return;
  circle.focus();
  circle.scrollIntoView({ block: "nearest" });
  circle.animate([{ outline: POINTED }, { outline: POINTED }], { duration: 2_500 });
}
