/** A player at a table: its connection, coach, controls and keyboard shortcuts. */

import { tick } from "svelte";

import type { Choice } from "../api/types";
import { Coach } from "../coach/coach.svelte";
import { LiveTable } from "../live/table.svelte";
import { decideOffer } from "../live/view";
import { Autoplay } from "../pace/autoplay.svelte";
import { settings } from "../settings/settings.svelte";
import { switches } from "./choices";
import { Hand, next } from "./playerControls.svelte";
import { isHandledByFocus, type Meaning, meaning } from "./keys";

const POINTED = "3px solid var(--focus)"; // A static outline, without flicker.
const BESIDE = "(min-width: 68.75rem)"; // Width from which the panel is beside the felt.

export class Sitting {
  readonly table: LiveTable;
  readonly coach: Coach;
  readonly hand: Hand;
  readonly auto: Autoplay;
  /** The open tab of the panel. */
  tab = $state("result");
  /** True if the list of shortcuts is open. */
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
    // A dialog closes before its close event, so check the document.
    if (document.querySelector("dialog[open]") || isHandledByFocus(event)) return;
    const command = meaning(event.key, this.hand.active?.waiting ? (this.#asked ?? null) : null);
    const view = this.table.shown;
    this.#ended();
    if (!command) return;
    event.preventDefault();
    // A key pressed before the cards were shown only ends the animation.
    if (!event.repeat && (view || !DECIDES.has(command.does))) this.#act(command);
  }

  hint(): void {
    if (!this.coach.on || this.hand.active === undefined) return;
    if (matchMedia(BESIDE).matches) this.tab = "coach";
    void this.coach.hint(this.hand.active.seat);
  }

  /** Any key ends all animations. */
  #ended(): void {
    this.table.skipAnimation();
    finish();
    void tick().then(finish); // New elements would start animations of their own.
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
    add: () => this.#chosen((wager) => this.hand.add(wager)),
    less: () => this.#chosen((wager) => this.hand.less(wager)),
    "next-wager": () => this.#walk(1),
    "last-wager": () => this.#walk(-1),
    "next-spot": () => this.#other(),
  };

  #act(command: Meaning): void {
    const { hand } = this;
    if (command.does === "play") void hand.decide(command.play);
    else if (command.does === "switch") this.#added(command.wager);
    else if (command.does === "chip") hand.chip = hand.chips[command.number - 1] ?? hand.chip;
    else this.#doings[command.does]?.();
  }

  #added(wager: string): void {
    const option = switches({ choices: this.choices }).find((option) => option.wager === wager);
    if (option) this.hand.switch(option);
  }

  #chosen(then: (offer: ReturnType<Hand["wagers"]>[number]) => Promise<void>): void {
    const offer = this.hand.wagers().find((offer) => offer.wager === this.hand.chosenWager);
    if (offer) void then(offer);
  }

  #walk(by: 1 | -1): void {
    const wagers = this.hand.wagers().map((offer) => offer.wager);
    this.hand.wager = next(wagers, this.hand.chosenWager, by);
  }

  #other(): void {
    const { mine } = this.table;
    this.hand.seat = next(mine, this.hand.active ?? mine[0], 1)?.seat ?? 0;
  }
}

const DECIDES: ReadonlySet<Meaning["does"]> = new Set(["play", "by-itself"]);

function finish(): void {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
}

/** Focus and outline the circle that needs a chip. */
function pointTo(wager: string): void {
  const circles = [...document.querySelectorAll<HTMLElement>("button[data-wager]")];
  const circle = circles.find((circle) => circle.dataset.wager === wager);
  if (!circle) return;
  circle.focus();
  circle.scrollIntoView({ block: "nearest" });
  circle.animate([{ outline: POINTED }, { outline: POINTED }], { duration: 2_500 });
}
