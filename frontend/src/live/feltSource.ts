/** What the felt needs: a live table or a replayed round. */

import type { Command, Refusal, Seat, Sheet, View } from "../api/types";
import type { Pace } from "./pace";

/** A result is revealed in three frames, so that none is late: felt, highlights, text. */
export type RevealStage = "felt" | "light" | "words";

export interface FeltSource {
  readonly view: View | null;
  readonly sheet: Sheet | null;
  readonly pace: Pace;
  readonly shown: boolean;
  readonly revealed: RevealStage;
  readonly mine: Seat[];
  readonly seated: boolean;
  readonly busy: boolean;
  /** The player whose spot is in front when viewing another player's round; null for one's own. */
  readonly who: string | null;
  /** Resolves when the view includes all known events. */
  caughtUp(): Promise<void>;
  send(command: Command): Promise<boolean>;
  refuse(refused: Refusal): void;
}
