/** The pit's tables as they change, and the commands at one of them. */

import type { FloorTable, PitFloor, Command } from "../api/types";
import { getWithQuery, sentence, withQuery } from "../api/requests";
import { watch } from "../api/watch";
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

  /** Load now and whenever something changes. Returns a function that stops. */
  watch(): () => void {
    this.load().catch((error: unknown) => {
      if (!this.board) this.form.error = sentence(error);
    });
    const path = withQuery("/api/pit/floor", { from: this.from }) as "/api/pit/floor";
    return watch(
      path,
      (board) => (this.board = board),
      () => POLL_MS,
    );
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
