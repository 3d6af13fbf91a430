/** Autoplay at a practice table, by the game's strategy or the player's rule file. */

import { RequestError, post, sentence } from "../api/requests";
import type { LiveTable } from "../live/table.svelte";
import { type PlayerControls, isBetting } from "../table/playerControls.svelte";

export const STRATEGIES = ["best", "cheapest", "dearest", "rules"] as const;
export type Strategy = (typeof STRATEGIES)[number];

const ROUNDS_MAX = 1_000; // Maximum rounds per start.
const POLL_MS = 50;
const POLLS_MAX = 100;

export class Autoplay {
  strategy: Strategy = $state("best");
  rules: { name: string; text: string } | null = $state.raw(null);
  roundsLeft = $state(0);
  errorText = $state("");
  #busy = false;

  constructor(
    readonly table: LiveTable,
    readonly controls: PlayerControls,
  ) {}

  stop(): void {
    this.roundsLeft = 0;
  }

  /** Play rounds until they are done, the player stops, or the table refuses. */
  async start(count: number): Promise<void> {
    if (this.#busy) return;
    this.roundsLeft = Math.min(Math.max(Math.floor(count) || 0, 0), ROUNDS_MAX);
    await this.#reportErrors(async () => {
      while (this.roundsLeft > 0 && (await this.#round())) this.roundsLeft -= 1;
    });
    this.roundsLeft = 0;
  }

  /** One step per key: repeat the bets and deal, or make the current decision. */
  async playOneStep(): Promise<void> {
    if (this.#busy || this.table.busy) return;
    const { view } = this.table;
    if (isBetting(view?.phase)) return this.controls.rebetAndDeal();
    await this.#reportErrors(() => this.#decide());
    if (this.errorText)
      this.table.refuse({ code: "no-autoplay", message: this.errorText, clause: null });
  }

  async #reportErrors(what: () => Promise<unknown>): Promise<void> {
    this.errorText = "";
    this.#busy = true;
    try {
      await what();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.errorText = sentence(error);
    } finally {
      this.#busy = false;
    }
  }

  async #round(): Promise<boolean> {
    await this.table.caughtUp();
    const seat = this.controls.active?.seat;
    if (seat === undefined) return false;
    if (isBetting(this.table.view?.phase)) {
      if (!this.controls.hasBet && !(await this.table.send({ do: "rebet", seat }))) return false;
      if (!(await this.table.send({ do: "close-betting" }))) return false;
    }
    await this.table.caughtUp();
    while (this.roundsLeft > 0 && (await this.#decide()));
    return isBetting(this.table.view?.phase);
  }

  /** Make the current decision, if there is one. */
  async #decide(): Promise<boolean> {
    const seat = this.table.mySeats.find((entry) => entry.waiting)?.seat;
    if (seat === undefined) return false;
    const path = `/api/tables/${encodeURIComponent(this.table.name)}/autoplay` as const;
    const lastState = this.#tableState;
    const { strategy, rules } = this;
    await post(
      path,
      strategy === "rules" ? { seat, rules: rules?.text ?? "" } : { seat, strategy },
    );
    await this.#waitForChange(lastState);
    return true;
  }

  get #tableState(): string {
    const { view, mySeats } = this.table;
    return [view?.round, view?.phase, ...mySeats.map((seat) => seat.plays?.length)].join("/");
  }

  /** Wait until the table shows the play: events arrive on another connection than the answer. */
  async #waitForChange(lastState: string): Promise<void> {
    for (let polls = 0; polls < POLLS_MAX && this.#tableState === lastState; polls++)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    await this.table.caughtUp();
  }
}
