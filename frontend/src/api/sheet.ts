/** A rule sheet as the house tells it: what the page prints on the felt and in the rules. */

import { speaks } from "../words/say.svelte";
import { get } from "./ask";
import type { Box, Sheet } from "./types";

const pending: Record<string, Promise<Sheet>> = {};

/** The sheet in force at a table; asked for once for each hash and language. */
export function sheetOf(table: string, hash: string): Promise<Sheet> {
  const key = `${speaks()}/${hash}`;
  pending[key] ??= get(`/api/tables/${encodeURIComponent(table)}/sheet`).catch((error: unknown) => {
    Reflect.deleteProperty(pending, key); // Another time it may be there.
    throw error;
  });
  return pending[key];
}

/** The wager without which nobody is dealt in; others may be made along with it. */
export const mainWager = ({ felt }: Sheet): string =>
  felt.circles.find((circle) => circle.kind === "main" && circle.equals === null)?.wager ?? "";

/** What a wager is called on the layout. */
export const titleOf = (sheet: Sheet | null, wager: string): string =>
  sheet?.felt.circles.find((circle) => circle.wager === wager)?.title ?? wager;

/** The box that a hand is laid in by what it said, if it said anything. */
export const boxOf = (sheet: Sheet, says: string | null | undefined): Box | undefined =>
  sheet.felt.boxes.find((box) => box.says === says);

/** What a sheet's money is in; nothing where that is US dollars. */
export const currencyOf = ({ house }: Sheet): string | undefined =>
  typeof house.currency === "string" ? house.currency : undefined;
