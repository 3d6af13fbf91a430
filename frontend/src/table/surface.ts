/** The table's geometry: outline of the felt, wooden rail, chip rack. */

import type { Arrangement } from "./fit";

export interface Ground {
  /** Thickness of the rail and depth of the rack; zero without room. */
  rail: number;
  rack: number;
  /** The felt's outline, inset by a distance. */
  edge(by: number): string;
}

const RAIL: Record<Arrangement, number> = { wide: 0.04, tall: 0.022, short: 0.034 };
const RAIL_MAX = 90;
const LOW = 440; // Below this height a rack would take room from the cards.

export function buildSurface(as: Arrangement, width: number, height: number): Ground {
  const rail = Math.min(RAIL_MAX, Math.max(6, RAIL[as] * height));
  const rack = as === "short" || height < LOW ? 0 : as === "wide" ? 0.045 * height : 0.024 * height;
  return { rail, rack, edge: (by) => edge(as, width, height, rail, by) };
}

/** A half-moon on a wide table, rounded corners on a phone. */
function edge(as: Arrangement, w: number, h: number, rail: number, by: number): string {
  const bottom = h - rail * 0.55 - by;
  const side = { wide: 0.6, tall: -0.1, short: -1 }[as] * rail + by;
  const drop = { wide: 0.3 * h, tall: 0.07 * h, short: 0.09 * h }[as];
  const from = bottom - drop + by * 0.6;
  const path =
    as === "wide"
      ? [
          `M${side} -60V${from}`,
          `C${side} ${bottom - drop * 0.22} ${w * 0.2} ${bottom} ${w / 2} ${bottom}`,
          `S${w - side} ${bottom - drop * 0.22} ${w - side} ${from}V-60Z`,
        ]
      : [
          `M${side} -60V${from}`,
          `Q${side} ${bottom - drop * 0.12} ${w * 0.22} ${bottom - drop * 0.03}`,
          `Q${w / 2} ${bottom + drop * 0.03} ${w * 0.78} ${bottom - drop * 0.03}`,
          `Q${w - side} ${bottom - drop * 0.12} ${w - side} ${from}V-60Z`,
        ];
  return path.join("").replace(/-?\d+\.\d+/g, (number) => Number(number).toFixed(1));
}
