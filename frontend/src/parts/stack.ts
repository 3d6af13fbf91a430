/** Geometry and colors of a chip seen at an angle: an ellipse, its wall, and eight edge spots. */

const [RX, RY, CX, CY] = [56, 47, 60, 50];
export const WALL = 12;
export const CHIP = { RX, RY, CX, CY, width: 120, height: 112 } as const;

const SPOT = 9; // Half the width of a spot, in degrees.
const MIDDLES = Array.from({ length: 8 }, (_, n) => 22.5 + 45 * n);

const point = (degrees: number, connectivity: number): string => {
  const angle = (degrees * Math.PI) / 180;
  const [x, y] = [
    CX + RX * connectivity * Math.cos(angle),
    CY + RY * connectivity * Math.sin(angle),
  ];
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
};

/** The spots on the chip's top. */
export const SPOTS = MIDDLES.map((center) => {
  const [from, to] = [center - SPOT, center + SPOT];
  const rim = [from, center, to].map((angle) => point(angle, 1));
  const inner = [to, center, from].map((angle) => point(angle, 0.76));
  return `M${[...rim, ...inner].join("L")}Z`;
}).join("");

/** The visible spots on the chip's wall. */
export const SIDES = MIDDLES.filter((center) => center < 180)
  .map(
    (center) =>
      `M${point(center + SPOT, 1)}L${point(center - SPOT, 1)}v${WALL}L${lower(center + SPOT)}Z`,
  )
  .join("");

function lower(degrees: number): string {
  const [x, y] = point(degrees, 1).split(" ");
  return `${x} ${(Number(y) + WALL).toFixed(1)}`;
}

export const EDGE = `M${CX - RX} ${CY}a${RX} ${RY} 0 0 0 ${2 * RX} 0v${WALL}a${RX} ${RY} 0 0 1-${2 * RX} 0z`;
export const UNDER = `M${CX - RX} ${CY + WALL}a${RX} ${RY} 0 0 0 ${2 * RX} 0`;

interface Colors {
  body: string;
  spot: string;
  ink: string;
}

const colorsOf = (body: string, spot: string, ink: string): Colors => ({ body, spot, ink });

/** Colors by denomination, as most casinos use them. */
const COLORS: Record<string, Colors> = {
  "1": colorsOf("#eef0f2", "#3d5f92", "#22304a"),
  "2": colorsOf("#e3c35c", "#7a5a10", "#2b2206"),
  "2½": colorsOf("#d98aa6", "#fff4e2", "#2e0d1a"),
  "3": colorsOf("#4377b3", "#f3efe2", "#ffffff"),
  "4": colorsOf("#2f7a6b", "#f3efe2", "#ffffff"),
  "5": colorsOf("#c23a2b", "#fff4e2", "#ffffff"),
  "10": colorsOf("#2f5fa8", "#f4ead4", "#ffffff"),
  "25": colorsOf("#1f7a4d", "#f6e3a8", "#ffffff"),
  "50": colorsOf("#b35a1f", "#fff3d8", "#ffffff"),
  "100": colorsOf("#23252b", "#e9b44c", "#ffffff"),
  "500": colorsOf("#67408f", "#f4c6d7", "#ffffff"),
  "1k": colorsOf("#d9902f", "#2a2013", "#241a0c"),
};
const OTHER = colorsOf("#6f685a", "#f1ead9", "#ffffff");

export const chipColors = (label: string): Colors => COLORS[label] ?? OTHER;

/** Chips in stacking order, the largest value at the bottom. */
export function stackChips(piles: readonly (readonly [string, number])[], most: number): string[] {
  const all = piles.flatMap(([value, count]) => Array<string>(Math.min(count, most)).fill(value));
  return all.slice(0, most);
}
