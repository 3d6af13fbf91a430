/** Labels and numbers for the comparison of two sheets. */

import type { LineComparison, Sheet, SheetSummary, WagerDifference } from "../api/types";
import { percent } from "../lobby/edges";
import { formatRules, say } from "../words/say.svelte";
import { sheetName } from "../words/sheets";

/** 0.0123 as "+1.230", in percentage points. */
export function formatPoints(share: number): string {
  const text = (100 * Math.abs(share)).toFixed(3);
  const sign = Number(text) === 0 ? "" : share < 0 ? "−" : "+";
  return `${sign}${text.replace(".", formatRules().decimal)}`;
}

export const formatEdge = (share: number | null): string => (share === null ? "–" : percent(share));

/** "6:1", "push", or the word for a losing line. */
export const formatPay = (pay: string | null): string =>
  pay === "push" ? say("lab.push") : (pay ?? say("lab.loses"));

/** The label of a sheet in a list. Sheets with equal title and venue show their ids. */
export function sheetLabel(sheet: SheetSummary, all: readonly SheetSummary[]): string {
  const hasNamesake = all.some(
    (other) => other.id !== sheet.id && other.title === sheet.title && other.venue === sheet.venue,
  );
  return `${sheetName(sheet)}${hasNamesake ? ` (${sheet.id})` : ""}`;
}

/** The line's name with a capital letter: "Pair of sixes". */
export const lineTitle = (line: LineComparison): string =>
  line.title.charAt(0).toUpperCase() + line.title.slice(1);

/** Differences that no line explains, with their labels. Zero ones are left out. */
export function remainingDifferences(wager: WagerDifference): [string, number][] {
  const differences: [string, number | null][] = [
    [say("lab.interplay"), wager.lines.length > 1 ? wager.interplay : null],
    [say("lab.other-rules"), wager.lines.length > 0 ? wager.other_rules : null],
  ];
  return differences.flatMap(([words, worth]) =>
    worth ? [[words, worth] as [string, number]] : [],
  );
}

/** The wager's name. The main wager is named after its pay table. */
export function wagerTitle(sheets: readonly Sheet[], wager: string): string {
  const table = sheets.flatMap((sheet) => sheet.pay_tables).find((table) => table.wager === wager);
  return table?.title ?? wager;
}

/** The sheet to compare with: the same game at another venue, else one of the same family. */
export function defaultComparison(sheets: readonly SheetSummary[], id: string): string {
  const chosen = sheets.find((entry) => entry.id === id);
  const others = sheets.filter((entry) => entry.id !== id);
  const closest =
    others.find((entry) => entry.title === chosen?.title) ??
    others.find((entry) => entry.family === chosen?.family);
  return (closest ?? others[0])?.id ?? id;
}
