/** A practice table that plays by itself: by a strategy of the game's, or by a player's own rules. */

import { No, post, sentence } from "../api/ask";
import type { LiveTable } from "../live/table.svelte";
import { type Hand, isBetting } from "../table/hand.svelte";

export const STRATEGIES = ["best", "cheapest", "dearest", "rules"] as const;
export type Strategy = (typeof STRATEGIES)[number];

const MOST = 1_000; // Rounds of one start.
const LOOK_MS = 50;
const LOOKS = 100;

export class Autoplay {
  strategy: Strategy = $state("best");
  /** A rule file, by its name and its text. */
  rules: { name: string; text: string } | null = $state.raw(null);
  /** Rounds that are still to be played. */
  left = $state(0);
  failed = $state("");
  #busy = false;

  constructor(
    readonly table: LiveTable,
    readonly hand: Hand,
  ) {}

  stop(): void {
    this.left = 0;
  }

  /** Rounds by themselves until they are played, somebody stops them, or the table says no. */
  async start(count: number): Promise<void> {
    if (this.#busy) return;
    this.left = Math.min(Math.max(Math.floor(count) || 0, 0), MOST);
    await this.#told(async () => {
      while (this.left > 0 && (await this.#round())) this.left -= 1;
    });
    this.left = 0;
  }

  /** One step by one key: the same bets again and the cards, or the decision that is asked. */
  async one(): Promise<void> {
    if (this.#busy || this.table.busy) return;
    const { view } = this.table;
    if (isBetting(view?.phase)) return this.hand.again();
    await this.#told(() => this.#decide());
    if (this.failed) this.table.refuse({ code: "no-autoplay", message: this.failed, clause: null });
  }

  async #told(what: () => Promise<unknown>): Promise<void> {
    this.failed = "";
    this.#busy = true;
    try {
      await what();
    } catch (error) {
      if (!(error instanceof No)) throw error;
      this.failed = sentence(error);
    } finally {
      this.#busy = false;
    }
  }

  async #round(): Promise<boolean> {
    await this.table.caughtUp();
    const seat = this.hand.active?.seat;
    if (seat === undefined) return false;
    if (isBetting(this.table.view?.phase)) {
      if (!this.hand.staked && !(await this.table.send({ do: "rebet", seat }))) return false;
      if (!(await this.table.send({ do: "close-betting" }))) return false;
    }
    await this.table.caughtUp();
    while (this.left > 0 && (await this.#decide()));
    return isBetting(this.table.view?.phase);
  }

  /** The decision that is asked for now, if there is one. */
  async #decide(): Promise<boolean> {
    const seat = this.table.mine.find((entry) => entry.waiting)?.seat;
    if (seat === undefined) return false;
    const path = `/api/tables/${encodeURIComponent(this.table.name)}/autoplay` as const;
    const before = this.#tableState;
    const { strategy, rules } = this;
    await post(
      path,
      strategy === "rules" ? { seat, rules: rules?.text ?? "" } : { seat, strategy },
    );
    await this.#moved(before);
    return true;
  }

  get #tableState(): string {
    const { view, mine } = this.table;
    return [view?.round, view?.phase, ...mine.map((seat) => seat.plays?.length)].join("/");
  }

  /** Until the table shows what was played: its event comes on another line than the answer. */
  async #moved(from: string): Promise<void> {
    for (let looks = 0; looks < LOOKS && this.#tableState === from; looks++)
      await new Promise((then) => setTimeout(then, LOOK_MS));
    await this.table.caughtUp();
  }
}
