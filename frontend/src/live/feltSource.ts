/** What the felt needs: a live table or a replayed round. */

import type { Command, Refusal, Seat, Sheet, View } from "../api/types";
import type { DealTimeline } from "./dealTimeline";

/** A result is revealed in three frames, so that none is late: felt, highlights, text. */
export type RevealStage = "felt" | "light" | "words";

export interface FeltSource {
  readonly view: View | null;
  readonly sheet: Sheet | null;
  readonly timeline: DealTimeline;
  readonly isAnimationDone: boolean;
  readonly revealed: RevealStage;
  readonly mySeats: Seat[];
  readonly seated: boolean;
  readonly busy: boolean;
  /** The player whose spot is in front when viewing another player's round; null for one's own. */
  readonly viewedPlayer: string | null;
  /** Resolves when the view includes all known events. */
  caughtUp(): Promise<void>;
  send(command: Command): Promise<boolean>;
  refuse(refused: Refusal): void;
}
