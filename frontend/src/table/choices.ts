/** A decision's plays as buttons: plays, and wagers to add to them. */

import type { Choice, DecideOffer, Refusal } from "../api/types";
import { isZero, formatMoney } from "../words/money";
import { say } from "../words/say.svelte";

/** A wager that can be added to the next play. */
export interface AddOn {
  wager: string;
  key: string;
  /** Its cost, the same with any play. */
  cost: string;
  refused: Refusal | undefined;
}

type Choices = Pick<DecideOffer, "choices">;

export const soleChoices = ({ choices }: Choices): Choice[] =>
  choices.filter((choice) => choice.plain === null);

export function addOns({ choices }: Choices): AddOn[] {
  const addOns = new Map<string, AddOn>();
  for (const { plain, puts, key, cost, refused } of choices) {
    const [wager] = puts;
    if (plain !== null && wager !== undefined && !addOns.has(wager))
      addOns.set(wager, { wager, key, cost, refused });
  }
  return [...addOns.values()];
}

/** The play of a button, with the added wager if it is on. */
export const matchChoice = (
  { choices }: Choices,
  play: string,
  added: string,
): Choice | undefined =>
  choices.find((choice) => choice.plain === play && choice.puts.includes(added)) ??
  choices.find((choice) => choice.play === play);

type Priced = Pick<Choice, "cost" | "back" | "loses">;

/** A play's price: what it bets, loses, returns, or leaves in place when another play would return it. */
export function costOf({ cost, back, loses }: Priced, among: readonly Priced[]): string {
  if (back !== undefined) return say("table.back", { amount: back });
  if (loses !== undefined) return say("table.loses", { amount: loses });
  if (!isZero(cost)) return formatMoney(cost);
  return say(among.some((choice) => choice.back !== undefined) ? "table.stays" : "table.no-cost");
}
