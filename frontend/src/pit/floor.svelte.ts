/** The pit's tables, looked at again and again, and what somebody does at one of them. */

import type { FloorTable, PitFloor, Command } from "../api/types";
import { seek, sentence } from "../api/ask";
import { CommandForm } from "../night/commandForm.svelte";
import { currencyAt } from "../words/money";

const EVERY = 4_000;

export class Floor {
  board: PitFloor | null = $state.raw(null);
  /** The first day that counts; none is from the beginning. */
  from = $state("");
  readonly form = new CommandForm(() => this.load());

  async load(): Promise<void> {
    this.board = await seek("/api/pit/floor", { from: this.from });
  }

  /** Look now, and every few seconds until it is called off. */
  watch(): () => void {
    void this.from;
    const look = () =>
      void this.load().catch((error: unknown) => {
        if (!this.board) this.form.error = sentence(error); // The next look may do better.
      });
    look();
    const timer = setInterval(look, EVERY);
    return () => clearInterval(timer);
  }

  /** A command at a table; whether it was taken. */
  give(table: string, command: Command, done: string): Promise<boolean> {
    return this.form.submit(`/api/tables/${encodeURIComponent(table)}/commands`, { command }, done);
  }
}

/** What a table's money is in. */
export const currencyOf = ({ unit, sheet }: FloorTable) => currencyAt(unit, sheet.currency);

/** The limits of a table's main wager, which stands first. */
export const mainLimits = (limits: FloorTable["limits"]): { min: string; max: string } => {
  const [first] = Object.values(limits);
  return { min: first?.["min"] ?? "0.00", max: first?.["max"] ?? "0.00" };
};
