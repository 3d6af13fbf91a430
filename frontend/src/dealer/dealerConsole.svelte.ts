/** Dealer's console for a table with physical cards: the next step, and where typed cards go. */

import type { Choice, DecideOffer, Seat, View } from "../api/types";
import type { LiveTable } from "../live/table.svelte";
import { decideOffer, offer } from "../live/view";
import { soleChoices, matchChoice, addOns } from "../table/choices";
import { applyKey } from "./cardEntry";

export type Place = number | string;
/** The next card is a regular one, was exposed early, or does not belong to the deck. */
export type CardPurpose = "type-card" | "expose-card" | "deck-fouled";
/** A mistyped card, by its index at its place. */
export interface MistypedCard {
  place: Place;
  number: number;
  card: string;
}

export class DealerConsole {
  rank = $state("");
  purpose: CardPurpose = $state("type-card");
  mistyped: MistypedCard | null = $state.raw(null);
  reason = $state("");
  addOn = $state("");
  #seat = $state(0);
  #selected: { version: number; place: Place } | null = $state.raw(null);

  constructor(readonly table: LiveTable) {}

  get view(): View | null {
    return this.table.view;
  }

  /** The name of a community place on this sheet. */
  titleOf(place: string): string {
    return this.view?.dealing?.titles[place] ?? place;
  }

  get next() {
    return this.view?.dealing?.next ?? null;
  }

  /** Where the next card goes: the place the dealer selected, or the next one due. */
  get place(): Place | null {
    if (this.#selected && this.#selected.version === this.view?.version)
      return this.#selected.place;
    return this.next?.place ?? this.view?.dealing?.places[0] ?? null;
  }

  /** True if the console expects a card. */
  get expectsCard(): boolean {
    if (this.mistyped || this.purpose !== "type-card") return true;
    return this.next?.do === "type-card" || this.#selected?.version === this.view?.version;
  }

  /** The seat whose bets or decision are shown. */
  get seat(): Seat | undefined {
    const deciding = this.next?.seat;
    const shownSeat = deciding ?? (this.#seat || this.#firstSeat);
    return this.view?.seats.find((tile) => tile.seat === shownSeat);
  }

  get #firstSeat(): number {
    const seats = this.view?.seats ?? [];
    return (seats.find((tile) => tile.player) ?? seats[0])?.seat ?? 0;
  }

  get deciding(): DecideOffer | null {
    const { view, next } = this;
    if (!view || next?.do !== "decide" || next.seat === undefined) return null;
    return decideOffer(view, next.seat) ?? null;
  }

  /** True between rounds, when bets can be placed. */
  get betting(): boolean {
    return ["open", "wagers", "over"].includes(this.view?.phase ?? "");
  }

  selectSeat(seat: number): void {
    this.#seat = seat;
  }

  /** Select where the next card goes. */
  selectPlace(place: Place): void {
    this.#selected = { version: this.view?.version ?? 0, place };
  }

  togglePurpose(cardPurpose: CardPurpose): void {
    this.purpose = this.purpose === cardPurpose ? "type-card" : cardPurpose;
    this.mistyped = null;
    this.rank = "";
  }

  correct(mistyped: MistypedCard | null): void {
    this.mistyped = mistyped;
    this.purpose = "type-card";
    this.rank = this.reason = "";
  }

  /** Handle a key of the keyboard or the pad. Returns false if it has no meaning here. */
  press(key: string): boolean {
    const card = applyKey(this.rank, key);
    if (!card) return false;
    this.rank = card.rank;
    if (card.card) void this.recordCard(card.card);
    return true;
  }

  /** Record a card: dealt, exposed early, foreign, or corrected. */
  async recordCard(card: string): Promise<void> {
    const { mistyped, place, purpose: cardPurpose } = this;
    if (mistyped) {
      const { number } = mistyped;
      const body = { place: mistyped.place, number, card, why: this.reason.trim() };
      if (await this.table.send({ do: "correct-card", ...body })) this.mistyped = null;
    } else if (cardPurpose === "deck-fouled") {
      if (await this.table.send({ do: cardPurpose, card })) this.purpose = "type-card";
    } else if (place !== null && (await this.table.send({ do: cardPurpose, place, card }))) {
      this.purpose = "type-card";
    }
  }

  play(choice: Choice): void {
    const seat = this.next?.seat;
    const chosen = this.deciding && matchChoice(this.deciding, choice.play, this.addOn);
    const { play, refused } = chosen ?? choice;
    if (refused) return this.table.refuse(refused);
    if (seat === undefined) return;
    this.addOn = "";
    void this.table.send({ do: "decide", seat, play });
  }

  add(wager: string): void {
    this.addOn = this.addOn === wager ? "" : wager;
  }

  /** Enter: close betting, or pay the hands. */
  enter(): boolean {
    const nextStep = this.next?.do;
    if (nextStep !== "close-betting" && !this.canPay) return false;
    void this.table.send({ do: nextStep === "close-betting" ? nextStep : "settle" });
    return true;
  }

  get canPay(): boolean {
    return (this.view?.dealing?.payouts.length ?? 0) > 0 || this.next?.do === "settle";
  }

  /** Repeat each seat's bets of the last round. */
  async repeatBets(): Promise<void> {
    for (const { seat } of this.view?.seats ?? []) {
      const rebet = this.view && offer(this.view, "rebet", seat);
      if (rebet && !rebet.refused) await this.table.send({ do: "rebet", seat });
    }
  }

  /** Handle a keyboard event. Returns false if the key has no meaning here. */
  key(key: string): boolean {
    if (this.expectsCard) return this.press(key) || (key === "Enter" && this.enter());
    if (this.deciding) return this.#decideByKey(key.toLowerCase(), this.deciding);
    if (key === "Enter") return this.enter();
    if (this.betting && key.toLowerCase() === "r") return (void this.repeatBets(), true);
    if (this.betting && /^[1-9]$/.test(key)) return (this.selectSeat(Number(key)), true);
    return false;
  }

  #decideByKey(key: string, deciding: DecideOffer): boolean {
    const choice = soleChoices(deciding).find((option) => option.key === key);
    if (choice) return (this.play(choice), true);
    const addOn = addOns(deciding).find((option) => option.key === key && !option.refused);
    if (addOn) this.add(addOn.wager);
    return addOn !== undefined;
  }
}
