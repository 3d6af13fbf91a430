/** The table's geometry: outline of the felt, wooden rail, chip rack. */

import type { Arrangement } from "./fit";

export interface TableGeometry {
  /** Thickness of the rail and depth of the rack; zero without room. */
  rail: number;
  rack: number;
  /** The felt's outline, inset by a distance. */
  edge(insetBy: number): string;
}

const RAIL: Record<Arrangement, number> = { wide: 0.04, tall: 0.022, short: 0.034 };
const RAIL_MAX = 90;
const LOW = 440; // Below this height a rack would take room from the cards.

export function tableGeometry(
  arrangement: Arrangement,
  width: number,
  height: number,
): TableGeometry {
  const rail = Math.min(RAIL_MAX, Math.max(6, RAIL[arrangement] * height));
  const rack =
    arrangement === "short" || height < LOW
      ? 0
      : arrangement === "wide"
        ? 0.045 * height
        : 0.024 * height;
  return { rail, rack, edge: (insetBy) => outlinePath(arrangement, width, height, rail, insetBy) };
}

/** A half-moon on a wide table, rounded corners on a phone. */
function outlinePath(
  arrangement: Arrangement,
  w: number,
  h: number,
  rail: number,
  insetBy: number,
): string {
  const bottom = h - rail * 0.55 - insetBy;
  const side = { wide: 0.6, tall: -0.1, short: -1 }[arrangement] * rail + insetBy;
  const drop = { wide: 0.3 * h, tall: 0.07 * h, short: 0.09 * h }[arrangement];
  const curveStart = bottom - drop + insetBy * 0.6;
  const path =
    arrangement === "wide"
      ? [
          `M${side} -60V${curveStart}`,
          `C${side} ${bottom - drop * 0.22} ${w * 0.2} ${bottom} ${w / 2} ${bottom}`,
          `S${w - side} ${bottom - drop * 0.22} ${w - side} ${curveStart}V-60Z`,
        ]
      : [
          `M${side} -60V${curveStart}`,
          `Q${side} ${bottom - drop * 0.12} ${w * 0.22} ${bottom - drop * 0.03}`,
          `Q${w / 2} ${bottom + drop * 0.03} ${w * 0.78} ${bottom - drop * 0.03}`,
          `Q${w - side} ${bottom - drop * 0.12} ${w - side} ${curveStart}V-60Z`,
        ];
  return path.join("").replace(/-?\d+\.\d+/g, (number) => Number(number).toFixed(1));
}
