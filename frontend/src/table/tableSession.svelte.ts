/** A player at a table: its connection, coach, controls and keyboard shortcuts. */

import { tick } from "svelte";

import type { Choice } from "../api/types";
import { Coach } from "../coach/coach.svelte";
import { LiveTable } from "../live/table.svelte";
import { decideOffer } from "../live/view";
import { Autoplay } from "../pace/autoplay.svelte";
import { settings } from "../settings/settings.svelte";
import { addOns } from "./choices";
import { PlayerControls, nextOf } from "./playerControls.svelte";
import { isHandledByFocus, type KeyAction, keyAction } from "./keys";

const HIGHLIGHT = "3px solid var(--focus)"; // A static outline, without flicker.
const PANEL_BESIDE_FELT = "(min-width: 68.75rem)"; // Width from which the panel is beside the felt.

export class TableSession {
  readonly table: LiveTable;
  readonly coach: Coach;
  readonly controls: PlayerControls;
  readonly auto: Autoplay;
  /** The open tab of the panel. */
  tab = $state("result");
  /** True if the list of shortcuts is open. */
  shortcutsOpen = $state(false);

  constructor(name: string) {
    this.table = new LiveTable(name);
    this.coach = new Coach(this.table);
    this.controls = new PlayerControls(
      this.table,
      (seat, play) => this.coach.allows(seat, play),
      highlightCircle,
    );
    this.auto = new Autoplay(this.table, this.controls);
  }

  get choices(): Choice[] {
    return this.#decisionOffer?.choices ?? [];
  }

  get #decisionOffer() {
    const { view } = this.table;
    return view && this.controls.active ? decideOffer(view, this.controls.active.seat) : undefined;
  }

  close(): void {
    this.auto.stop();
    this.table.close();
  }

  onKey(event: KeyboardEvent): void {
    // A dialog closes before its close event, so check the document.
    if (document.querySelector("dialog[open]") || isHandledByFocus(event)) return;
    const command = keyAction(
      event.key,
      this.controls.active?.waiting ? (this.#decisionOffer ?? null) : null,
    );
    const view = this.table.isAnimationDone;
    this.#endAnimations();
    if (!command) return;
    event.preventDefault();
    // A key pressed before the cards were shown only ends the animation.
    if (!event.repeat && (view || !DECISION_KEYS.has(command.does))) this.#perform(command);
  }

  hint(): void {
    if (!this.coach.on || this.controls.active === undefined) return;
    if (matchMedia(PANEL_BESIDE_FELT).matches) this.tab = "coach";
    void this.coach.hint(this.controls.active.seat);
  }

  /** Any key ends all animations. */
  #endAnimations(): void {
    this.table.skipAnimation();
    finish();
    void tick().then(finish); // New elements would start animations of their own.
  }

  #actions: Partial<Record<KeyAction["does"], () => void>> = {
    deal: () => void this.controls.deal(),
    go: () => void this.controls.rebetAndDeal(),
    "by-itself": () => void this.auto.playOneStep(),
    undo: () => void this.controls.sendOffered("undo", this.controls.active?.seat),
    rebet: () => void this.controls.sendOffered("rebet", this.controls.active?.seat),
    keys: () => (this.shortcutsOpen = true),
    text: () => (settings.text = !settings.text),
    clauses: () => (settings.clauses = !settings.clauses),
    coach: () =>
      this.table.view && void this.table.send({ do: "coach", on: !this.table.view.coach }),
    hint: () => this.hint(),
    add: () => this.#withSelectedWager((wager) => this.controls.addChip(wager)),
    less: () => this.#withSelectedWager((wager) => this.controls.removeChip(wager)),
    "next-wager": () => this.#selectWager(1),
    "last-wager": () => this.#selectWager(-1),
    "next-spot": () => this.#selectNextSeat(),
  };

  #perform(command: KeyAction): void {
    const { controls } = this;
    if (command.does === "play") void controls.decide(command.play);
    else if (command.does === "switch") this.#toggleWager(command.wager);
    else if (command.does === "chip")
      controls.chip = controls.chips[command.number - 1] ?? controls.chip;
    else this.#actions[command.does]?.();
  }

  #toggleWager(wager: string): void {
    const option = addOns({ choices: this.choices }).find((option) => option.wager === wager);
    if (option) this.controls.toggleAddOn(option);
  }

  #withSelectedWager(
    then: (offer: ReturnType<PlayerControls["wagers"]>[number]) => Promise<void>,
  ): void {
    const offer = this.controls.wagers().find((offer) => offer.wager === this.controls.chosenWager);
    if (offer) void then(offer);
  }

  #selectWager(by: 1 | -1): void {
    const wagers = this.controls.wagers().map((offer) => offer.wager);
    this.controls.wager = nextOf(wagers, this.controls.chosenWager, by);
  }

  #selectNextSeat(): void {
    const { mySeats } = this.table;
    this.controls.seat = nextOf(mySeats, this.controls.active ?? mySeats[0], 1)?.seat ?? 0;
  }
}

const DECISION_KEYS: ReadonlySet<KeyAction["does"]> = new Set(["play", "by-itself"]);

function finish(): void {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
}

/** Focus and outline the circle that needs a chip. */
function highlightCircle(wager: string): void {
  const circles = [...document.querySelectorAll<HTMLElement>("button[data-wager]")];
  const circle = circles.find((circle) => circle.dataset.wager === wager);
  if (!circle) return;
  circle.focus();
  circle.scrollIntoView({ block: "nearest" });
  circle.animate([{ outline: HIGHLIGHT }, { outline: HIGHLIGHT }], { duration: 2_500 });
}
