/** What a felt needs to be drawn: a table that is live, or a round that is played again. */

import type { Refusal, Seat, Sheet, View } from "../api/types";
import type { Pace } from "./pace";
import type { Command } from "./view";

export interface OnFelt {
  readonly view: View | null;
  readonly sheet: Sheet | null;
  readonly pace: Pace;
  readonly shown: boolean;
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
