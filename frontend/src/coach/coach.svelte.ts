/** The coach at a practice table: advice before a decision, its cost after. */

import type { Advice, Decision, PlayerReview, WeighedPlay } from "../api/types";
import { RequestError, keyOf, post, getWithQuery, sentence } from "../api/requests";
import type { LiveTable } from "../live/table.svelte";
import { spokenText } from "../words/cards";
import { say } from "../words/say.svelte";

const KEY = "pitbook.coach.asks";
const PENDING = "exact.large.awaited"; // The server is still computing the game's figures.
const RETRY_MS = 3_000;
const SLOW_MS = 1_000; // After this long the panel explains the wait.

const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/** What to practice: a past decision, a missed one, a leak, or a close call. */
type PracticeTarget =
  { round: string; stage: number } | { missed: true } | { leak: string } | { hard: true };

export class Coach {
  advice: Advice | null = $state.raw(null);
  /** A costly play that awaits the player's confirmation. */
  weighed: WeighedPlay | null = $state.raw(null);
  review: PlayerReview | null = $state.raw(null);
  errorText = $state("");
  /** True if plays are checked before the cards turn. */
  checksPlays = $state(localStorage.getItem(KEY) === "yes");
  drilling = $state(false);
  /** True while an answer is slow. */
  thinking = $state(false);
  /** What the server is calculating, and how far it is. */
  progress = $state("");
  #decision = 0;

  constructor(readonly table: LiveTable) {}

  get on(): boolean {
    return this.table.view?.kind === "practice" && this.table.view.coach;
  }

  /** The last decision of the current round. */
  get last(): Decision | undefined {
    const [newest] = this.review?.decisions ?? [];
    return newest && newest.round === this.table.view?.round ? newest : undefined;
  }

  setChecksPlays(asks: boolean): void {
    this.checksPlays = asks;
    localStorage.setItem(KEY, asks ? "yes" : "no");
  }

  async hint(seat: number): Promise<void> {
    const decision = this.#decision;
    const slow = setTimeout(() => (this.thinking = this.#decision === decision), SLOW_MS);
    await this.#reportErrors(async () => {
      const path = this.#path("advice");
      const answer = await this.#retryWhilePending(decision, () => post(path, { seat }));
      if (!answer || decision !== this.#decision) return;
      this.advice = answer.advice;
      const { best, why } = answer.advice;
      this.table.say([say("coach.says-best", { play: best, why: spokenText(why) })]);
    });
    clearTimeout(slow);
    if (decision === this.#decision) this.thinking = false;
  }

  /** Retry while the server is still computing the figures. */
  async #retryWhilePending<T>(decision: number, ask: () => Promise<T>): Promise<T | null> {
    while (decision === this.#decision) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof RequestError) || !isPending(error)) throw error;
        this.progress = sentence(error);
        await wait(RETRY_MS);
      }
    }
    return null; // The decision it was for has been made.
  }

  /** True if a play may be made now. If checking is on, a costly play is held for confirmation. */
  async allows(seat: number, play: string): Promise<boolean> {
    if (!this.on || !this.checksPlays) return true;
    let mayPlay = true;
    await this.#reportErrors(async () => {
      const { weighed } = await post(this.#path("weigh"), { seat, play });
      mayPlay = weighed.is_best || weighed.cost.dollars === "0.00";
      this.weighed = mayPlay ? null : weighed;
      if (!mayPlay) this.table.say([say("coach.says", { sentence: weighed.sentence })]);
    });
    return mayPlay;
  }

  /** Load the cost of the decisions so far. */
  async refresh(): Promise<void> {
    if (this.table.view?.kind !== "practice") return;
    await this.#reportErrors(async () => {
      const path = this.#path("coach");
      const answer = await this.#retryWhilePending(this.#decision, () =>
        getWithQuery(path, { count: 20 }),
      );
      this.review = answer ?? this.review;
    });
  }

  /** Deal a hand again up to its decision. The server marks it as not random. */
  async practice(target: PracticeTarget): Promise<void> {
    this.drilling = true;
    await this.#reportErrors(async () => {
      const path = this.#path("spots");
      const { spot, shoe } = await post(path, target);
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

  /** Clear the advice; the next decision starts without it. */
  forget(): void {
    this.#decision += 1;
    this.thinking = false;
    this.progress = "";
    this.advice = null;
    this.weighed = null;
  }

  #path<const What extends string>(name: What) {
    return `/api/tables/${encodeURIComponent(this.table.name)}/${name}` as const;
  }

  async #reportErrors(name: () => Promise<void>): Promise<void> {
    this.errorText = "";
    try {
      await name();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.errorText = sentence(error);
    }
  }
}

const isPending = (requestError: RequestError) => keyOf(requestError) === PENDING;
