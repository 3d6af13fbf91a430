/** The state of a table in a few words, for lists. */

import { unitKind } from "./money";
import { say } from "./say.svelte";

/** "betting", with the unit if it is not money. */
export const phaseOf = ({ phase, unit }: { phase: string; unit: string }): string =>
  say("words.standing", { phase, unit: unitKind(unit) });
