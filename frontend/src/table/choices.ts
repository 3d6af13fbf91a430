/** A decision's plays as buttons: those that stand alone, and wagers that can be added to them. */

import type { Choice, DecideOffer, Refusal } from "../api/types";
import { isNone, spoken } from "../words/money";
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
  choices.filter((one) => one.plain === null);

export function switches({ choices }: Choices): Switch[] {
  const found = new Map<string, Switch>();
  for (const { plain, puts, key, cost, refused } of choices) {
    const [wager] = puts;
    if (plain !== null && wager !== undefined && !found.has(wager))
      found.set(wager, { wager, key, cost, refused });
  }
  return [...found.values()];
}

/** What a play's button makes: the play, or the same with the wager that is switched on. */
export const meant = ({ choices }: Choices, play: string, added: string): Choice | undefined =>
  choices.find((one) => one.plain === play && one.puts.includes(added)) ??
  choices.find((one) => one.play === play);

type Priced = Pick<Choice, "cost" | "back" | "loses">;

/** What a play costs, gives up, gives back, or leaves where it lies beside one that takes it back. */
export function costOf({ cost, back, loses }: Priced, among: readonly Priced[]): string {
  if (back !== undefined) return say("table.back", { amount: back });
  if (loses !== undefined) return say("table.loses", { amount: loses });
  if (!isNone(cost)) return spoken(cost);
  return say(among.some((one) => one.back !== undefined) ? "table.stays" : "table.no-cost");
}
