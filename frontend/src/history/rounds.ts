/** Rounds of the past as the house tells them. */

import type { Sheet } from "../api/sheet";
import type { Result, Seat, Shoe, View } from "../live/view";
import type { OnFelt } from "../verify/kept";
import type { Proof } from "../verify/verify";

/** One line of the history. */
export interface Recalled {
  round: string;
  table: string;
  /** As whom it was played: somebody may have been a guest then. */
  player: string;
  opened: string;
  sheet: { id: string; title: string; hash: string };
  board: string[];
  seats: Seat[];
  settlement: Result | null;
  arranged?: boolean;
  balance: { before: string; after: string } | null;
  shoe: Shoe & { seed?: string | null };
}

/** A page of the history, and the rounds that the next ones go on from. */
export interface Page {
  player: string;
  rounds: Recalled[];
  older: string | null;
  newer: string | null;
}

export interface Step {
  n: number;
  at: string;
  actor: string;
  what: string;
  seat: number | null;
  told: string[];
  view: Pick<
    View,
    "phase" | "board" | "common" | "seats" | "result" | "sheet" | "round" | "arranged"
  >;
}

/** One round, step by step. */
export interface Replayed {
  round: string;
  table: string;
  sheet: { id: string; title: string; hash: string };
  /** The sheet that the round was played by, whole: the house may play by another today. */
  rules: Sheet;
  opened: string;
  over: boolean;
  arranged: boolean;
  viewer: string;
  mine: number[];
  steps: Step[];
  settlement: Result | null;
  advice?: { at: string; seat: number; text: string }[];
  balance?: { before: string; after: string } | null;
  shoe: Shoe & { seed?: string | null; drawn?: number };
  shared_by?: string;
  /** When the link that it is seen by ends. */
  until?: string | null;
  proof?: Proof | null;
  proof_why?: string | null;
}

/** What lay on the felt when the round was over, in the order in which it was dealt. */
export function feltOf({ steps }: Replayed): OnFelt {
  const last = steps[steps.length - 1]?.view;
  const played = (last?.seats ?? []).filter((seat) => seat.cards?.length);
  const seats = Object.fromEntries(played.map((seat) => [seat.seat, seat.cards ?? []]));
  return { board: last?.board.cards ?? [], seats };
}

/** "15 Nov, 13:49" in the reader's own manner. */
export function when(at: string): string {
  const time = new Date(at);
  return time.toLocaleString(undefined, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** "practice-874215c27870-000012" is round 12. */
export const numberOf = (round: string): string =>
  String(Number(round.slice(round.lastIndexOf("-") + 1)));
