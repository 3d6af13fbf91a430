/** The coach at a practice table: asked before a decision, heard after it. */

import type { Advice, Decision, LookedBack, Weighed } from "../api/types";
import { No, keyOf, post, seek, sentence } from "../api/ask";
import type { LiveTable } from "../live/table.svelte";
import { aloud } from "../words/cards";
import { say } from "../words/say.svelte";

const KEY = "pitbook.coach.asks";
const AWAITED = "exact.large.awaited"; // A game's figures are worked out for the first time.
const AGAIN = 3_000;
const SLOW = 1_000; // Who waits longer is told why.

const wait = (time: number) => new Promise((then) => setTimeout(then, time));

/** A decision of then, a missed one, one of a leak, or one whose plays lie close together. */
type PracticeWish =
  { round: string; stage: number } | { missed: true } | { leak: string } | { hard: true };

export class Coach {
  advice: Advice | null = $state.raw(null);
  /** A play that would give something away, and waits for a second thought. */
  weighed: Weighed | null = $state.raw(null);
  back: LookedBack | null = $state.raw(null);
  failed = $state("");
  /** Whether plays are weighed before the cards turn. */
  asks = $state(localStorage.getItem(KEY) === "yes");
  drilling = $state(false);
  /** Whether an answer takes its time. */
  thinking = $state(false);
  #decision = 0;

  constructor(readonly table: LiveTable) {}

  get on(): boolean {
    return this.table.view?.kind === "practice" && this.table.view.coach;
  }

  /** The last decision of the round on the layout. */
  get last(): Decision | undefined {
    const [newest] = this.back?.decisions ?? [];
    return newest && newest.round === this.table.view?.round ? newest : undefined;
  }

  setAsks(asks: boolean): void {
    this.asks = asks;
    localStorage.setItem(KEY, asks ? "yes" : "no");
  }

  async hint(seat: number): Promise<void> {
    const decision = this.#decision;
    const slow = setTimeout(() => (this.thinking = this.#decision === decision), SLOW);
    await this.#try(async () => {
      const path = this.#path("advice");
      const answer = await this.#patiently(decision, () => post(path, { seat }));
      if (!answer || decision !== this.#decision) return;
      this.advice = answer.advice;
      const { best, why } = answer.advice;
      this.table.say([say("coach.says-best", { play: best, why: aloud(why) })]);
    });
    clearTimeout(slow);
    if (decision === this.#decision) this.thinking = false;
  }

  /** An answer, asked for again while its figures are worked out for the first time. */
  async #patiently<T>(decision: number, ask: () => Promise<T>): Promise<T | null> {
    while (decision === this.#decision) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof No) || !isAwaited(error)) throw error;
        await wait(AGAIN);
      }
    }
    return null; // It was for a decision that is made.
  }

  /** Whether a play may be made now; a costly one is shown first, where that is wanted. */
  async allows(seat: number, play: string): Promise<boolean> {
    if (!this.on || !this.asks) return true;
    let fine = true;
    await this.#try(async () => {
      const { weighed } = await post(this.#path("weigh"), { seat, play });
      fine = weighed.is_best || weighed.cost.dollars === "0.00";
      this.weighed = fine ? null : weighed;
      if (!fine) this.table.say([say("coach.says", { sentence: weighed.sentence })]);
    });
    return fine;
  }

  /** What the decisions so far have cost. */
  async look(): Promise<void> {
    if (this.table.view?.kind !== "practice") return;
    await this.#try(async () => {
      const path = this.#path("coach");
      const answer = await this.#patiently(this.#decision, () => seek(path, { count: 20 }));
      this.back = answer ?? this.back;
    });
  }

  /** A spot again: the wagers and plays that lead to it are made, marked as not random. */
  async practise(wish: PracticeWish): Promise<void> {
    this.drilling = true;
    await this.#try(async () => {
      const path = this.#path("spots");
      const { spot, shoe } = await post(path, wish);
      if (!spot) return;
      const { seat } = spot;
      await this.table.shoe(shoe);
      for (const [wager, amount] of spot.wagers) {
        if (!(await this.table.send({ do: "put-wager", seat, wager, amount }))) return;
      }
      if (!(await this.table.send({ do: "close-betting" }))) return;
      for (const play of spot.before)
        if (!(await this.table.send({ do: "decide", seat, play }))) return;
    });
    this.drilling = false;
  }

  /** Advice is for one decision; the next one starts without it. */
  forget(): void {
    this.#decision += 1;
    this.thinking = false;
    this.advice = null;
    this.weighed = null;
  }

  #path<const What extends string>(what: What) {
    return `/api/tables/${encodeURIComponent(this.table.name)}/${what}` as const;
  }

  async #try(what: () => Promise<void>): Promise<void> {
    this.failed = "";
    try {
      await what();
    } catch (error) {
      if (!(error instanceof No)) throw error;
      this.failed = sentence(error);
    }
  }
}

const isAwaited = (no: No) => keyOf(no) === AWAITED;
