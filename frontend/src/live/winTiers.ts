/** The size of a win, for light and sound. A net loss is no win. */

import type { Line, SeatResult } from "../api/types";
import { isLoss, isZero } from "../words/money";
import type { Sound } from "../sound";

export type Tier = "loss" | "push" | "small" | "large" | "jackpot";

const LARGE = 10; // To one.
const JACKPOT = 100;

const RISING: Tier[] = ["loss", "push", "small", "large", "jackpot"];

export const TIER_SOUNDS: Record<Tier, Sound[]> = {
  loss: [],
  push: ["chip"],
  small: ["stack"],
  large: ["stack", "bell"],
  jackpot: ["chord"],
};

/** The highest tier among some results, or null. */
export function tierOf(results: readonly SeatResult[]): Tier | null {
  const tiers = results.map(tier);
  return RISING.findLast((tier) => tiers.includes(tier)) ?? null;
}

function tier({ net, lines }: SeatResult): Tier {
  if (isLoss(net)) return "loss";
  if (isZero(net)) return "push";
  const best = Math.max(
    ...lines.map(({ result, odds }) => (result === "win" ? multipleOf(odds) : 0)),
  );
  if (best >= JACKPOT) return "jackpot";
  return best >= LARGE ? "large" : "small";
}

/** The winning line with the highest odds. On a tie, the one that names its hand. */
export function bestLine(lines: readonly Line[]): Line | undefined {
  const winningLines = lines.filter((line) => line.result === "win");
  const named = [...winningLines.filter(handOf), ...winningLines.filter((line) => !handOf(line))];
  return named.toSorted((a, b) => multipleOf(b.odds) - multipleOf(a.odds))[0];
}

/** The hand that won or pushed a line, if it says more than the result. */
export const handOf = ({ outcome, outcome_title, result }: Line): string =>
  outcome === result ? "" : (outcome_title ?? "");

/** "3:2" as 1.5. */
function multipleOf(odds: string | null): number {
  const [to = 0, of = 1] = (odds ?? "0:1").split(":").map(Number);
  return to / of;
}
