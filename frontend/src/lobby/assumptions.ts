/** One dagger for a column of a game's card, so that a card has at most two. */

import type { SheetSummary } from "../api/types";

type Wager = SheetSummary["wagers"][string];

/** The text of a column's dagger if several of its rows are assumed; a single row has its own. */
export function assumptionOfColumn(
  wagers: readonly Wager[],
  textOf: (wager: Wager) => string | undefined,
): string {
  const assumed = wagers.filter(textOf);
  if (assumed.length < 2) return "";
  const texts = new Set(wagers.map(textOf));
  const named = assumed.map((wager) => `${wager.title}: ${textOf(wager) ?? ""}`);
  return [...(texts.size === 1 ? texts : named)].join("\n");
}
