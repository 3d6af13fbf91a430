/** Reading of past rounds. */

import type { ReplayedRound } from "../api/types";
import type { FeltRecord } from "../verify/roundRecord";
import { moment } from "../words/say.svelte";

/** The cards on the felt at the end of the round, in deal order. */
export function feltOf({ steps }: ReplayedRound): FeltRecord {
  const last = steps[steps.length - 1]?.view;
  const played = (last?.seats ?? []).filter((seat) => seat.cards?.length);
  const seats = Object.fromEntries(played.map((seat) => [seat.seat, seat.cards ?? []]));
  return { board: last?.board.cards ?? [], seats };
}

/** "15 Nov, 13:49" in the reader's format. */
export function formatDate(date: string): string {
  return moment(date, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

/** The round number: 12 for "practice-874215c27870-000012". */
export const numberOf = (round: string): string =>
  String(Number(round.slice(round.lastIndexOf("-") + 1)));
