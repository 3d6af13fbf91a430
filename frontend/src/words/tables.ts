/** How a table stands, for lists of tables. */

import { isRehearsed } from "./money";

const PHASES: Record<string, string> = {
  open: "waiting for bets",
  wagers: "betting",
  deal: "dealing",
  play: "in play",
  settle: "settling",
  over: "between rounds",
  agreement: "interrupted",
  retired: "closed",
};

/** "betting", and with what where that is no money. */
export const standing = ({ phase, unit }: { phase: string; unit: string }): string => {
  const practice = isRehearsed(unit) ? ", REHEARSAL" : "";
  return `${PHASES[phase] ?? phase}${unit === "play" ? ", play chips" : practice}`;
};
