/** The pit's tables, refreshed every few seconds, and the commands at one of them. */

import type { FloorTable, PitFloor, Command } from "../api/types";
import { getWithQuery, sentence } from "../api/requests";
import { CommandForm } from "../night/commandForm.svelte";
import { currencyAt } from "../words/money";

const POLL_MS = 4_000;

export class Floor {
  board: PitFloor | null = $state.raw(null);
  /** First day of the totals; empty means from the beginning. */
  from = $state("");
  readonly form = new CommandForm(() => this.load());

  async load(): Promise<void> {
    this.board = await getWithQuery("/api/pit/floor", { from: this.from });
  }

  /** Refresh now and every few seconds. Returns a function that stops. */
  watch(): () => void {
    void this.from;
    const refresh = () =>
      void this.load().catch((error: unknown) => {
        if (!this.board) this.form.error = sentence(error); // The next poll retries.
      });
    refresh();
    const timer = setInterval(refresh, POLL_MS);
    return () => clearInterval(timer);
  }

  /** Send a command to a table. Returns true if it succeeded. */
  sendCommand(table: string, command: Command, successMessage: string): Promise<boolean> {
    return this.form.submit(
      `/api/tables/${encodeURIComponent(table)}/commands`,
      { command },
      successMessage,
    );
  }
}

/** The table's currency. */
export const currencyOf = ({ unit, sheet }: FloorTable) => currencyAt(unit, sheet.currency);

/** The limits of the table's main wager, which comes first. */
export const mainLimits = (limits: FloorTable["limits"]): { min: string; max: string } => {
  const [first] = Object.values(limits);
  return { min: first?.["min"] ?? "0.00", max: first?.["max"] ?? "0.00" };
};
