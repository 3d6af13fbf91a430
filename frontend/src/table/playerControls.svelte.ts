/** The player's controls at a table: the selected chip, circle and seat, and the wager to add. */

import type { AmountOffer, Command, Refusal, Seat, WagerOffer } from "../api/types";
import { mainWager, titleOf } from "../api/sheet";
import type { FeltSource } from "../live/feltSource";
import { decideOffer, offer, wagerOffers } from "../live/view";
import { sound } from "../sound";
import { isZero } from "../words/money";
import { say } from "../words/say.svelte";
import { matchChoice, type AddOn } from "./choices";
import type { Circle } from "./layout";

export class PlayerControls {
  chip = $state("");
  wager = $state("");
  seat = $state(0);
  /** The wager to add to the next play. */
  addOn = $state("");

  constructor(
    readonly table: FeltSource,
    /** Called before a play is made; returns false to hold it. The coach uses it. */
    readonly mayPlay: (seat: number, play: string) => Promise<boolean> = () =>
      Promise.resolve(true),
    /** Highlights a circle that needs a chip. */
    readonly highlight: (wager: string) => void = () => undefined,
  ) {}

  /** The seat that keys and buttons control: the one to act, else the selected one. */
  get active(): Seat | undefined {
    const mySeats = this.table.mySeats.filter((seat) => seat.player !== null);
    return (
      mySeats.find((seat) => seat.waiting && seat.seat === this.seat) ??
      mySeats.find((seat) => seat.waiting) ??
      mySeats.find((seat) => seat.seat === this.seat) ??
      mySeats[0]
    );
  }

  get chips(): string[] {
    return this.table.sheet?.house.chips.values ?? [];
  }

  get chosenChip(): string {
    return this.chip || this.chips.find((value) => Number(value) >= 5) || this.chips[0] || "";
  }

  get chosenWager(): string {
    return this.wager || mainWagerOf(this.table);
  }

  /** True if the arrow keys have selected a circle. A settled circle counts only after an explicit choice. */
  isSelected({ wager, line }: Pick<Circle, "wager" | "line">): boolean {
    return this.wager ? wager === this.wager : line === null && wager === this.chosenWager;
  }

  wagers(): WagerOffer[] {
    const { view } = this.table;
    return view && this.active ? wagerOffers(view, this.active.seat) : [];
  }

  /** Place one more chip. */
  addChip(wagerOffer: WagerOffer): Promise<void> {
    this.wager = wagerOffer.wager;
    this.seat = wagerOffer.seat;
    const chip = this.chosenChip;
    return this.#enqueue(async () => {
      const current = this.#currentOffer(wagerOffer);
      if (current.refused) return this.table.refuse(current.refused);
      await this.#placeBet(
        current,
        current.chips?.find((option) => option.chip === chip) ?? tooLarge(current),
      );
    });
  }

  /** Take back one of the smallest chips. */
  removeChip(wagerOffer: WagerOffer): Promise<void> {
    return this.#enqueue(async () => {
      const current = this.#currentOffer(wagerOffer);
      if (current.less) await this.#placeBet(current, current.less);
    });
  }

  decide(play: string): Promise<void> {
    return this.#onDecision(async (seat) => {
      const decision = this.table.view && decideOffer(this.table.view, seat);
      const choice = decision && matchChoice(decision, play, this.addOn);
      if (!choice) return;
      if (choice.refused) return this.table.refuse(choice.refused);
      if (await this.mayPlay(seat, choice.play)) await this.#play(seat, choice.play);
    });
  }

  /** Add a wager to the next play, or remove it. Shows the reason if it cannot be added. */
  toggleAddOn({ wager, refused }: AddOn): void {
    if (refused) this.table.refuse(refused);
    else this.addOn = this.addOn === wager ? "" : wager;
  }

  /** Make a play despite the coach's warning. */
  playAnyway(play: string): Promise<void> {
    return this.#onDecision((seat) => this.#play(seat, play));
  }

  /** True if others sit here, so that everyone must be ready before betting closes. */
  get sharesTable(): boolean {
    const { view } = this.table;
    const others = view?.seats.filter((seat) => seat.player && seat.player !== this.active?.player);
    return view?.kind === "house" && others !== undefined && others.length > 0;
  }

  /** True if the player has a bet for the coming round. */
  get hasBet(): boolean {
    const { view } = this.table;
    const offers = view ? this.table.mySeats.flatMap((seat) => wagerOffers(view, seat.seat)) : [];
    return offers.some((offer) => !isZero(offer.now));
  }

  /** Deal, or report ready if others sit here. Without a bet, highlight where one goes. */
  deal(): Promise<void> {
    return this.#enqueue(async () => {
      if (this.table.busy) return;
      const main = this.wagers().find((offer) => offer.wager === mainWagerOf(this.table));
      if (main && !this.hasBet) return this.#showMissingBet(main);
      const seat = this.sharesTable ? this.active?.seat : undefined;
      this.wager = "";
      await this.#sendOffered(seat === undefined ? "close-betting" : "ready", seat, true);
    });
  }

  /** Repeat the last bets if there are none, and deal: one key per round. */
  async rebetAndDeal(): Promise<void> {
    if (!this.hasBet) await this.sendOffered("rebet", this.active?.seat);
    if (this.hasBet) await this.deal();
  }

  /** Send a command without further fields: undo, rebet, ready. */
  sendOffered(action: string, seat?: number): Promise<void> {
    return this.#enqueue(() => this.#sendOffered(action, seat));
  }

  /** Send an offered command. With `on`, send it only if the offer has that value. */
  async #sendOffered(action: string, seat?: number, on?: boolean): Promise<void> {
    const { view } = this.table;
    const wagerOffer = view && !this.table.busy ? offer(view, action, seat) : undefined;
    if (!wagerOffer || (on !== undefined && wagerOffer.on === !on)) return;
    if (wagerOffer.refused) return this.#showRefusal(wagerOffer.refused);
    sound("chip");
    await this.table.send({
      do: wagerOffer.do,
      ...(seat === undefined ? {} : { seat }),
      ...(wagerOffer.on === undefined ? {} : { on: wagerOffer.on }),
    } as Command); // As the server offered it.
  }

  /** Show the refusal. If a required wager is missing, highlight its circle. */
  #showRefusal(refused: Refusal): void {
    this.table.refuse(refused);
    const missing = this.wagers().find(
      (offer) => this.table.sheet?.side[offer.wager]?.stake.required && isZero(offer.now),
    );
    if (missing && this.hasBet) this.highlight(missing.wager);
  }

  #showMissingBet(main: WagerOffer): void {
    if (main.refused) return this.table.refuse(main.refused);
    const message = say("table.chip-first", { wager: titleOf(this.table.sheet, main.wager) });
    this.table.refuse({ code: "no-wager", message, clause: null });
    this.wager = main.wager;
    this.highlight(main.wager);
  }

  /** Act on the decision on screen. Does nothing if new cards arrived after the key was pressed. */
  #onDecision(action: (seat: number) => Promise<void>): Promise<void> {
    const offer = this.#decisionKey;
    if (this.table.busy) return Promise.resolve();
    return this.#enqueue(async () => {
      await this.table.caughtUp();
      const seat = this.active?.seat;
      if (seat !== undefined && offer === this.#decisionKey && !this.table.busy) await action(seat);
    });
  }

  get #decisionKey(): string {
    const { active } = this;
    return [this.table.view?.round, active?.seat, active?.plays?.length].join("/");
  }

  /** Run actions one after another, since each depends on the table that the one before left. */
  #enqueue(action: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(action);
    return this.#queue;
  }
  #queue: Promise<void> = Promise.resolve();

  #currentOffer(wagerOffer: WagerOffer): WagerOffer {
    const offers = this.table.view ? wagerOffers(this.table.view, wagerOffer.seat) : [];
    return offers.find((offer) => offer.wager === wagerOffer.wager) ?? wagerOffer;
  }

  async #placeBet({ seat, wager }: WagerOffer, after: AmountOffer): Promise<void> {
    if (after.refused) return this.table.refuse(after.refused);
    sound("chip");
    await this.table.send({ do: "put-wager", seat, wager, amount: after.amount });
  }

  async #play(seat: number, play: string): Promise<void> {
    this.addOn = this.wager = "";
    await this.table.send({ do: "decide", seat, play });
  }
}

const mainWagerOf = (table: FeltSource): string => (table.sheet ? mainWager(table.sheet) : "");

/** The refusal for a chip above the circle's maximum, which the server does not offer. */
function tooLarge({ max }: WagerOffer): AmountOffer {
  const message = say("table.too-large", { most: max });
  return { amount: max, refused: { code: "above-maximum", message, clause: null } };
}

/** The next element, cyclically. */
export function nextOf<T>(elements: readonly T[], current: T, by: 1 | -1): T {
  const place = elements.indexOf(current);
  return elements[(place + by + elements.length) % elements.length] ?? current;
}

export const isBetting = (phase: string | undefined): boolean =>
  phase === "open" || phase === "wagers" || phase === "over";
