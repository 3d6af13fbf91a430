/** A rule sheet as the server describes it: what the page prints on the felt and in the rules. */

import { currentLanguage } from "../words/say.svelte";
import { get } from "./requests";
import type { Box, Sheet } from "./types";

const pending: Record<string, Promise<Sheet>> = {};

/** The sheet in force at a table, cached by hash and language. */
export function sheetOf(table: string, hash: string): Promise<Sheet> {
  const key = `${currentLanguage()}/${hash}`;
  pending[key] ??= get(`/api/tables/${encodeURIComponent(table)}/sheet`).catch((error: unknown) => {
    Reflect.deleteProperty(pending, key); // Allow a retry.
    throw error;
  });
  return pending[key];
}

/** The wager that buys a hand. */
export const mainWager = ({ felt }: Sheet): string =>
  felt.circles.find((circle) => circle.kind === "main" && circle.equals === null)?.wager ?? "";

/** The wager's name on the layout. */
export const titleOf = (sheet: Sheet | null, wager: string): string =>
  sheet?.felt.circles.find((circle) => circle.wager === wager)?.title ?? wager;

/** The box a hand is laid in after its declaration, if it has made one. */
export const boxOf = (sheet: Sheet, size: string | null | undefined): Box | undefined =>
  sheet.felt.boxes.find((box) => box.says === size);

/** The sheet's currency, or undefined for US dollars. */
export const currencyOf = ({ house }: Sheet): string | undefined =>
  typeof house.currency === "string" ? house.currency : undefined;
