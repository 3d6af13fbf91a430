/** Coordinates of small charts. */

export interface Series {
  id: string;
  name: string;
  values: number[];
}

export const WIDTH = 600;
export const HEIGHT = 200;
const EDGE = 8;

/** Minimum and maximum of some values and zero, never equal. */
export function valueRange(numbers: readonly number[]): [number, number] {
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  return low === high ? [low - 1, high + 1] : [low, high];
}

/** Distance of a value from the top. */
export const y = (value: number, [low, high]: [number, number]): number =>
  EDGE + ((high - value) / (high - low)) * (HEIGHT - 2 * EDGE);

/** Distance of the n-th value from the left. */
export const x = (n: number, count: number): number => (count < 2 ? 0 : (n / (count - 1)) * WIDTH);

/** The SVG points of a line. */
export const linePath = (values: readonly number[], range: [number, number]): string =>
  values
    .map(
      (value, n) =>
        `${n ? "L" : "M"}${x(n, values.length).toFixed(1)} ${y(value, range).toFixed(1)}`,
    )
    .join("");

export interface Mark {
  value: number;
  text: string;
}

const LABEL_GAP = 0.12; // Minimum distance of two labels, as a share of the height.

/** Axis labels with their distance from the top (0 to 1). The first of two that overlap is kept. */
export function spreadLabels(
  marks: readonly Mark[],
  range: [number, number],
): (Mark & { at: number })[] {
  const placed: (Mark & { at: number })[] = [];
  for (const mark of marks) {
    const offset = y(mark.value, range) / HEIGHT;
    if (placed.every((other) => Math.abs(other.at - offset) >= LABEL_GAP))
      placed.push({ ...mark, at: offset });
  }
  return placed;
}

/** The SVG points of the area between two lines. */
export function bandPath(
  lower: readonly number[],
  upper: readonly number[],
  range: [number, number],
): string {
  const back = [...lower.keys()]
    .reverse()
    .map((n) => `L${x(n, lower.length).toFixed(1)} ${y(lower[n] ?? 0, range).toFixed(1)}`);
  return `${linePath(upper, range)}${back.join("")}Z`;
}
