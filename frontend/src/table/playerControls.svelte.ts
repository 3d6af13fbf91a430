/** The player's controls at a table: the selected chip, circle and seat, and the wager to add. */

import type { AmountOffer, Command, Refusal, Seat, WagerOffer } from "../api/types";
import { mainWager, titleOf } from "../api/sheet";
import type { FeltSource } from "../live/feltSource";
import { decideOffer, offer, wagerOffers } from "../live/view";
import { sound } from "../sound";
import { isZero } from "../words/money";
import { say } from "../words/say.svelte";
import { matchChoice, type Switch } from "./choices";
import type { Circle } from "./layout";

export class Hand {
  chip = $state("");
  wager = $state("");
  seat = $state(0);
  /** The wager to add to the next play. */
  added = $state("");

  constructor(
    readonly table: FeltSource,
    /** Called before a play is made; returns false to hold it. The coach uses it. */
    readonly allows: (seat: number, play: string) => Promise<boolean> = () => Promise.resolve(true),
    /** Highlights a circle that needs a chip. */
    readonly point: (wager: string) => void = () => undefined,
  ) {}

  /** The seat that keys and buttons control: the one to act, else the selected one. */
  get active(): Seat | undefined {
    const mine = this.table.mine.filter((seat) => seat.player !== null);
    return (
      mine.find((seat) => seat.waiting && seat.seat === this.seat) ??
      mine.find((seat) => seat.waiting) ??
      mine.find((seat) => seat.seat === this.seat) ??
      mine[0]
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
  means({ wager, line }: Pick<Circle, "wager" | "line">): boolean {
    return this.wager ? wager === this.wager : line === null && wager === this.chosenWager;
  }

  wagers(): WagerOffer[] {
    const { view } = this.table;
    return view && this.active ? wagerOffers(view, this.active.seat) : [];
  }

  /** Place one more chip. */
  add(given: WagerOffer): Promise<void> {
    this.wager = given.wager;
    this.seat = given.seat;
    const chip = this.chosenChip;
    return this.#inTurn(async () => {
      const now = this.#fresh(given);
      if (now.refused) return this.table.refuse(now.refused);
      await this.#put(now, now.chips?.find((option) => option.chip === chip) ?? tooLarge(now));
    });
  }

  /** Take back one of the smallest chips. */
  less(given: WagerOffer): Promise<void> {
    return this.#inTurn(async () => {
      const now = this.#fresh(given);
      if (now.less) await this.#put(now, now.less);
    });
  }

  decide(play: string): Promise<void> {
    return this.#forThis(async (seat) => {
      const decision = this.table.view && decideOffer(this.table.view, seat);
      const choice = decision && matchChoice(decision, play, this.added);
      if (!choice) return;
      if (choice.refused) return this.table.refuse(choice.refused);
      if (await this.allows(seat, choice.play)) await this.#play(seat, choice.play);
    });
  }

  /** Add a wager to the next play, or remove it. Shows the reason if it cannot be added. */
  switch({ wager, refused }: Switch): void {
    if (refused) this.table.refuse(refused);
    else this.added = this.added === wager ? "" : wager;
  }

  /** Make a play despite the coach's warning. */
  insist(play: string): Promise<void> {
    return this.#forThis((seat) => this.#play(seat, play));
  }

  /** True if others sit here, so that everyone must be ready before betting closes. */
  get together(): boolean {
    const { view } = this.table;
    const others = view?.seats.filter((seat) => seat.player && seat.player !== this.active?.player);
    return view?.kind === "house" && others !== undefined && others.length > 0;
  }

  /** True if the player has a bet for the coming round. */
  get staked(): boolean {
    const { view } = this.table;
    const offers = view ? this.table.mine.flatMap((seat) => wagerOffers(view, seat.seat)) : [];
    return offers.some((offer) => !isZero(offer.now));
  }

  /** Deal, or report ready if others sit here. Without a bet, highlight where one goes. */
  deal(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.table.busy) return;
      const main = this.wagers().find((offer) => offer.wager === mainWagerOf(this.table));
      if (main && !this.staked) return this.#lacks(main);
      const seat = this.together ? this.active?.seat : undefined;
      this.wager = "";
      await this.#ask(seat === undefined ? "close-betting" : "ready", seat, true);
    });
  }

  /** Repeat the last bets if there are none, and deal: one key per round. */
  async again(): Promise<void> {
    if (!this.staked) await this.ask("rebet", this.active?.seat);
    if (this.staked) await this.deal();
  }

  /** Send a command without further fields: undo, rebet, ready. */
  ask(what: string, seat?: number): Promise<void> {
    return this.#inTurn(() => this.#ask(what, seat));
  }

  /** Send an offered command. With `on`, send it only if the offer has that value. */
  async #ask(what: string, seat?: number, on?: boolean): Promise<void> {
    const { view } = this.table;
    const given = view && !this.table.busy ? offer(view, what, seat) : undefined;
    if (!given || (on !== undefined && given.on === !on)) return;
    if (given.refused) return this.#refused(given.refused);
    sound("chip");
    await this.table.send({
      do: given.do,
      ...(seat === undefined ? {} : { seat }),
      ...(given.on === undefined ? {} : { on: given.on }),
    } as Command); // As the server offered it.
  }

  /** Show the refusal. If a required wager is missing, highlight its circle. */
  #refused(refused: Refusal): void {
    this.table.refuse(refused);
    const lacking = this.wagers().find(
      (offer) => this.table.sheet?.side[offer.wager]?.stake.required && isZero(offer.now),
    );
    if (lacking && this.staked) this.point(lacking.wager);
  }

  #lacks(main: WagerOffer): void {
    if (main.refused) return this.table.refuse(main.refused);
    const message = say("table.chip-first", { wager: titleOf(this.table.sheet, main.wager) });
    this.table.refuse({ code: "no-wager", message, clause: null });
    this.wager = main.wager;
    this.point(main.wager);
  }

  /** Act on the decision on screen. Does nothing if new cards arrived after the key was pressed. */
  #forThis(what: (seat: number) => Promise<void>): Promise<void> {
    const offer = this.#asked;
    if (this.table.busy) return Promise.resolve();
    return this.#inTurn(async () => {
      await this.table.caughtUp();
      const seat = this.active?.seat;
      if (seat !== undefined && offer === this.#asked && !this.table.busy) await what(seat);
    });
  }

  get #asked(): string {
    const { active } = this;
    return [this.table.view?.round, active?.seat, active?.plays?.length].join("/");
  }

  /** Run actions one after another, since each depends on the table that the one before left. */
  #inTurn(what: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(what);
    return this.#last;
  }
  #last: Promise<void> = Promise.resolve();

  #fresh(given: WagerOffer): WagerOffer {
    const offers = this.table.view ? wagerOffers(this.table.view, given.seat) : [];
    return offers.find((offer) => offer.wager === given.wager) ?? given;
  }

  async #put({ seat, wager }: WagerOffer, after: AmountOffer): Promise<void> {
    if (after.refused) return this.table.refuse(after.refused);
    sound("chip");
    await this.table.send({ do: "put-wager", seat, wager, amount: after.amount });
  }

  async #play(seat: number, play: string): Promise<void> {
    this.added = this.wager = "";
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
export function next<T>(things: readonly T[], now: T, by: 1 | -1): T {
  const place = things.indexOf(now);
  return things[(place + by + things.length) % things.length] ?? now;
}

export const isBetting = (phase: string | undefined): boolean =>
  phase === "open" || phase === "wagers" || phase === "over";
