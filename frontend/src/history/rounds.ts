/** Rounds of the past as the house tells them. */

import type { Replayed } from "../api/types";
import type { KeptFelt } from "../verify/kept";
import { moment } from "../words/say.svelte";

/** What lay on the felt when the round was over, in the order in which it was dealt. */
export function feltOf({ steps }: Replayed): KeptFelt {
  const last = steps[steps.length - 1]?.view;
  const played = (last?.seats ?? []).filter((seat) => seat.cards?.length);
  const seats = Object.fromEntries(played.map((seat) => [seat.seat, seat.cards ?? []]));
  return { board: last?.board.cards ?? [], seats };
}

/** "15 Nov, 13:49" in the reader's own manner. */
export function when(at: string): string {
  return moment(at, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

/** "practice-874215c27870-000012" is round 12. */
export const numberOf = (round: string): string =>
  String(Number(round.slice(round.lastIndexOf("-") + 1)));
