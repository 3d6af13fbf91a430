/** How a table stands, for lists of tables. */

import { kind } from "./money";
import { say } from "./say.svelte";

/** "betting", and with what where that is no money. */
export const phaseOf = ({ phase, unit }: { phase: string; unit: string }): string =>
  say("words.standing", { phase, unit: kind(unit) });
