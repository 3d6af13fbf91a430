/** A decision's plays as buttons: those that stand alone, and wagers that can be added to them. */

import type { Choice, DecideOffer, Refusal } from "../api/types";
import { isNone, formatMoney } from "../words/money";
import { say } from "../words/say.svelte";

/** A wager that is put along with the next play, switched on or off. */
export interface Switch {
  wager: string;
  key: string;
  /** What it costs, whatever it goes along with. */
  cost: string;
  refused: Refusal | undefined;
}

type Choices = Pick<DecideOffer, "choices">;

export const alone = ({ choices }: Choices): Choice[] =>
  choices.filter((choice) => choice.plain === null);

export function switches({ choices }: Choices): Switch[] {
  const switches = new Map<string, Switch>();
  for (const { plain, puts, key, cost, refused } of choices) {
    const [wager] = puts;
    if (plain !== null && wager !== undefined && !switches.has(wager))
      switches.set(wager, { wager, key, cost, refused });
  }
  return [...switches.values()];
}

/** What a play's button makes: the play, or the same with the wager that is switched on. */
export const matchChoice = (
  { choices }: Choices,
  play: string,
  added: string,
): Choice | undefined =>
  choices.find((choice) => choice.plain === play && choice.puts.includes(added)) ??
  choices.find((choice) => choice.play === play);

type Priced = Pick<Choice, "cost" | "back" | "loses">;

/** What a play costs, gives up, gives back, or leaves where it lies beside one that takes it back. */
export function costOf({ cost, back, loses }: Priced, among: readonly Priced[]): string {
  if (back !== undefined) return say("table.back", { amount: back });
  if (loses !== undefined) return say("table.loses", { amount: loses });
  if (!isNone(cost)) return formatMoney(cost);
  return say(among.some((choice) => choice.back !== undefined) ? "table.stays" : "table.no-cost");
}
