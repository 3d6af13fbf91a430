/** What a felt needs to be drawn: a table that is live, or a round that is played again. */

import type { Command, Refusal, Seat, Sheet, View } from "../api/types";
import type { Pace } from "./pace";

/** A result comes in three frames, so that none of them is late: on the felt, its light, its words beside the felt. */
export type ToldBy = "felt" | "light" | "words";

export interface OnFelt {
  readonly view: View | null;
  readonly sheet: Sheet | null;
  readonly pace: Pace;
  readonly shown: boolean;
  readonly told: ToldBy;
  readonly mine: Seat[];
  readonly seated: boolean;
  readonly busy: boolean;
  /** Whose spot lies in front: a name where somebody else's round is looked at, else one's own. */
  readonly who: string | null;
  /** Until the view shows all that has happened. */
  caughtUp(): Promise<void>;
  send(command: Command): Promise<boolean>;
  refuse(refused: Refusal): void;
}
